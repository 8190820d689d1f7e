// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/sample_source.hpp>

#include "mixture/holdout.hpp"
#include "mixture/noisy_rows.hpp"
#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

const Mixture one_mixture = random_mixture({.seed = 2});
const RowMatrix all_rows = sample(one_mixture, 3000, 1).samples;

MomentSums block(const SumsRequest& request, Index first, Index last) {
  return moment_sums(request, SampleView(all_rows).rows(first, last - first), {}, first);
}

TEST(RowBlocks, AddUpInAnyGroupingThatKeepsTheOrder) {
  const SumsRequest request{.mixture = one_mixture};
  MomentSums left = block(request, 0, 1000);
  left += block(request, 1000, 1700);
  left += block(request, 1700, 3000);
  MomentSums tail = block(request, 1000, 1700);
  tail += block(request, 1700, 3000);
  MomentSums right = block(request, 0, 1000);
  right += tail;
  const MomentSums whole = block(request, 0, 3000);
  for (const MomentSums& sums : {left, right}) {
    EXPECT_EQ(sums.n_samples, 3000);
    EXPECT_EQ(sums.worst_sample, whole.worst_sample);
    // 3000 additions in another order
    EXPECT_NEAR(sums.log_likelihood / whole.log_likelihood, 1.0, 3000 * 1e-16);
    EXPECT_TRUE(sums.first.isApprox(whole.first, 1e-12));
    EXPECT_TRUE(sums.second[0].isApprox(whole.second[0], 1e-12));
  }
}

TEST(RowBlocks, KeepTheRowsOfAPart) {
  const Holdout holdout({all_rows, {}}, 9);
  const std::span<const double> fitted = holdout.fitted().weights;
  std::vector<double> held_out;
  for (const double weight : fitted) held_out.push_back(1.0 - weight);
  for (const RowPart part : {RowPart::fitted, RowPart::held_out}) {
    const SumsRequest request{.mixture = one_mixture, .part = part, .seed = 9};
    MomentSums sums = block(request, 0, 1234);  // in the middle of five rows
    sums += block(request, 1234, 3000);
    const MomentSums expected =
        moment_sums(one_mixture, all_rows, part == RowPart::fitted ? fitted : held_out);
    EXPECT_EQ(sums.n_samples, expected.n_samples);
    EXPECT_EQ(sums.weight, expected.weight);
    EXPECT_NEAR(sums.log_likelihood / expected.log_likelihood, 1.0, 1e-12);
  }
}

TEST(RowBlocks, TellWhichRowsAreHeldOut) {
  const Holdout holdout({all_rows, {}}, 9);
  const std::span<const double> fitted = holdout.fitted().weights;
  const std::vector<bool> flags = held_out_rows(1234, 100, 9);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(flags[i], fitted[1234 + i] == 0.0);
}

TEST(RowBlocks, MayHaveNoWeight) {
  const std::vector<double> none(10, 0.0);
  const MomentSums sums =
      moment_sums(SumsRequest{.mixture = one_mixture}, SampleView(all_rows).rows(0, 10), none, 0);
  EXPECT_EQ(sums.n_samples, 0);
  EXPECT_EQ(sums.weight, 0.0);
}

TEST(RowBlocks, AddNoiseByTheIndexOfARow) {
  SumsRequest request{.mixture = one_mixture};
  request.noise.seed = 3;
  request.noise.widths = Vector::Ones(2);
  std::vector<Index> indices;
  for (Index i = 0; i < 3000; ++i) indices.push_back(i);
  const RowMatrix noisy = noisy_rows(all_rows, request.noise, indices, {});
  EXPECT_LE((noisy - all_rows).cwiseAbs().maxCoeff(), 0.5);
  EXPECT_GT((noisy - all_rows).cwiseAbs().minCoeff(), 0.0);
  MomentSums sums = block(request, 0, 777);
  sums += block(request, 777, 3000);
  const MomentSums expected = moment_sums(one_mixture, noisy);
  EXPECT_NEAR(sums.log_likelihood / expected.log_likelihood, 1.0, 1e-12);
  EXPECT_TRUE(sums.first.isApprox(expected.first, 1e-10));
}

TEST(RowBlocks, RefuseInvalidNoise) {
  SumsRequest request{.mixture = one_mixture};
  request.noise.widths = Vector::Ones(3);
  expect_error<InvalidArgument>(
      [&] { (void)block(request, 0, 10); },
      "moment_sums: noise has 3 widths and cells of 0 features, expected one kind for each of 2 "
      "features");
  request.noise.widths = Vector::Constant(2, -1.0);
  expect_error<InvalidArgument>(
      [&] { (void)block(request, 0, 10); },
      "moment_sums: noise has an invalid width, expected finite numbers >= 0");
  request.noise.widths = {};
  const RowNoise::Cells overlapping{{0.0, 0.5}, {1.0, 2.0}};
  const RowNoise::Cells unequal{{0.0, 1.0}, {0.5}};
  for (const RowNoise::Cells& invalid : {overlapping, unequal}) {
    request.noise.cells = {invalid, {}};
    expect_error<InvalidArgument>(
        [&] { (void)block(request, 0, 10); },
        "moment_sums: noise has invalid cells, expected finite, ascending and disjoint intervals");
  }
}

}  // namespace
}  // namespace lbw
