// SPDX-License-Identifier: MIT
#include "transport/group_source.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <lbw/fit_transport.hpp>
#include <mutex>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

constexpr Index n_source_rows = 80000;  // more than a fit fetches

struct Samples {
  RowMatrix first =
      sample(random_mixture({.n_components = 3, .n_features = 2, .seed = 1}), n_source_rows, 1)
          .samples;
  RowMatrix second =
      sample(random_mixture({.n_components = 3, .n_features = 2, .seed = 2}), n_source_rows, 2)
          .samples;
};

std::vector<Group> source_groups(SampleSource& first, SampleSource& second) {
  std::vector<Group> groups(2);
  groups[0].name = "a";
  groups[0].source = &first;
  groups[1].name = "b";
  groups[1].source = &second;
  return groups;
}

TransportModel fit_of_sources(const Samples& samples, const TransportOptions& options) {
  ViewSource first{SampleView(samples.first)};
  ViewSource second{SampleView(samples.second)};
  return fit_transport(source_groups(first, second), options);
}

TransportModel fit_of_samples(const Samples& samples, const TransportOptions& options) {
  const std::vector<Group> groups{{"a", samples.first}, {"b", samples.second}};
  return fit_transport(groups, options);
}

void expect_same_model(const TransportModel& model, const TransportModel& expected,
                       double tolerance) {
  ASSERT_EQ(model.mixtures.size(), expected.mixtures.size());
  for (std::size_t g = 0; g < model.mixtures.size(); ++g) {
    EXPECT_EQ(model.reports[g].n_samples, expected.reports[g].n_samples);
    EXPECT_NEAR(model.reports[g].mean_log_likelihood, expected.reports[g].mean_log_likelihood,
                tolerance);
    EXPECT_TRUE(model.mixtures[g].means.isApprox(expected.mixtures[g].means, tolerance));
  }
}

TEST(GroupSource, GivesTheModelOfTheSameSamples) {
  const Samples samples;
  TransportOptions options;
  options.mixture.n_components = 3;
  options.mixture.relative_covariance_floor = 0.01;
  options.map = MapKind::soft;  // without draws, whose keys differ
  options.group_shrinkage.automatic = true;
  options.refine = 2;
  const TransportModel model = fit_of_sources(samples, options);
  const TransportModel expected = fit_of_samples(samples, options);
  expect_same_model(model, expected, 1e-9);
  ASSERT_EQ(model.refinement.steps.size(), 2U);
  for (std::size_t g = 0; g < 2; ++g) {
    const Vector& own = model.refinement.steps[1].tables[g][0].values;
    const Vector& wanted = expected.refinement.steps[1].tables[g][0].values;
    ASSERT_EQ(own.size(), wanted.size());
    EXPECT_LT((own - wanted).cwiseAbs().maxCoeff(), 1e-7);
  }
}

TEST(GroupSource, AddsNoiseToRowsOfFewValues) {
  Samples samples;
  samples.first = samples.first.array().round();
  samples.second = samples.second.array().round();
  TransportOptions options;
  options.mixture.n_components = 3;
  options.dither = Dither::automatically();
  const TransportModel model = fit_of_sources(samples, options);
  const TransportModel expected = fit_of_samples(samples, options);
  EXPECT_EQ(model.dither_cells, expected.dither_cells);
  ASSERT_FALSE(model.dither_cells[0].empty());
  // The noise of a row depends on its key, the index, so the fits differ by sampling noise. The
  // standard error of a mean log-likelihood of 80000 samples is about 0.004.
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_NEAR(model.reports[g].mean_log_likelihood, expected.reports[g].mean_log_likelihood,
                0.01);
  }
}

TEST(GroupSource, CountsTheWeightsOfAllRows) {
  const RowMatrix samples = RowMatrix::Random(n_source_rows, 1);
  std::vector<double> weights(static_cast<std::size_t>(n_source_rows), 0.5);
  weights[0] = 0.0;
  ViewSource source(samples, weights);
  Group group;
  group.name = "a";
  group.source = &source;
  const std::vector<Group> groups = fetched_groups({&group, 1}, 0);
  EXPECT_EQ(groups[0].samples.n_samples(), 65536);
  EXPECT_EQ(groups[0].keys.size(), 65536U);
  EXPECT_EQ(n_rows_of(groups[0]), n_source_rows);
  EXPECT_EQ(n_positive_of(groups[0]), n_source_rows - 1);
  EXPECT_EQ(weight_of(groups[0]), 0.5 * static_cast<double>(n_source_rows - 1));
}

TEST(GroupSource, FetchesSmallGroupsCompletely) {
  const RowMatrix samples = RowMatrix::Random(100, 2);
  ViewSource source{SampleView(samples)};
  Group group;
  group.name = "a";
  group.source = &source;
  const std::vector<Group> groups = fetched_groups({&group, 1}, 0);
  EXPECT_EQ(groups[0].source, nullptr);
  EXPECT_TRUE(groups[0].keys.empty());
  EXPECT_EQ(groups[0].samples.row(99), samples.row(99).transpose());
}

/// Sources that answer only once all groups of a phase have asked or ended.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  int active = 0;
  int waiting = 0;
  int round = 0;
  int largest = 0;

  void meet() {
    std::unique_lock lock(mutex);
    const int own = round;
    ++waiting;
    largest = std::max(largest, waiting);
    release_if_complete();
    changed.wait(lock, [&] { return round > own; });
  }
  void release_if_complete() {
    if (waiting == 0 || waiting < active) return;
    waiting = 0;
    ++round;
    changed.notify_all();
  }
};

class MeetingSource : public ViewSource {
 public:
  MeetingSource(const RowMatrix& samples, Meeting& meeting)
      : ViewSource(SampleView(samples)), meeting_(meeting) {}
  MomentSums moment_sums(const SumsRequest& request) override {
    meeting_.meet();
    return ViewSource::moment_sums(request);
  }
  void begin() override {
    const std::lock_guard lock(meeting_.mutex);
    ++meeting_.active;
  }
  void end() override {
    const std::lock_guard lock(meeting_.mutex);
    --meeting_.active;
    meeting_.release_if_complete();
  }

 private:
  Meeting& meeting_;
};

TEST(GroupSource, AsksForTheSumsOfAllGroupsAtTheSameTime) {
  const Samples samples;
  Meeting meeting;
  MeetingSource first(samples.first, meeting);
  MeetingSource second(samples.second, meeting);
  TransportOptions options;
  options.mixture.n_components = 3;
  options.mixture.relative_covariance_floor = 0.01;
  options.mixture.execution.n_threads = 1;
  const TransportModel model = fit_transport(source_groups(first, second), options);
  EXPECT_EQ(meeting.active, 0);
  EXPECT_EQ(meeting.largest, 2);
  // variances, the spread, the first likelihood and the steps of the slower group
  const int steps = std::max(model.reports[0].iterations, model.reports[1].iterations);
  EXPECT_EQ(meeting.round, steps + 3);
}

TEST(GroupSource, EndsAllGroupsIfOneFails) {
  class Failing : public MeetingSource {
   public:
    using MeetingSource::MeetingSource;
    MomentSums moment_sums(const SumsRequest&) override { throw IoError("the disk is gone"); }
  };
  const Samples samples;
  Meeting meeting;
  Failing first(samples.first, meeting);
  MeetingSource second(samples.second, meeting);
  TransportOptions options;
  options.mixture.n_components = 3;
  expect_error<IoError>([&] { (void)fit_transport(source_groups(first, second), options); },
                        "the disk is gone");
  EXPECT_EQ(meeting.active, 0);
}

}  // namespace
}  // namespace lbw
