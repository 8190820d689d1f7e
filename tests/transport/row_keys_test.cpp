// SPDX-License-Identifier: MIT
// Draws by keys in maps and fits.
#include <gtest/gtest.h>

#include <lbw/transport.hpp>
#include <lbw/types.hpp>

#include "core/row_keys.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

using Keys = std::vector<std::uint64_t>;

/// From a normal distribution of two features to one of two places, with probabilities .3 and .7.
LocalMap forked_map() {
  const Vector zero = Vector::Zero(2);
  const Mixture source{
      CovarianceType::full, Vector::Ones(1), RowMatrix::Zero(1, 2), {Matrix::Identity(2, 2)}};
  const Matrix identity = Matrix::Identity(2, 2);
  return {source,
          {{0, 0.3, {zero, identity, Vector::Constant(2, 10.0)}},
           {0, 0.7, {zero, identity, Vector::Constant(2, -10.0)}}},
          MapKind::random,
          3};
}

RowMatrix booleans(Index n_samples, double probability, std::uint64_t seed) {
  Random random(seed);
  RowMatrix table(n_samples, 2);
  for (double& value : table.reshaped()) value = random.uniform() < probability ? 1.0 : 0.0;
  return table;
}

Keys numbered(SampleView rows, bool dithers = false) {
  RowKeys keys = dithers ? keys_for_dither({}, rows, {}) : RowKeys({}, rows.n_features());
  const auto counted = keys.next(rows, {});
  return {counted.begin(), counted.end()};
}

TEST(Transport, SplitsCopiesOfOnePointByTheSharesOfThePieces) {
  const LocalMap map = forked_map();
  constexpr Index n = 20'000;
  const RowMatrix carried = transport(map, RowMatrix(RowMatrix::Constant(n, 2, 0.5)));
  const auto up = static_cast<double>((carried.col(0).array() > 0.0).count());
  EXPECT_NEAR(up / n, 0.3, 4.0 * std::sqrt(0.21 / n));
}

TEST(Transport, TakesARowByItsKeyInAnyCall) {
  const LocalMap map = forked_map();
  const RowMatrix table = booleans(200, 0.4, 1);
  const Keys keys = numbered(table);
  const RowMatrix carried = transport(map, table);
  EXPECT_EQ(transport(map, table, {}, keys), carried);
  for (Index i = 0; i < table.rows(); ++i) {
    const Keys own{keys[static_cast<std::size_t>(i)]};
    EXPECT_EQ(transport(map, table.middleRows(i, 1), {}, own), carried.row(i));
  }
  EXPECT_NE(transport(map, table, {}, Keys(200, 0)), carried) << "copies go together by one key";
  Keys others(200);
  for (std::size_t i = 0; i < 200; ++i) others[i] = row_key("customer " + std::to_string(i));
  EXPECT_NE(transport(map, table, {}, others), carried);
}

TEST(Transport, NumbersCopiesAlikeInBatchesInPlaceAndOnAnyThreads) {
  const LocalMap map = forked_map();
  RowMatrix table = booleans(1'200'000, 0.4, 2);  // two batches
  const RowMatrix carried = transport(map, table, {.n_threads = 1});
  EXPECT_EQ(transport(map, table, {.n_threads = 3}), carried);
  Index first = 0;
  Index n_batches = 0;
  const auto take = [&](const RowMatrix& batch) {
    EXPECT_EQ(batch, carried.middleRows(first, batch.rows()));
    first += batch.rows();
    ++n_batches;
  };
  transport_in_batches(map, table, take);
  EXPECT_GT(n_batches, 1);
  first = 0;
  transport_in_batches(map, table, take, {}, numbered(table));
  const RowMatrixF floats = table.cast<float>();
  EXPECT_EQ(transport(map, floats), carried);
  transport_into(map, table, table);
  EXPECT_EQ(table, carried);
}

TEST(Transport, RefusesKeysOfAnotherNumber) {
  const Keys keys{1, 2};
  expect_error<InvalidArgument>(
      [&] { (void)transport(forked_map(), RowMatrix(RowMatrix::Zero(3, 2)), {}, keys); },
      "transport: keys has 2 entries for 3 samples; provide one per sample, or none");
}

TransportModel dithered_fit(std::span<const Group> groups, int refine) {
  TransportOptions options;
  options.mixture.n_components = 1;
  options.dither = Dither::automatically();
  options.refine = refine;
  return fit_transport(groups, options);
}

bool same_fit(const TransportModel& left, const TransportModel& right) {
  const auto& tables = left.refinement.steps.front().tables;
  return left.mixtures[0].covariances[0] == right.mixtures[0].covariances[0] &&
         tables[0][0].values == right.refinement.steps.front().tables[0][0].values;
}

// The second size is that of a group whose refinement uses a subsample.
TEST(FitTransport, DrawsByTheKeysOfTheGroups) {
  for (const Index n : {500, 70'000}) {
    const RowMatrix first = booleans(n, 0.3, 3);
    const RowMatrix second = booleans(n, 0.6, 4);
    const Group plain[] = {{"a", first}, {"b", second}};
    const TransportModel model = dithered_fit(plain, 1);
    const Keys first_keys = numbered(first, true);
    const Keys second_keys = numbered(second, true);
    const Group keyed[] = {{"a", first, {}, first_keys}, {"b", second, {}, second_keys}};
    EXPECT_TRUE(same_fit(dithered_fit(keyed, 1), model)) << n;
    const Keys zeros(static_cast<std::size_t>(n), 0);
    const Group alike[] = {{"a", first, {}, zeros}, {"b", second, {}, zeros}};
    EXPECT_FALSE(same_fit(dithered_fit(alike, 1), model)) << n;
  }
  const RowMatrix rows = booleans(20, 0.5, 1);
  const Keys few{1};
  const Group groups[] = {{"a", rows, {}, few}, {"b", rows}};
  expect_error<InvalidArgument>([&] { (void)dithered_fit(groups, 0); },
                                "fit_transport: keys of group 'a' has 1 entry for 20 samples; "
                                "provide one per sample, or none");
}

}  // namespace
}  // namespace lbw
