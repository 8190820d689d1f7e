// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/dither.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

using Numbers = std::vector<double>;

DitherCells cells_of(const Vector& column) {
  const SampleView views[] = {column};
  return dither_cells(views).front();
}

/// Every value, repeated this often.
Vector repeated(const Numbers& values, Index count) {
  Vector column(std::ssize(values) * count);
  for (std::size_t i = 0; i < values.size(); ++i) {
    column.segment(static_cast<Index>(i) * count, count).setConstant(values[i]);
  }
  return column;
}

TEST(DitherCells, ReachToTheMidpointsBetweenFewValues) {
  const DitherCells whole = cells_of(repeated({0, 1, 2, 3}, 5));
  EXPECT_EQ(whole.lower, (Numbers{-0.5, 0.5, 1.5, 2.5}));
  EXPECT_EQ(whole.upper, (Numbers{0.5, 1.5, 2.5, 3.5}));
  const DitherCells uneven = cells_of(repeated({0, 1, 2.5, 10}, 5));
  EXPECT_NEAR(uneven.lower[0], -0.981767379525313, 1e-12) << "a quarter of the deviation";
  EXPECT_EQ((Numbers{uneven.lower.begin() + 1, uneven.lower.end()}), (Numbers{0.5, 1.75, 6.25}));
  EXPECT_EQ(uneven.upper, (Numbers{0.5, 1.75, 6.25, 13.75}));
}

TEST(DitherCells, StayNearTheirValueWhereANeighbourIsFarAway) {
  const DitherCells coded = cells_of(repeated({0, 1, 2, 3, 99}, 50));
  EXPECT_EQ(coded.upper[3], 6.0);  // three gaps of 1
  EXPECT_EQ(coded.lower[4], 96.0);
}

// Noise over half of the gap of a rare category would hide the other features.
TEST(DitherCells, ReachAStandardDeviationAtMost) {
  Vector rare = Vector::Zero(10'000);
  rare.head(100).setOnes();
  const double deviation = std::sqrt(0.01 * 0.99);
  const DitherCells cells = cells_of(rare);
  EXPECT_NEAR(cells.upper[0], deviation, 1e-12);
  EXPECT_NEAR(cells.lower[1], 1.0 - deviation, 1e-12);
}

// The spread of the values is the code itself, so a fraction of it says nothing about rounding.
TEST(DitherCells, KeepTheValuesBesideAFrequentCode) {
  for (const double code : {1e9, -1e11}) {
    Random random(4);
    Vector values(4000);
    for (double& value : values) value = random.uniform();
    values.head(300).setConstant(code);
    const DitherCells cells = cells_of(values);
    ASSERT_EQ(cells.lower.size(), 1U) << code;
    EXPECT_LT(cells.lower[0], code);
    EXPECT_GT(cells.upper[0], code);
  }
}

TEST(DitherCells, IgnoreASingleFarValue) {
  Random random(3);
  Vector values(4000);
  for (double& value : values) value = random.normal();
  values[0] = 1e12;  // all others are within 1e-9 of the range
  EXPECT_TRUE(cells_of(values).empty());
}

TEST(DitherCells, AreNoneForContinuousAndConstantFeatures) {
  Random random(1);
  Vector normal(5000);
  for (double& value : normal) value = random.normal();
  EXPECT_TRUE(cells_of(normal).empty());
  EXPECT_TRUE(cells_of(Vector::Ones(100)).empty());
  Vector thin(7);
  thin << 0, 0, 0, 0, 1, 1, 1;  // fewer than four samples per value
  EXPECT_TRUE(cells_of(thin).empty());
}

// The zeros of a column of continuous values are spread outwards, where no other values are.
TEST(DitherCells, SpreadAValueThatManySamplesShareBesideContinuousOnes) {
  Random random(2);
  Vector gain = Vector::Zero(20'000);
  for (Index i = 18'400; i < 20'000; ++i) gain[i] = 100.0 + 1000.0 * random.uniform();
  const DitherCells cells = cells_of(gain);
  ASSERT_EQ(cells.lower.size(), 1U);
  const double mean = gain.mean();
  const double deviation = std::sqrt((gain.array() - mean).square().mean());
  EXPECT_NEAR(cells.lower[0], -0.92 * deviation, 1e-9);
  EXPECT_DOUBLE_EQ(cells.upper[0], gain.tail(1600).minCoeff() / 2);
}

TEST(DitherCells, TakeValuesThatDifferByRoundingForOne) {
  Vector column = repeated({0.3, 1.0}, 10);
  column[0] = 0.1 + 0.2;
  ASSERT_NE(column[0], column[1]);
  EXPECT_EQ(cells_of(column).lower.size(), 2U);
}

TEST(DitherCells, FollowTheUnits) {
  const Vector column = repeated({1, 2, 4, 7}, 6);
  const DitherCells plain = cells_of(column);
  const DitherCells scaled = cells_of(column * 1024.0);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(scaled.lower[i], 1024.0 * plain.lower[i]);
    EXPECT_EQ(scaled.upper[i], 1024.0 * plain.upper[i]);
  }
}

TEST(DitherCells, AreThoseOfAllViewsAlsoWhereEachHasManySamples) {
  const Vector even = repeated({0, 2}, 40'000);
  const Vector odd = repeated({1, 3}, 20);
  const SampleView views[] = {even, odd};
  const DitherCells cells = dither_cells(views, 5).front();
  EXPECT_EQ(cells.lower.size(), 4U);
  EXPECT_EQ(cells.upper[1], 1.5);
}

TEST(Dithered, SpreadsCopiesEvenlyOverTheirCellsAndKeepsTheOrder) {
  const Vector column = repeated({0, 1, 2.5, 10}, 4000);
  const std::vector<DitherCells> cells = {cells_of(column)};
  const RowMatrix moved = dithered(column, cells, 7);
  for (Index i = 0; i < 4; ++i) {
    const auto own = moved.middleRows(4000 * i, 4000);
    const double lower = cells[0].lower[static_cast<std::size_t>(i)];
    const double width = cells[0].upper[static_cast<std::size_t>(i)] - lower;
    EXPECT_GE(own.minCoeff(), lower);
    EXPECT_LE(own.maxCoeff(), lower + width);
    // mean and variance of the uniform distribution, to four standard errors
    const double mean = (own.array() - lower).mean() / width;
    EXPECT_NEAR(mean, 0.5, 4.0 * std::sqrt(1.0 / 12 / 4000));
    EXPECT_NEAR(((own.array() - lower) / width - mean).square().mean(), 1.0 / 12, 0.006);
  }
  const RowMatrix others = dithered(Vector(Vector::Constant(5, 20.0)), cells, 7);
  EXPECT_EQ(others, RowMatrix(RowMatrix::Constant(5, 1, 20.0))) << "outside all cells";
}

TEST(FitTransport, FindsFeaturesOfFewValuesByItself) {
  Random random(3);
  RowMatrix first(300, 2);
  for (Index i = 0; i < 300; ++i) {
    first(i, 0) = static_cast<double>(random.below(3));
    first(i, 1) = random.normal();
  }
  const RowMatrix second = first.array() + 1.0;
  TransportOptions options;
  options.mixture.n_components = 1;
  options.dither = Dither::automatically();
  const Group groups[] = {{"a", first}, {"b", second}};
  const TransportModel model = fit_transport(groups, options);
  ASSERT_EQ(model.dither_cells.size(), 2U);
  EXPECT_EQ(model.dither_cells[0].lower, (Numbers{-0.5, 0.5, 1.5, 2.5}));
  EXPECT_TRUE(model.dither_cells[1].empty());
  const RowMatrix moved = dithered(first, model.dither_cells, model.mixture_options.seed);
  LocalMap map = map_between(model, "a", "b");
  const RowMatrix carried = transport(map, first);
  map.dither_cells.clear();
  EXPECT_EQ(carried, transport(map, moved));
  EXPECT_EQ(transport(map_between(model, "a", "b", 0.0), first), first);
  const Group continuous[] = {{"a", first.rightCols(1)}, {"b", second.rightCols(1)}};
  EXPECT_FALSE(fit_transport(continuous, options).dithers());
}

TEST(Dithered, RefusesCellsThatOverlap) {
  const std::vector<DitherCells> cells = {{{0.0, 1.0}, {1.0, 2.0}}, {{0.0, 0.5}, {1.0, 2.0}}};
  expect_error<InvalidArgument>([&] { (void)dithered(RowMatrix(RowMatrix::Zero(3, 2)), cells, 1); },
                                "dithered: cells of feature 1 has invalid cells, expected finite, "
                                "ascending and disjoint intervals");
}

}  // namespace
}  // namespace lbw
