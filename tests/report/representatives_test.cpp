// SPDX-License-Identifier: MIT
#include "report/representatives.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/models.hpp"
#include "support/repeated_rows.hpp"

namespace lbw {
namespace {

using Weights = std::vector<double>;

RowMatrix numbered_rows(Index n) {
  RowMatrix rows(n, 1);
  for (Index i = 0; i < n; ++i) rows(i, 0) = static_cast<double>(i);
  return rows;
}

std::map<double, int> counts_of(const RowMatrix& rows) {
  std::map<double, int> counts;
  for (Index i = 0; i < rows.rows(); ++i) ++counts[rows(i, 0)];
  return counts;
}

TEST(Representatives, AreAsManyCopiesAsWholeWeightsSay) {
  const RowMatrix rows = numbered_rows(50);
  const Weights weights = whole_weights(50, 1);
  const Group group{"a", rows, weights};
  EXPECT_EQ(representatives_of(group, 1000, 3).samples, repeated_rows(rows, weights));
  EXPECT_EQ(n_representatives(group), repeated_rows(rows, weights).rows());
}

TEST(Representatives, AreDrawnInProportionToOtherWeights) {
  const RowMatrix rows = numbered_rows(4);
  const Weights weights{0.5, 0.0, 1.5, 2.0};
  // (sum w)^2 / sum w^2 = 16 / 6.5
  EXPECT_EQ(n_representatives({"a", rows, weights}), 2);
  const RowMatrix many = numbered_rows(2000);
  Weights own(2000);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = i % 2 == 0 ? 0.25 : 0.75;
  const Group group{"a", many, own};
  EXPECT_EQ(n_representatives(group), 1600);  // 1000^2 / 625
  const RowMatrix drawn = representatives_of(group, 100000, 3).samples;
  EXPECT_EQ(drawn.rows(), 1600);
  Index odd = 0;
  for (Index i = 0; i < drawn.rows(); ++i) odd += static_cast<Index>(drawn(i, 0)) % 2;
  EXPECT_NEAR(static_cast<double>(odd), 1200.0, 60.0);  // more than three standard deviations
  EXPECT_EQ(representatives_of(group, 300, 3).samples.rows(), 300);
}

TEST(Representatives, OfEqualWeightsAreAllRows) {
  const RowMatrix rows = numbered_rows(200);
  for (const double weight : {0.5, 1e-300, 1e300, 1e6}) {
    const Weights weights(200, weight);
    const auto counts = counts_of(representatives_of({"a", rows, weights}, 1000, 3).samples);
    EXPECT_GE(counts.size(), 198U) << weight;  // rounding at ends of intervals
  }
}

TEST(Representatives, DoNotSeeRowsOfWeightZero) {
  const RowMatrix rows = numbered_rows(60);
  Weights weights(60, 0.7);
  Weights others;
  std::vector<Index> places;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] += 0.01 * static_cast<double>(i);
    if (i % 4 == 1) {
      weights[i] = 0.0;
    } else {
      others.push_back(weights[i]);
      places.push_back(static_cast<Index>(i));
    }
  }
  const RowMatrix positive = rows(places, Eigen::all);
  EXPECT_EQ(representatives_of({"a", rows, weights}, 1000, 5).samples,
            representatives_of({"a", positive, others}, 1000, 5).samples);
}

TEST(Representatives, KeepTheKeysOfTheirRows) {
  const RowMatrix rows = numbered_rows(3);
  const Weights weights{2.0, 0.0, 1.0};
  const std::vector<std::uint64_t> keys{5, 6, 7};
  EXPECT_EQ(representatives_of({"a", rows, weights, keys}, 100, 0).keys,
            (std::vector<std::uint64_t>{5, 5, 7}));
}

TEST(Report, OfWholeWeightsIsThatOfRepeatedRows) {
  TransportModel model = random_plan_model({.n_components = 3, .seed = 4});
  model.map = MapKind::soft;
  std::vector<RowMatrix> samples;
  std::vector<RowMatrix> repeated;
  std::vector<Weights> weights;
  for (std::size_t g = 0; g < 2; ++g) {
    samples.push_back(sample(model.mixtures[g], 200, 10 + g).samples);
    weights.push_back(whole_weights(200, g));
    repeated.push_back(repeated_rows(samples[g], weights[g]));
  }
  const std::vector<Group> weighted{{"a", samples[0], weights[0]}, {"b", samples[1], weights[1]}};
  const std::vector<Group> copies{{"a", repeated[0]}, {"b", repeated[1]}};
  ReportOptions options;
  options.n_permutations = 19;
  EXPECT_EQ(describe(report(model, weighted, options)), describe(report(model, copies, options)));
  EXPECT_EQ(displacement_warning(model, weighted), displacement_warning(model, copies));
}

}  // namespace
}  // namespace lbw
