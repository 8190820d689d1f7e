// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/fit_mixture.hpp>
#include <lbw/io.hpp>

#include "core/fnv.hpp"
#include "io/little_endian.hpp"
#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

MomentSums sums_of_type(CovarianceType type) {
  const Mixture mixture = random_mixture({.n_features = 3, .covariance_type = type, .seed = 4});
  return moment_sums(mixture, sample(mixture, 500, 1).samples);
}

void expect_equal(const MomentSums& sums, const MomentSums& expected) {
  EXPECT_EQ(sums.covariance_type, expected.covariance_type);
  EXPECT_EQ(sums.mixture, expected.mixture);
  EXPECT_EQ(sums.centers, expected.centers);
  EXPECT_EQ(sums.n_samples, expected.n_samples);
  EXPECT_EQ(sums.weight, expected.weight);
  EXPECT_EQ(sums.component_weight, expected.component_weight);
  EXPECT_EQ(sums.first, expected.first);
  ASSERT_EQ(sums.second.size(), expected.second.size());
  for (std::size_t i = 0; i < sums.second.size(); ++i) {
    const Matrix lower = sums.second[i].triangularView<Eigen::Lower>();
    EXPECT_EQ(lower, Matrix(expected.second[i].triangularView<Eigen::Lower>()));
    // the triangles of a pass differ by the rounding of its additions
    EXPECT_TRUE(sums.second[i].isApprox(expected.second[i], 1e-13));
  }
  EXPECT_EQ(sums.log_likelihood, expected.log_likelihood);
  EXPECT_EQ(sums.worst_sample, expected.worst_sample);
  EXPECT_EQ(sums.worst_log_density, expected.worst_log_density);
}

TEST(MomentSumsBytes, ReturnTheSameSums) {
  for (const CovarianceType type : all_covariance_types) {
    const MomentSums sums = sums_of_type(type);
    expect_equal(moment_sums_from_bytes(moment_sums_to_bytes(sums)), sums);
  }
}

TEST(MomentSumsBytes, ReturnEmptySums) {
  const MomentSums empty = MomentSums::about(RowMatrix::Ones(2, 3), CovarianceType::full);
  expect_equal(moment_sums_from_bytes(moment_sums_to_bytes(empty)), empty);
}

TEST(MomentSumsBytes, HoldOneTriangleOfSecondMoments) {
  const MomentSums sums = sums_of_type(CovarianceType::full);
  const std::size_t header = 4 + 1 + 1 + 8 + 8;
  const std::size_t numbers = 4 + 3 + 3 * 3 + 3 + 3 * 3 + 3 * 6;
  EXPECT_EQ(moment_sums_to_bytes(sums).size(), header + 8 * numbers + 8 + 8);
}

TEST(MixtureBytes, ReturnTheSameMixture) {
  for (const CovarianceType type : all_covariance_types) {
    const Mixture mixture = random_mixture({.n_features = 3, .covariance_type = type, .seed = 4});
    const Mixture read = mixture_from_bytes(mixture_to_bytes(mixture));
    EXPECT_EQ(read.covariance_type, mixture.covariance_type);
    EXPECT_EQ(read.weights, mixture.weights);
    EXPECT_EQ(read.means, mixture.means);
    EXPECT_EQ(read.covariances, mixture.covariances);
  }
}

TEST(MixtureBytes, HoldTheNoise) {
  const Mixture mixture = random_mixture({.seed = 4});
  RowNoise noise;
  noise.seed = 7;
  noise.cells = {{{0.0, 2.0}, {1.0, 3.0}}, {}};
  const std::string bytes = mixture_to_bytes(mixture, noise);
  const RowNoise read = noisy_mixture_from_bytes(bytes).noise;
  EXPECT_EQ(read.seed, 7U);
  ASSERT_EQ(read.cells.size(), 2U);
  EXPECT_EQ(read.cells[0].lower, noise.cells[0].lower);
  EXPECT_EQ(read.cells[0].upper, noise.cells[0].upper);
  EXPECT_TRUE(read.cells[1].lower.empty());
  EXPECT_TRUE(noisy_mixture_from_bytes(mixture_to_bytes(mixture)).noise.empty());
  expect_error<IoError>([&] { (void)mixture_from_bytes(bytes); },
                        "the bytes of a mixture are longer than expected");
}

TEST(MomentSumsBytes, RefuseEveryTruncation) {
  const std::string sums = moment_sums_to_bytes(sums_of_type(CovarianceType::full));
  for (std::size_t size = 0; size < sums.size(); ++size) {
    EXPECT_THROW((void)moment_sums_from_bytes(sums.substr(0, size)), IoError) << size;
  }
  const std::string mixture = mixture_to_bytes(random_mixture({.seed = 4}));
  for (std::size_t size = 0; size < mixture.size(); ++size) {
    EXPECT_THROW((void)noisy_mixture_from_bytes(mixture.substr(0, size)), IoError) << size;
  }
}

/// The bytes with the checksum of what they hold now.
std::string signed_bytes(std::string bytes) {
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  Fnv hash;
  hash.add(bytes);
  append_little_endian(bytes, hash.value());
  return bytes;
}

TEST(MomentSumsBytes, RefuseEveryFlippedBit) {
  const std::string sums = moment_sums_to_bytes(sums_of_type(CovarianceType::full));
  const std::string mixture = mixture_to_bytes(random_mixture({.seed = 4}));
  for (std::size_t bit = 0; bit < 8 * sums.size(); ++bit) {
    std::string damaged = sums;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THROW((void)moment_sums_from_bytes(damaged), IoError) << bit;
  }
  for (std::size_t bit = 0; bit < 8 * mixture.size(); ++bit) {
    std::string damaged = mixture;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THROW((void)mixture_from_bytes(damaged), IoError) << bit;
  }
}

// Anyone can compute a checksum, so what is read is checked as well.
TEST(MomentSumsBytes, SurviveEveryDamagedByteOfSignedBytes) {
  const std::string bytes = moment_sums_to_bytes(sums_of_type(CovarianceType::diagonal));
  const Mixture mixture =
      random_mixture({.n_features = 3, .covariance_type = CovarianceType::diagonal, .seed = 4});
  for (std::size_t i = 0; i + sizeof(std::uint64_t) < bytes.size(); ++i) {
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string damaged = bytes;
      damaged[i] = value;
      try {
        (void)next_mixture(mixture, moment_sums_from_bytes(signed_bytes(damaged)), 1e-6);
      } catch (const Error&) {  // any other exception, or a crash, fails the test
      }
    }
  }
}

TEST(MomentSumsBytes, RefuseWeightsThatCannotOccur) {
  const MomentSums good = sums_of_type(CovarianceType::full);
  const auto expect_refused = [](const MomentSums& sums) {
    expect_error<IoError>([&] { (void)moment_sums_from_bytes(moment_sums_to_bytes(sums)); },
                          "the bytes of moment sums have weights that cannot occur");
  };
  MomentSums bad = good;
  bad.weight = -5.0;
  expect_refused(bad);
  bad = good;
  bad.component_weight[0] = -3.0;
  expect_refused(bad);
  bad = good;
  bad.n_samples = 0;
  expect_refused(bad);
}

TEST(MomentSumsBytes, NameTheProblem) {
  std::string bytes = moment_sums_to_bytes(sums_of_type(CovarianceType::full));
  expect_error<IoError>([] { (void)moment_sums_from_bytes("what"); },
                        "the bytes of moment sums are not bytes of that kind");
  expect_error<IoError>([&] { (void)moment_sums_from_bytes(bytes + "x"); },
                        "the bytes of moment sums are damaged or incomplete");
  expect_error<IoError>([&] { (void)moment_sums_from_bytes(signed_bytes(bytes + "x")); },
                        "the bytes of moment sums are longer than expected");
  bytes[4] = 1;
  expect_error<IoError>([&] { (void)moment_sums_from_bytes(bytes); },
                        "the bytes of moment sums are of another version of lbw");
  bytes[4] = 2;
  for (const std::size_t place : {6U, 14U}) {  // the numbers of components and of features
    std::string none = bytes;
    none.replace(place, 8, 8, '\0');
    expect_error<IoError>([&] { (void)moment_sums_from_bytes(signed_bytes(none)); },
                          "the bytes of moment sums have no components or no features");
  }
  for (std::size_t i = 6; i < 14; ++i) bytes[i] = '\x7f';  // the number of components
  expect_error<IoError>([&] { (void)moment_sums_from_bytes(signed_bytes(bytes)); },
                        "the bytes of moment sums are truncated");
  MomentSums sums = sums_of_type(CovarianceType::full);
  sums.worst_sample.resize(0);
  expect_error<InvalidArgument>([&] { (void)moment_sums_to_bytes(sums); },
                                "moment_sums_to_bytes: worst_sample has 0 entries, expected 3");
}

TEST(MixtureBytes, RefuseAnInvalidMixture) {
  Mixture mixture = random_mixture({.seed = 4});
  mixture.weights.setConstant(0.9);
  EXPECT_THROW((void)mixture_from_bytes(mixture_to_bytes(mixture)), IoError);
}

}  // namespace
}  // namespace lbw
