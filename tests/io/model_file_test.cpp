// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <lbw/version.hpp>
#include <thread>

#include "io/sample_model.hpp"
#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

constexpr CovarianceType all_types[] = {CovarianceType::full, CovarianceType::tied,
                                        CovarianceType::diagonal, CovarianceType::spherical};

void expect_equal(const Mixture& a, const Mixture& b) {
  EXPECT_EQ(a.covariance_type, b.covariance_type);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.means, b.means);
  EXPECT_EQ(a.covariances, b.covariances);
}

void expect_equal(const GroupReport& a, const GroupReport& b) {
  EXPECT_EQ(a.n_samples, b.n_samples);
  EXPECT_EQ(a.mean_log_likelihood, b.mean_log_likelihood);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.converged, b.converged);
  EXPECT_EQ(a.replaced_components, b.replaced_components);
  EXPECT_EQ(a.weighted_count, b.weighted_count);
  EXPECT_EQ(a.unestimated_components, b.unestimated_components);
}

TEST(ModelFile, RoundTripsModelsOfEveryCovarianceType) {
  for (const CovarianceType type : all_types) {
    const TransportModel model = sample_model(type);
    const TransportModel back = model_from_bytes(model_to_bytes(model), "m");
    EXPECT_EQ(back.group_names, model.group_names);
    EXPECT_EQ(back.feature_names, model.feature_names);
    EXPECT_EQ(back.coupling.reference, model.coupling.reference);
    EXPECT_EQ(back.coupling.tuples, model.coupling.tuples);
    EXPECT_LT((back.coupling.masses - model.coupling.masses).cwiseAbs().maxCoeff(), 1e-15);
    ASSERT_EQ(back.mixtures.size(), model.mixtures.size());
    ASSERT_EQ(back.reports.size(), model.reports.size());
    for (std::size_t g = 0; g < 3; ++g) {
      expect_equal(back.mixtures[g], model.mixtures[g]);
      expect_equal(back.reports[g], model.reports[g]);
    }
  }
}

TEST(ModelFile, RoundTripsOptionsButNotThreads) {
  TransportModel model = sample_model(CovarianceType::tied);
  model.mixture_options.execution.n_threads = 3;
  const std::string bytes = model_to_bytes(model);
  const MixtureOptions options = model_from_bytes(bytes, "m").mixture_options;
  EXPECT_EQ(options.n_components, 3);
  EXPECT_EQ(options.covariance_type, CovarianceType::tied);
  EXPECT_EQ(options.covariance_floor, 1e-7);
  EXPECT_EQ(options.tolerance, 0.1);
  EXPECT_EQ(options.max_iterations, 77);
  EXPECT_EQ(options.n_init, 5);
  EXPECT_EQ(options.start, MixtureStart::random_points);
  EXPECT_EQ(options.seed, 18446744073709551615ULL);
  EXPECT_EQ(options.execution.n_threads, 0);
  model.mixture_options.execution.n_threads = 8;
  EXPECT_EQ(model_to_bytes(model), bytes);
}

TEST(ModelFile, KeepsShrinkageAndTheRelativeFloor) {
  TransportModel model = sample_model(CovarianceType::full);
  EXPECT_EQ(model_to_bytes(model).find("shrinkage"), std::string::npos);
  EXPECT_EQ(model_to_bytes(model).find("relative"), std::string::npos);
  for (const Shrinkage& shrinkage : {Shrinkage{.automatic = true}, Shrinkage{.amount = 0.1}}) {
    model.mixture_options.shrinkage = shrinkage;
    model.mixture_options.relative_covariance_floor = 0.02;
    const std::string bytes = model_to_bytes(model);
    const TransportModel back = model_from_bytes(bytes, "m");
    EXPECT_EQ(back.mixture_options.shrinkage, shrinkage);
    EXPECT_EQ(back.mixture_options.relative_covariance_floor, 0.02);
    EXPECT_EQ(model_to_bytes(back), bytes);
  }
  // files without these entries belong to fits without them
  const TransportModel plain =
      model_from_bytes(model_to_bytes(sample_model(CovarianceType::full)), "m");
  EXPECT_TRUE(plain.mixture_options.shrinkage.is_none());
  EXPECT_EQ(plain.mixture_options.relative_covariance_floor, 0.0);
}

TEST(ModelFile, RefusesInvalidShrinkage) {
  TransportModel model = sample_model(CovarianceType::full);
  model.mixture_options.shrinkage.automatic = true;
  std::string hostile = model_to_bytes(model);
  hostile.replace(hostile.find("auto"), 4, "1e+1");
  expect_error<IoError>(
      [&] { (void)model_from_bytes(hostile, "m"); },
      "m: metadata 'options' has shrinkage '1e+1', expected auto or a number from 0 "
      "to 1");
  model.mixture_options.shrinkage = {.amount = 1.5};
  expect_error<InvalidArgument>(
      [&] { (void)model_to_bytes(model); },
      "save_model: shrinkage is 1.5, expected auto or a number from 0 to 1");
}

TEST(ModelFile, WritesTheSameBytesAfterReading) {
  for (const CovarianceType type : all_types) {
    for (const Index n_features : {1, 5}) {
      TransportModel model = sample_model(type, 4, n_features);
      if (n_features == 1) model.feature_names.clear();
      const std::string bytes = model_to_bytes(model);
      EXPECT_EQ(model_to_bytes(model_from_bytes(bytes, "m")), bytes);
    }
  }
}

// One component, one feature, two groups: small enough to write by hand.
TEST(ModelFile, HasTheDocumentedBytes) {
  TransportModel model;
  model.group_names = {"a", "b"};
  for (const double mean : {1.0, 2.0}) {
    Mixture mixture;
    mixture.covariance_type = CovarianceType::spherical;
    mixture.weights = Vector::Ones(1);
    mixture.means = RowMatrix::Constant(1, 1, mean);
    mixture.covariances = {Matrix::Constant(1, 1, 0.5)};
    model.mixtures.push_back(mixture);
    model.reports.push_back({10, -1.5, 2, true, 0});
  }
  model.coupling.tuples.setZero(1, 2);
  model.coupling.masses = Vector::Ones(1);
  model.mixture_options = {};
  std::string header =
      R"({"__metadata__":{"format":"lbw","format_version":"1","lbw_version":")" +
      std::string(version) +
      R"(","kind":"transport","group_names":"[\"a\",\"b\"]","feature_names":"[]",)"
      R"("covariance_type":"spherical","coupling":"matching","cost":"means",)"
      R"("map":"hard","reference":"a",)"
      R"("options":"{\"n_components\":1,\"covariance_floor\":1e-06,\"tolerance\":0.001,)"
      R"(\"max_iterations\":100,\"n_init\":1,\"start\":\"kmeans\",\"precision\":\"f64\",)"
      R"(\"seed\":\"0\"}",)"
      R"("reports":"[{\"n_samples\":10,\"mean_log_likelihood\":-1.5,\"iterations\":2,)"
      R"(\"converged\":true,\"replaced_components\":0},)"
      R"({\"n_samples\":10,\"mean_log_likelihood\":-1.5,\"iterations\":2,)"
      R"(\"converged\":true,\"replaced_components\":0}]"},)"
      R"("groups.0.weights":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},)"
      R"("groups.0.means":{"dtype":"F64","shape":[1,1],"data_offsets":[8,16]},)"
      R"("groups.0.covariances":{"dtype":"F64","shape":[1],"data_offsets":[16,24]},)"
      R"("groups.1.weights":{"dtype":"F64","shape":[1],"data_offsets":[24,32]},)"
      R"("groups.1.means":{"dtype":"F64","shape":[1,1],"data_offsets":[32,40]},)"
      R"("groups.1.covariances":{"dtype":"F64","shape":[1],"data_offsets":[40,48]},)"
      R"("coupling.tuples":{"dtype":"I64","shape":[1,2],"data_offsets":[48,64]}})";
  while (header.size() % 8 != 0) header += ' ';
  std::string length(8, '\0');
  length[0] = static_cast<char>(header.size() % 256);
  length[1] = static_cast<char>(header.size() / 256);
  const std::string one("\0\0\0\0\0\0\xf0\x3f", 8);
  const std::string two("\0\0\0\0\0\0\0\x40", 8);
  const std::string half("\0\0\0\0\0\0\xe0\x3f", 8);
  EXPECT_EQ(model_to_bytes(model),
            length + header + one + one + half + one + two + half + std::string(16, '\0'));
}

TEST(ModelFile, KeepsNotes) {
  TransportModel model = sample_model(CovarianceType::full);
  EXPECT_EQ(model_to_bytes(model).find("notes"), std::string::npos);
  model.notes = {{"made by", "a \"test\""}, {"empty", ""}};
  const std::string bytes = model_to_bytes(model);
  EXPECT_EQ(model_from_bytes(bytes, "m").notes, model.notes);
  std::string hostile = bytes;
  const std::string text = R"(\"empty\":\"\")";
  ASSERT_NE(hostile.find(text), std::string::npos);
  hostile.replace(hostile.find(text), text.size(), R"(\"empty\":1   )");
  expect_error<IoError>([&] { (void)model_from_bytes(hostile, "m"); },
                        "m: metadata 'notes' is not an object of strings");
}

TEST(ModelFile, KeepsPlansWithTheirMasses) {
  for (const ComponentCost cost : {ComponentCost::means, ComponentCost::bures}) {
    const TransportModel model = random_plan_model({.n_groups = 3, .seed = 2}, cost);
    const std::string bytes = model_to_bytes(model);
    const TransportModel back = model_from_bytes(bytes, "m");
    EXPECT_EQ(back.coupling.method, CouplingMethod::plan);
    EXPECT_EQ(back.coupling.cost, cost);
    EXPECT_EQ(back.coupling.tuples, model.coupling.tuples);
    EXPECT_EQ(back.coupling.masses, model.coupling.masses);
    EXPECT_EQ(model_to_bytes(back), bytes);
  }
}

TEST(ModelFile, KeepsTheKindOfMap) {
  TransportModel model = sample_model(CovarianceType::diagonal);
  for (const MapKind kind : {MapKind::soft, MapKind::random}) {
    model.map = kind;
    const std::string bytes = model_to_bytes(model);
    EXPECT_EQ(model_from_bytes(bytes, "m").map, kind);
  }
}

TEST(ModelFile, KeepsScales) {
  TransportModel model = sample_model(CovarianceType::full);
  EXPECT_EQ(model_to_bytes(model).find("scales"), std::string::npos);
  model.scales = Vector::LinSpaced(model.n_features(), 0.01, 2e6);
  const std::string bytes = model_to_bytes(model);
  EXPECT_EQ(model_from_bytes(bytes, "m").scales, model.scales);
  EXPECT_EQ(model_to_bytes(model_from_bytes(bytes, "m")), bytes);
  model.scales[0] = 0.0;
  expect_error<InvalidArgument>([&] { (void)model_to_bytes(model); },
                                "save_model: the model's scales has the value 0, expected numbers "
                                "from 1e-300 to 1e300");
}

TEST(ModelFile, KeepsDither) {
  TransportModel model = sample_model(CovarianceType::diagonal);
  EXPECT_EQ(model_to_bytes(model).find("dither"), std::string::npos);
  model.dither = Vector::LinSpaced(model.n_features(), 0.0, 0.5);
  const std::string bytes = model_to_bytes(model);
  EXPECT_EQ(model_from_bytes(bytes, "m").dither, model.dither);
  EXPECT_EQ(model_to_bytes(model_from_bytes(bytes, "m")), bytes);
  model.dither[0] = -1.0;
  expect_error<InvalidArgument>(
      [&] { (void)model_to_bytes(model); },
      "save_model: the model's dither[0] is -1, expected a finite number >= 0");
}

TEST(ModelFile, KeepsTheCellsOfAutomaticDither) {
  TransportModel model = sample_model(CovarianceType::diagonal);
  model.dither_cells.resize(static_cast<std::size_t>(model.n_features()));
  model.dither_cells.back() = {{-0.5, 0.5}, {0.5, 1.75}};
  const std::string bytes = model_to_bytes(model);
  EXPECT_EQ(model_from_bytes(bytes, "m").dither_cells, model.dither_cells);
  EXPECT_EQ(model_to_bytes(model_from_bytes(bytes, "m")), bytes);
  model.dither_cells.back().upper[0] = 0.75;
  expect_error<InvalidArgument>(
      [&] { (void)model_to_bytes(model); },
      "save_model: the model's dither of feature " + std::to_string(model.n_features() - 1) +
          " has invalid cells, expected finite, ascending and disjoint intervals");
}

TEST(ModelFile, KeepsRefinements) {
  EXPECT_EQ(model_to_bytes(sample_model(CovarianceType::full)).find("refine"), std::string::npos);
  for (const Index n_features : {1, 2}) {
    const TransportModel model = refined_sample_model(CovarianceType::diagonal, 3, n_features);
    const std::string bytes = model_to_bytes(model);
    EXPECT_NE(bytes.find(R"("refine":"3")"), std::string::npos);
    const TransportModel back = model_from_bytes(bytes, "m");
    EXPECT_EQ(back.refinement.barycentric_weights, model.refinement.barycentric_weights);
    ASSERT_EQ(back.refinement.steps.size(), 3U);
    for (std::size_t s = 0; s < 3; ++s) {
      EXPECT_EQ(back.refinement.steps[s].rotation, model.refinement.steps[s].rotation);
      for (std::size_t g = 0; g < 3; ++g) {
        for (std::size_t f = 0; f < static_cast<std::size_t>(n_features); ++f) {
          EXPECT_EQ(back.refinement.steps[s].tables[g][f].values,
                    model.refinement.steps[s].tables[g][f].values);
        }
      }
    }
    EXPECT_EQ(model_to_bytes(back), bytes);
  }
}

TEST(ModelFile, KeepsWhatARefinedMapDoes) {
  const TransportModel model = refined_sample_model(CovarianceType::full);
  const TransportModel back = model_from_bytes(model_to_bytes(model), "m");
  const RowMatrix points = sample(model.mixtures[0], 200, 1).samples;
  const std::vector<double>& weights = model.refinement.barycentric_weights;
  EXPECT_EQ(transport(map_to_barycenter(back, "red", weights), points),
            transport(map_to_barycenter(model, "red", weights), points));
}

// Files from before plans do not mention them and are otherwise equal.
TEST(ModelFile, ReadsFilesWithoutACoupling) {
  TransportModel model = sample_model(CovarianceType::diagonal);
  std::string bytes = model_to_bytes(model);
  const std::string words = R"("coupling":"matching","cost":"means","map":"hard",)";
  const std::size_t at = bytes.find(words);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, words.size(), std::string(words.size(), ' '));
  const TransportModel back = model_from_bytes(bytes, "m");
  EXPECT_EQ(back.coupling.method, CouplingMethod::matching);
  EXPECT_EQ(back.coupling.cost, ComponentCost::means);
  EXPECT_EQ(back.map, MapKind::hard);
  EXPECT_EQ(back.coupling.tuples, model.coupling.tuples);
  EXPECT_LT((back.coupling.masses - model.coupling.masses).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(ModelFile, SavesAndLoadsFiles) {
  const TemporaryFolder folder;
  const TransportModel model = sample_model(CovarianceType::full);
  save_model(folder / "m.safetensors", model);
  EXPECT_EQ(bytes_of(folder / "m.safetensors"), model_to_bytes(model));
  EXPECT_EQ(model_to_bytes(load_model(folder / "m.safetensors")), model_to_bytes(model));
  EXPECT_EQ(folder.count(), 1U);
  const std::string missing = (folder / "missing").string();
  expect_error<IoError>([&] { (void)load_model(missing); },
                        "cannot read '" + missing + "': No such file or directory");
  const std::string empty = folder.file("empty", "").string();
  expect_error<IoError>([&] { (void)load_model(empty); },
                        empty + ": 0 bytes are too few for a model file (safetensors)");
}

TEST(ModelFile, RefusesToWriteWhatItCouldNotRead) {
  const auto refused = [](auto change, const char* expected_message) {
    TransportModel model = sample_model(CovarianceType::full);
    change(model);
    expect_error<InvalidArgument>([&] { (void)model_to_bytes(model); }, expected_message);
  };
  refused([](TransportModel& m) { m.group_names[0] = "caf\xE9"; },
          "save_model: group name 'caf?' is not UTF-8, which model files require");
  refused([](TransportModel& m) { m.feature_names[0] = "\xFF"; },
          "save_model: feature name '?' is not UTF-8, which model files require");
  refused([](TransportModel& m) { m.notes["n"] = "\xFF"; },
          "save_model: note '?' is not UTF-8, which model files require");
  refused([](TransportModel& m) { m.reports[0].mean_log_likelihood = INFINITY; },
          "save_model: a report's mean_log_likelihood is inf, expected a finite number");
  refused([](TransportModel& m) { m.reports[0].iterations = -1; },
          "save_model: a report's iterations is -1, expected >= 0");
  refused([](TransportModel& m) { m.mixture_options.tolerance = -1.0; },
          "save_model: tolerance is -1, expected a number >= 0");
  refused(
      [](TransportModel& m) { m.group_names.pop_back(); },
      "save_model: the model has 2 group names, 3 mixtures and 3 reports, expected equal numbers");
}

// A child saves two models in turn until it is killed. The file is always one complete model.
TEST(ModelFile, IsCompleteWheneverTheWriterIsKilled) {
  const TransportModel first = sample_model(CovarianceType::full, 40, 8, 1);
  const TransportModel second = sample_model(CovarianceType::full, 60, 8, 2);
  const std::string first_bytes = model_to_bytes(first);
  const std::string second_bytes = model_to_bytes(second);
  Random random(9);
  bool seen_first = false;
  bool seen_second = false;
  // a slow machine may need more and longer rounds until both occur
  for (int round = 0; round < 40 || (round < 400 && !(seen_first && seen_second)); ++round) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "m.safetensors";
    save_model(path, first);
    const pid_t child = ::fork();
    if (child == 0) {
      while (true) {
        save_model(path, second);
        save_model(path, first);
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(
        1000 + random.below(20'000) * static_cast<unsigned>(1 + round / 40)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string left = bytes_of(path);
    ASSERT_TRUE(left == first_bytes || left == second_bytes);
    EXPECT_NO_THROW((void)load_model(path));
    seen_first = seen_first || left == first_bytes;
    seen_second = seen_second || left == second_bytes;
  }
  EXPECT_TRUE(seen_first);
  EXPECT_TRUE(seen_second);  // the child did write
}

TEST(ModelFile, KeepsTheNumberOfWeightedSamples) {
  TransportModel model = sample_model(CovarianceType::full);
  model.reports[1].weighted_count = 1234.5;
  const std::string bytes = model_to_bytes(model);
  const TransportModel back = model_from_bytes(bytes, "m");
  EXPECT_EQ(back.reports[0].weighted_count, std::nullopt);
  EXPECT_EQ(back.reports[1].weighted_count, 1234.5);
  std::string bad = bytes;
  const std::size_t at = bad.find("1234.5");
  ASSERT_NE(at, std::string::npos);
  bad.replace(at, 6, "-234.5");
  EXPECT_THROW((void)model_from_bytes(bad, "m"), IoError);
  model.reports[1].weighted_count = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)model_to_bytes(model), InvalidArgument);
}

}  // namespace
}  // namespace lbw
