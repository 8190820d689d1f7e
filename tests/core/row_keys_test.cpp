// SPDX-License-Identifier: MIT
#include "core/row_keys.hpp"

#include <gtest/gtest.h>

#include <lbw/types.hpp>
#include <map>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

using Keys = std::vector<std::uint64_t>;

Keys keys_of(SampleView rows, const Execution& execution = {}) {
  RowKeys keys({}, rows.n_features());
  const auto counted = keys.next(rows, execution);
  return {counted.begin(), counted.end()};
}

/// Rows with few distinct values, so that most occur often.
RowMatrix rows_with_copies(Index n_samples, int n_values, std::uint64_t seed) {
  Random random(seed);
  RowMatrix rows(n_samples, 3);
  for (double& value : rows.reshaped()) {
    value = static_cast<double>(random.below(static_cast<std::uint64_t>(n_values))) - 1.0;
  }
  return rows;
}

/// The definition: the number of equal rows before each row.
Keys numbered(const RowMatrix& rows) {
  std::map<std::vector<double>, std::uint64_t> seen;
  Keys keys;
  for (Index i = 0; i < rows.rows(); ++i) {
    const Vector row = rows.row(i).transpose();
    keys.push_back(seen[{row.begin(), row.end()}]++);
  }
  return keys;
}

// FNV-1a from its definition, computed in Python.
TEST(RowKey, IsTheWholeNumberOrTheDocumentedHash) {
  EXPECT_EQ(row_key("0"), 0U);
  EXPECT_EQ(row_key("42"), 42U);
  EXPECT_EQ(row_key("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(row_key("-1"), 18446744073709551615U);
  EXPECT_EQ(row_key(""), 0xcbf29ce484222325U);
  EXPECT_EQ(row_key("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(row_key("customer-7"), 0x660308ab83c6fdf1U);
  EXPECT_EQ(row_key("M\xc3\xbcller"), 0x83e06783f7b17fdcU);
  EXPECT_EQ(row_key("18446744073709551616"), 0xedf2aa6b38fc416dU) << "too large for 64 bits";
  EXPECT_EQ(row_key("007"), 0x4e7eef181d60f22eU);
  EXPECT_EQ(row_key("7.0"), 0x352c6d180f395948U);
  EXPECT_EQ(row_key("+7"), 0x7e49107b4a95de7U);
  EXPECT_EQ(row_key(" 7"), 0x7c59107b48ead58U);
  EXPECT_EQ(row_key("-0"), 0x7d00a07b497cf78U);
}

TEST(RowKeys, NumberEqualRowsInTheirOrder) {
  for (const int n_values : {2, 5, 40}) {
    const RowMatrix rows = rows_with_copies(3000, n_values, 1);
    EXPECT_EQ(keys_of(rows), numbered(rows)) << n_values;
  }
}

TEST(RowKeys, AreTheSameAtAnyNumberOfThreadsAndBatchSizes) {
  const RowMatrix rows = rows_with_copies(300'000, 60, 2);
  const Keys all = keys_of(rows, {.n_threads = 1});
  EXPECT_EQ(keys_of(rows, {.n_threads = 3}), all);
  RowKeys keys({}, 3);
  Keys in_batches;
  for (Index first = 0; first < rows.rows(); first += 70'001) {
    const Index count = std::min<Index>(70'001, rows.rows() - first);
    const auto own = keys.next(SampleView(rows).rows(first, count), {});
    in_batches.insert(in_batches.end(), own.begin(), own.end());
  }
  EXPECT_EQ(in_batches, all);
}

TEST(RowKeys, SeeValuesNotTypesAndOneZero) {
  const RowMatrix doubles{{0.0, 1.5}, {-0.0, 1.5}, {0.5, 1.5}};
  EXPECT_EQ(keys_of(doubles), (Keys{0, 1, 0}));
  const RowMatrixF floats = doubles.cast<float>();
  EXPECT_EQ(keys_of(floats), (Keys{0, 1, 0}));
}

TEST(RowKeys, AreZeroForDistinctRows) {
  Random random(3);
  RowMatrix rows(50'000, 2);
  for (double& value : rows.reshaped()) value = random.normal();
  EXPECT_EQ(keys_of(rows), Keys(50'000, 0));
}

// Memory is bounded: further distinct rows have key 0, and known rows are still counted.
TEST(RowKeys, NumberAboutTheFirstMillionDistinctRowsOnly) {
  const Index n = 3 * static_cast<Index>(most_numbered_rows) / 2;
  Vector rows(n + 4);
  for (Index i = 0; i < n; ++i) rows[i] = static_cast<double>(i);
  rows.tail(4) << 0.0, 0.0, static_cast<double>(n - 1), static_cast<double>(n - 1);
  const Keys keys = keys_of(rows);
  EXPECT_EQ((Keys{keys.end() - 4, keys.end()}), (Keys{1, 2, 0, 0}));
}

TEST(RowKeys, ForDitherDifferBetweenCallsOfOtherRows) {
  const RowMatrix rows = rows_with_copies(5000, 3, 4);
  const std::uint64_t all = fingerprint(rows, {.n_threads = 1});
  EXPECT_EQ(fingerprint(rows, {.n_threads = 3}), all);
  EXPECT_EQ(fingerprint(RowMatrix(rows.colwise().reverse()), {}), all) << "in any order";
  EXPECT_NE(fingerprint(rows.topRows(4999), {}), all);
  RowKeys keys = keys_for_dither({}, rows, {});
  const auto counted = keys.next(rows, {});
  const Keys numbers = numbered(rows);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(counted[i], all + numbers[i]);
  const Keys given(5000, 9);
  EXPECT_EQ(keys_for_dither(given, rows, {}).next(rows, {})[7], 9U);
}

TEST(RowKeys, AreThoseGiven) {
  const Keys given{7, 8, 9};
  RowKeys keys(given, 1);
  const Vector rows = Vector::Zero(3);
  const auto first = keys.next(SampleView(rows).rows(0, 2), {});
  EXPECT_EQ((Keys{first.begin(), first.end()}), (Keys{7, 8}));
  const auto last = keys.next(SampleView(rows).rows(2, 1), {});
  EXPECT_EQ((Keys{last.begin(), last.end()}), (Keys{9}));
  expect_error<InvalidArgument>(
      [&] { check_keys(given, 4, "transport", "keys"); },
      "transport: keys has 3 entries for 4 samples; provide one per sample, or none");
}

}  // namespace
}  // namespace lbw
