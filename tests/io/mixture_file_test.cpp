// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/tensor_file.hpp>
#include <lbw/types.hpp>
#include <variant>

#include "io/sample_model.hpp"
#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

MixtureModel mixture_model(CovarianceType type) {
  MixtureModel model;
  model.mixture = sample_model(type).mixtures[1];
  model.feature_names = {"x",
                         "gr\xC3\xB6\xC3\x9F"
                         "e"};
  model.statistics = MixtureStatistics{-1.0 / 3.0, 12, true};
  model.notes = {{"parameters", "{}"}};
  return model;
}

/// The bytes of a model with one text of the header replaced by another of any length.
std::string changed(const MixtureModel& model, const std::string& from, const std::string& to) {
  std::string bytes = mixture_model_to_bytes(model);
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  bytes.replace(at, from.size(), to);
  const auto difference = static_cast<int>(to.size()) - static_cast<int>(from.size());
  bytes[0] = static_cast<char>(static_cast<unsigned char>(bytes[0]) + difference);
  return bytes;
}

TEST(MixtureFile, RoundTripsMixturesOfEveryCovarianceType) {
  const TemporaryFolder folder;
  for (const CovarianceType type : {CovarianceType::full, CovarianceType::tied,
                                    CovarianceType::diagonal, CovarianceType::spherical}) {
    const MixtureModel model = mixture_model(type);
    save_mixture(folder / "m.safetensors", model);
    const MixtureModel read = load_mixture(folder / "m.safetensors");
    EXPECT_EQ(read.mixture.covariance_type, type);
    EXPECT_EQ(read.mixture.weights, model.mixture.weights);
    EXPECT_EQ(read.mixture.means, model.mixture.means);
    EXPECT_EQ(read.mixture.covariances, model.mixture.covariances);
    EXPECT_EQ(read.feature_names, model.feature_names);
    EXPECT_EQ(read.notes, model.notes);
    ASSERT_TRUE(read.statistics);
    EXPECT_EQ(read.statistics->mean_log_likelihood, -1.0 / 3.0);
    EXPECT_EQ(read.statistics->iterations, 12);
    EXPECT_TRUE(read.statistics->converged);
    EXPECT_EQ(mixture_model_to_bytes(read), mixture_model_to_bytes(model));
  }
}

TEST(MixtureFile, NamesAndStatisticsMayBeAbsent) {
  MixtureModel model;
  model.mixture = sample_model(CovarianceType::full).mixtures[0];
  const MixtureModel read = mixture_model_from_bytes(mixture_model_to_bytes(model), "m");
  EXPECT_FALSE(read.statistics);
  EXPECT_TRUE(read.feature_names.empty());
  EXPECT_TRUE(read.notes.empty());
}

TEST(MixtureFile, EitherKindIsRecognized) {
  const MixtureModel mixture = mixture_model(CovarianceType::full);
  const TransportModel transport = sample_model(CovarianceType::full);
  EXPECT_TRUE(std::holds_alternative<MixtureModel>(
      any_model_from_bytes(mixture_model_to_bytes(mixture), "m")));
  EXPECT_TRUE(
      std::holds_alternative<TransportModel>(any_model_from_bytes(model_to_bytes(transport), "m")));
}

TEST(MixtureFile, FilesOfAnotherKindSayWhatReadsThem) {
  const std::string mixture = mixture_model_to_bytes(mixture_model(CovarianceType::full));
  const std::string transport = model_to_bytes(sample_model(CovarianceType::full));
  expect_error<IoError>([&] { (void)model_from_bytes(mixture, "m"); },
                        "m holds a Gaussian mixture, expected a transport model; load_mixture, lbw "
                        "inspect, and GaussianMixture.load of the Python package read it");
  expect_error<IoError>(
      [&] { (void)mixture_model_from_bytes(transport, "t"); },
      "t holds a transport model, expected a Gaussian mixture; load_model, and LocalTransport.load "
      "or GroupRepair.load of the Python package, read it");
  const std::string scores = tensor_file_to_bytes({model_metadata("scores"), {}});
  expect_error<IoError>([&] { (void)any_model_from_bytes(scores, "s"); },
                        "s holds a repair of a classifier's scores, expected a transport model; "
                        "ScoreRepair.load of the Python package can read it");
}

TEST(MixtureFile, RejectsWhatIsNoMixture) {
  const MixtureModel model = mixture_model(CovarianceType::diagonal);
  const auto rejected = [&](const std::string& from, const std::string& to,
                            const std::string& problem) {
    const std::string bytes = changed(model, from, to);
    expect_error<IoError>([&] { (void)mixture_model_from_bytes(bytes, "m"); }, problem);
  };
  rejected(R"("covariance_type":"diagonal")", R"("covariance_type":"diagonil")",
           "m: metadata 'covariance_type': covariance_type: 'diagonil' is unknown, expected "
           "'full', 'tied', 'diagonal' or 'spherical'");
  rejected(R"("means":{)", R"("meant":{)", "m: tensor 'means' is missing");
  rejected(R"("weights":{)", R"("weightz":{)", "m: tensor 'weights' is missing");
  rejected(R"([\"x\",)", R"([\"x\",\"y\",)", "m: 3 feature names for 2 features");
  rejected(R"(\"iterations\":12)", R"(\"iterations\":-2)",
           "m: metadata 'report' has an entry 'iterations' that is not an integer from 0 to "
           "2147483647");
}

TEST(MixtureFile, RefusesToWriteWhatItCannotRead) {
  MixtureModel model = mixture_model(CovarianceType::full);
  model.feature_names = {"x"};
  expect_error<InvalidArgument>([&] { (void)mixture_model_to_bytes(model); },
                                "save_mixture: 1 feature name for 2 features");
  model.feature_names = {"x", "\xff"};
  EXPECT_THROW((void)mixture_model_to_bytes(model), InvalidArgument);
}

TEST(TensorFile, BytesAreStoredAsTheyAre) {
  const std::string data("a\0b", 3);
  const TensorFile file{model_metadata("scores"), {{"raw", "U8", {3}, data}}};
  const std::string bytes = tensor_file_to_bytes(file);
  const TensorFile read = tensor_file_from_bytes(bytes, "s");
  ASSERT_EQ(read.tensors.size(), 1U);
  EXPECT_EQ(read.tensors[0].data, data);
  check_model_kind(read.metadata, "scores", "s");
}

TEST(TensorFile, RefusesDataThatDoesNotMatchItsShape) {
  const TensorFile file{{}, {{"raw", "F64", {3}, "abc"}}};
  expect_error<InvalidArgument>([&] { (void)tensor_file_to_bytes(file); },
                                "tensor_file_to_bytes: tensor 'raw' of type F64 has 3 bytes, which "
                                "does not match its shape (3)");
}

// Three bytes before a tensor of doubles.
TEST(TensorFile, RefusesToWriteMisalignedTensors) {
  const std::string number(8, '\0');
  const TensorFile file{{}, {{"raw", "U8", {3}, "abc"}, {"numbers", "F64", {1}, number}}};
  expect_error<InvalidArgument>([&] { (void)tensor_file_to_bytes(file); },
                                "tensor_file_to_bytes: tensor 'numbers' of type F64 would start at "
                                "byte 3 of the data, expected a multiple of 8; put the tensors of "
                                "type U8 last");
  const TensorFile sorted{{}, {{"numbers", "F64", {1}, number}, {"raw", "U8", {3}, "abc"}}};
  EXPECT_NO_THROW((void)tensor_file_from_bytes(tensor_file_to_bytes(sorted), "s"));
}

}  // namespace
}  // namespace lbw
