// SPDX-License-Identifier: MIT
// Temporaries in structs of views. The address sanitizer reports a view that does not own them.
#include <gtest/gtest.h>

#include <array>
#include <lbw/io.hpp>
#include <lbw/quantile.hpp>
#include <lbw/samples.hpp>
#include <lbw/transport.hpp>
#include <span>
#include <sstream>
#include <type_traits>
#include <vector>

namespace lbw {
namespace {

template <typename Samples>
concept GivesSamples = requires(Samples samples) {
  std::forward<Samples>(samples).samples();
};
static_assert(GivesSamples<const NpySamples&>);
static_assert(!GivesSamples<NpySamples>);  // the temporary ends with the statement
static_assert(!std::is_constructible_v<HeldSamples, Labels>);
static_assert(!std::is_constructible_v<HeldSpan<double>, std::vector<float>>);

RowMatrix counted(Index n) {
  return Vector::LinSpaced(4 * n, 1.0, 4.0 * static_cast<double>(n))
      .reshaped<Eigen::RowMajor>(n, 4);
}

Table table_of(const std::string& text) {
  std::istringstream input(text);
  return read_csv(input, "text");
}

bool is_inside(const double* place, const RowMatrix& matrix) {
  return place >= matrix.data() && place < matrix.data() + matrix.size();
}

TEST(HeldSamples, AreViewedIfTheyAreNotTemporary) {
  const RowMatrix points = counted(3);
  EXPECT_EQ(HeldSamples(points).doubles(), points.data());
  const auto block = points.topRows(2);
  EXPECT_EQ(HeldSamples(block).doubles(), points.data());
  EXPECT_EQ(HeldSamples(SampleView(points.bottomRows(1))).doubles(), points.data() + 8);
  EXPECT_EQ(HeldSamples(Eigen::Map<const RowMatrix>(points.data(), 2, 2)).doubles(), points.data());
}

TEST(HeldSamples, AreKeptIfTheyAreTemporary) {
  RowMatrix points = counted(3);
  const double* memory = points.data();
  const HeldSamples moved = std::move(points);
  EXPECT_EQ(moved.doubles(), memory);  // no copy
  points = counted(3);
  const HeldSamples block = points.rightCols(2);  // might belong to a temporary
  EXPECT_FALSE(is_inside(block.doubles(), points));
  EXPECT_EQ(block(2, 1), 12.0);
  const HeldSamples expression = 2.0 * points;
  EXPECT_EQ(expression(0, 1), 4.0);
  const HeldSamples columns = Matrix(points);
  EXPECT_EQ(columns(1, 0), 5.0);
  const HeldSamples floats = RowMatrixF(points.cast<float>());
  EXPECT_TRUE(floats.is_float());
  EXPECT_EQ(floats(2, 3), 12.0);
}

TEST(Group, KeepsTheTableItIsGiven) {
  std::vector<Group> groups = {Group{"ring", table_of("1,2\n3,4\n").values}};
  groups.push_back({"oval", table_of("5,6\n7,8\n").values.leftCols(1), std::vector<double>{2, 3}});
  const std::vector<Group> copies = groups;
  groups.clear();
  const std::vector<double> reuse(4, -1.0);  // may reuse the memory if nothing owns it
  EXPECT_EQ(copies[0].samples(1, 0), 3.0);
  EXPECT_EQ(copies[1].samples(1, 0), 7.0);
  EXPECT_EQ(copies[1].sample_weights[1], 3.0);
}

TEST(HeldSpan, KeepsTemporariesAndViewsTheRest) {
  const std::vector<double> named = {1, 2, 3};
  EXPECT_EQ(HeldSpan<double>(named).data(), named.data());
  EXPECT_EQ(HeldSpan<double>(std::span(named).last(1)).data(), named.data() + 2);
  const Vector vector{{4, 5}};
  EXPECT_EQ(HeldSpan<double>(vector).data(), vector.data());
  const QuantileGroup group{std::vector<double>{6, 7, 8}, Vector{{1, 2, 3}}};
  const std::vector<double> reuse(3, -1.0);
  EXPECT_EQ(group.values[2], 8.0);
  EXPECT_EQ(group.sample_weights[2], 3.0);
  EXPECT_TRUE(QuantileGroup{named}.sample_weights.empty());
}

}  // namespace
}  // namespace lbw
