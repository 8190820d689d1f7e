// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/fit_mixture.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(CovarianceLayout, HasTheShapesOfEveryType) {
  using Shape = std::vector<Index>;
  struct LayoutCase {
    CovarianceType type;
    Index n_matrices;
    Index n_rows;
    Index n_columns;
    Index n_parameters;
    Shape array_shape;
  };
  const LayoutCase cases[] = {{CovarianceType::full, 5, 3, 3, 5 * 6, {5, 3, 3}},
                              {CovarianceType::tied, 1, 3, 3, 6, {3, 3}},
                              {CovarianceType::diagonal, 5, 3, 1, 5 * 3, {5, 3}},
                              {CovarianceType::spherical, 5, 1, 1, 5, {5}}};
  ASSERT_EQ(std::size(cases), std::size(EnumNames<CovarianceType>::values));
  for (const LayoutCase& expected : cases) {
    const CovarianceLayout& layout = layout_of(expected.type);
    EXPECT_EQ(layout.type, expected.type);
    EXPECT_EQ(layout.n_matrices(5), expected.n_matrices);
    EXPECT_EQ(layout.position(4), expected.n_matrices - 1);
    EXPECT_EQ(layout.n_rows(3), expected.n_rows);
    EXPECT_EQ(layout.n_columns(3), expected.n_columns);
    EXPECT_EQ(layout.n_parameters(5, 3), expected.n_parameters);
    EXPECT_EQ(layout.array_shape(5, 3), expected.array_shape);
  }
}

TEST(MomentSums, OfBlocksAddUpToThoseOfTheWhole) {
  for (const CovarianceType type : all_covariance_types) {
    const Mixture mixture = random_mixture({.covariance_type = type, .seed = 1});
    const RowMatrix samples = sample(mixture, 3000, 2).samples;
    MomentSums total = moment_sums(mixture, samples.topRows(1000));
    total += moment_sums(mixture, samples.bottomRows(2000));
    const MomentSums whole = moment_sums(mixture, samples);
    EXPECT_EQ(total.n_samples, 3000);
    EXPECT_NEAR(total.log_likelihood, whole.log_likelihood, 1e-9);
    EXPECT_LT(relative_error(total.first, whole.first), 1e-11);
    EXPECT_LT(relative_error(total.second[0], whole.second[0]), 1e-12);
    EXPECT_EQ(total.worst_sample, whole.worst_sample);
    // and give the same next mixture
    EXPECT_LT(mixture_error(next_mixture(mixture, total, 1e-6).mixture,
                            next_mixture(mixture, whole, 1e-6).mixture),
              1e-11);
  }
}

TEST(MomentSums, UnderDifferentMixturesDoNotAdd) {
  const Mixture mixture = random_mixture({.seed = 1});
  const Mixture other = random_mixture({.seed = 2});
  const RowMatrix samples = sample(mixture, 50, 2).samples;
  MomentSums sums = moment_sums(mixture, samples);
  const char* expected = "MomentSums: cannot add sums that were taken under another mixture";
  expect_error<InvalidArgument>([&] { sums += moment_sums(other, samples); }, expected);
  expect_error<InvalidArgument>([&] { sums += MomentSums(); }, expected);
  Mixture wider = mixture;  // equal means do not make it the same mixture
  for (Matrix& covariance : wider.covariances) covariance *= 9.0;
  expect_error<InvalidArgument>([&] { sums += moment_sums(wider, samples); }, expected);
  expect_error<InvalidArgument>(
      [&] { (void)next_mixture(mixture, moment_sums(wider, samples), 1e-6); },
      "next_mixture: sums were not computed with the mixture current");
}

TEST(CovarianceType, NamesReadBack) {
  for (const CovarianceType type : all_covariance_types) {
    EXPECT_EQ(enum_from<CovarianceType>(to_string(type)), type);
  }
  expect_error<InvalidArgument>(
      [] { (void)enum_from<CovarianceType>("round"); },
      "covariance_type: 'round' is unknown, expected 'full', 'tied', 'diagonal' or 'spherical'");
}

// A component whose covariance is nothing but rounding must be symmetric too.
TEST(MomentSums, SecondMomentsAreExactlySymmetric) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    RowMatrix samples(60, 4);
    for (Index i = 0; i < samples.size(); ++i) {
      samples.data()[i] = static_cast<double>(random.below(2));
    }
    const Mixture mixture = random_mixture({.n_components = 5, .n_features = 4, .seed = seed});
    for (const Matrix& second : moment_sums(mixture, samples).second) {
      EXPECT_EQ(second, second.transpose()) << seed;
    }
  }
}

}  // namespace
}  // namespace lbw
