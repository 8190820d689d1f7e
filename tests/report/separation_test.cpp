// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/report.hpp>
#include <lbw/types.hpp>

#include "report/permutations.hpp"
#include "support/expect_error.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Oracle: the definition, with features divided by their standard deviation over both samples.
double auc_by_neighbors(const RowMatrix& first, const RowMatrix& second, std::size_t k,
                        std::uint64_t seed = 0) {
  RowMatrix points(first.rows() + second.rows(), first.cols());
  points << first, second;
  for (Index f = 0; f < points.cols(); ++f) {
    const Vector centered = points.col(f).array() - points.col(f).mean();
    points.col(f) /= std::sqrt(centered.squaredNorm() / static_cast<double>(points.rows()));
  }
  const Membership halves = random_halves(points.rows(), seed);
  std::vector<double> scores;
  for (Index i = 0; i < points.rows(); ++i) {
    std::vector<std::pair<double, bool>> others;
    for (Index j = 0; j < points.rows(); ++j) {
      if (halves[at(j)] == halves[at(i)]) continue;
      others.emplace_back((points.row(i) - points.row(j)).norm(), j >= first.rows());
    }
    std::sort(others.begin(), others.end());
    double n_second = 0.0;
    double n = 0.0;
    for (const auto& [distance, is_second] : others) {
      if (distance > others[k - 1].first + 1e-12) break;
      n += 1.0;
      n_second += is_second ? 1.0 : 0.0;
    }
    scores.push_back(n_second / n);
  }
  double wins = 0.0;
  double n_pairs = 0.0;
  for (Index i = 0; i < first.rows(); ++i) {
    for (Index j = first.rows(); j < points.rows(); ++j) {
      if (halves[at(i)] != halves[at(j)]) continue;
      const double a = scores[at(i)];
      const double b = scores[at(j)];
      wins += std::abs(a - b) < 1e-12 ? 0.5 : (b > a ? 1.0 : 0.0);
      n_pairs += 1.0;
    }
  }
  return wins / n_pairs;
}

TEST(Separation, IsThatOfTheDefinition) {
  const RowMatrix first = normal_rows(40, 3, 1);
  RowMatrix second = normal_rows(25, 3, 2);
  second.col(1).array() += 1.0;
  second.col(2) *= 50.0;
  for (const int k : {1, 5, 20}) {
    SeparationOptions options;
    options.n_neighbors = k;
    EXPECT_NEAR(separation(first, second, options).auc,
                auc_by_neighbors(first, second, static_cast<std::size_t>(k)), 1e-12);
  }
}

// one-hot columns: many points are equal or have equal distances
TEST(Separation, TakesAllNeighborsThatAreTied) {
  Random random(3);
  RowMatrix first = RowMatrix::Zero(30, 3);
  RowMatrix second = RowMatrix::Zero(40, 3);
  for (Index i = 0; i < 30; ++i) first(i, static_cast<Index>(random.below(3))) = 1.0;
  for (Index i = 0; i < 40; ++i) second(i, random.uniform() < 0.6 ? 0 : 2) = 1.0;
  SeparationOptions options;
  options.n_neighbors = 5;
  EXPECT_NEAR(separation(first, second, options).auc, auc_by_neighbors(first, second, 5), 1e-12);
  EXPECT_NEAR(separation(second, first, options).auc, auc_by_neighbors(second, first, 5), 1e-12);
}

// equal points have equal scores for any labels
TEST(Separation, IsHalfWherePointsAreEqual) {
  SeparationOptions options;
  options.n_permutations = 9;
  const RowMatrix same = RowMatrix::Ones(30, 2);
  const Separation result = separation(same, RowMatrix(same.topRows(20)), options);
  EXPECT_EQ(result.auc, 0.5);
  EXPECT_DOUBLE_EQ(result.null.mean, 0.5);
}

TEST(Separation, HasNoBiasByTheLabelOfAPointItself) {
  SeparationOptions options;
  options.n_permutations = 199;
  RowMatrix coins(300, 1);
  Random random(15);
  for (double& value : coins.reshaped()) value = static_cast<double>(random.below(2));
  EXPECT_NEAR(separation(coins.topRows(150), coins.bottomRows(150), options).null.mean, 0.5, 0.01);
}

TEST(Separation, IsCertainOfSamplesFarApart) {
  const RowMatrix far = normal_rows(50, 2, 5).array() + 20.0;
  EXPECT_EQ(separation(normal_rows(40, 2, 4), far).auc, 1.0);
}

TEST(Separation, IsNearHalfOfOneDistribution) {
  SeparationOptions options;
  options.n_permutations = 99;
  const Separation result = separation(normal_rows(400, 2, 6), normal_rows(300, 2, 7), options);
  EXPECT_EQ(result.n_neighbors, 19);  // the root of 350
  EXPECT_NEAR(result.auc, 0.5, 0.1);
  EXPECT_NEAR(result.null.mean, 0.5, 0.02);
  EXPECT_GT(result.null.p_value, 0.01);
}

TEST(Separation, SeesADifferenceThatMomentsDoNot) {
  const RowMatrix first = normal_rows(400, 2, 8);
  RowMatrix second = normal_rows(400, 2, 9);
  for (double& value : second.reshaped()) value = value > 0.0 ? 1.0 : -1.0;  // same mean, variance
  SeparationOptions options;
  options.n_permutations = 99;
  const Separation result = separation(first, second, options);
  EXPECT_GT(result.auc, 0.95);
  EXPECT_EQ(result.null.p_value, 0.01);
}

TEST(Separation, DoesNotTakeRoundingForADifference) {
  RowMatrix first = normal_rows(60, 2, 10);
  RowMatrix second = normal_rows(60, 2, 11);
  first.col(1).setConstant(0.1);
  second.col(1).setConstant(0.1 + 1e-17 + 1.4e-17);
  const double with = separation(first, second).auc;
  EXPECT_NEAR(with, separation(RowMatrix(first.leftCols(1)), RowMatrix(second.leftCols(1))).auc,
              0.02);
}

TEST(Separation, HasTheSameBitsOnAnyNumberOfThreads) {
  const RowMatrix first = normal_rows(200, 3, 12);
  const RowMatrix second = normal_rows(150, 3, 13);
  SeparationOptions options;
  options.n_permutations = 19;
  options.execution.n_threads = 1;
  const Separation one = separation(first, second, options);
  options.execution.n_threads = 3;
  const Separation three = separation(first, second, options);
  EXPECT_EQ(one.auc, three.auc);
  EXPECT_EQ(one.null.mean, three.null.mean);
}

TEST(Separation, RefusesBadArguments) {
  const RowMatrix flat = normal_rows(5, 2, 14);
  expect_error<InvalidArgument>(
      [&] { (void)separation(flat, RowMatrix(normal_rows(5, 3, 14))); },
      "separation: first has 2 features and second 3, expected equal numbers");
  expect_error<InvalidArgument>(
      [&] { (void)separation(flat, RowMatrix(flat.topRows(1))); },
      "separation: first has 5 samples and second 1, expected 2 or more of each");
  SeparationOptions options;
  options.n_neighbors = 6;
  expect_error<InvalidArgument>([&] { (void)separation(flat, flat, options); },
                                "separation: n_neighbors is 6, expected a number up to 5 (half of "
                                "the samples), or 0 for the default");
}

TEST(Separation, CountsTiedNeighborsInAnyUnits) {
  Random random(1);
  RowMatrix first(60, 2);
  RowMatrix second(60, 2);
  for (RowMatrix* values : {&first, &second}) {
    for (Index i = 0; i < values->size(); ++i) {
      values->data()[i] = static_cast<double>(random.below(6));
    }
  }
  const SeparationOptions options{.n_permutations = 0};
  const double auc = separation(first, second, options).auc;
  for (const double shift : {2.0, 8.0, 1000.0}) {
    for (const double unit : {1.0, 3.0, 0.1}) {
      const auto changed = [&](const RowMatrix& values) -> RowMatrix {
        return unit * (values.array() + shift);
      };
      EXPECT_EQ(separation(changed(first), changed(second), options).auc, auc) << shift << unit;
    }
  }
}

}  // namespace
}  // namespace lbw
