// SPDX-License-Identifier: MIT
#include "transport/refinement.hpp"

#include <gtest/gtest.h>

#include <lbw/types.hpp>
#include <limits>

#include "support/expect_error.hpp"
#include "support/refined_groups.hpp"

namespace lbw {
namespace {

/// Fitted once for all tests.
const TransportModel& refined_model() {
  static const TransportModel model =
      fit_transport(TwoArcs(400, 300).groups(), refine_options(3, 2));
  return model;
}

TEST(RefinedMap, TakesTheStepsAfterThePieces) {
  const TransportModel& model = refined_model();
  const RowMatrix points = arc(500, 3.0, 5);
  LocalMap map = map_to_barycenter(model, "a", halves);
  ASSERT_EQ(map.refinement.size(), 3U);
  const RowMatrix carried = transport(map, points);
  LocalMap pieces = map;
  pieces.refinement.clear();
  RowMatrix expected = transport(pieces, points);
  // the definition, step by step
  for (const SlicedStep& step : map.refinement) {
    ASSERT_EQ(step.scales.size(), 2);
    RowMatrix turned =
        expected * step.scales.cwiseInverse().asDiagonal() * step.rotation.transpose();
    for (Index f = 0; f < 2; ++f) {
      const Vector axis = turned.col(f);
      turned.col(f) = apply_quantile_map(step.axes[static_cast<std::size_t>(f)],
                                         {axis.data(), static_cast<std::size_t>(axis.size())});
    }
    expected = turned * step.rotation * step.scales.asDiagonal();
  }
  EXPECT_LT((carried - expected).cwiseAbs().maxCoeff(), 1e-10);  // sums in another order
}

// Files of earlier versions have neither scales nor shrinkage.
TEST(RefinedMap, LeadsToTheMidQuantileOfTheTablesWithoutShrinkage) {
  TransportModel model = refined_model();
  model.refinement.scales = {};
  model.refinement.sample_counts.clear();
  for (RefinementStep& step : model.refinement.steps) step.shrinkage.clear();
  const LocalMap map = map_to_barycenter(model, "b", halves);
  const auto& tables = model.refinement.steps[1].tables;
  EXPECT_EQ(map.refinement[1].axes[0].source.values, tables[1][0].values);
  EXPECT_EQ(map.refinement[1].axes[0].target.values,
            0.5 * tables[0][0].values + 0.5 * tables[1][0].values);
}

TEST(RefinedMap, InterpolatesLinearly) {
  const RowMatrix points = arc(300, 3.0, 6);
  const RowMatrix whole = transport(map_to_barycenter(refined_model(), "a", halves), points);
  for (const double amount : {0.0, 0.3, 1.0}) {
    const RowMatrix part =
        transport(map_to_barycenter(refined_model(), "a", halves, amount), points);
    EXPECT_LT((part - (1.0 - amount) * points - amount * whole).cwiseAbs().maxCoeff(), 1e-14);
  }
  EXPECT_EQ(transport(map_to_barycenter(refined_model(), "a", halves, 0.0), points), points);
}

TEST(RefinedMap, GivesTheSameBitsInAnyBatchThreadCountAndPlace) {
  const RowMatrix points = arc(1'100'000, 3.0, 7);  // more than a batch
  for (const double amount : {1.0, 0.4}) {
    const LocalMap map = map_to_barycenter(refined_model(), "a", halves, amount);
    const RowMatrix whole = transport(map, points, {.n_threads = 1});
    EXPECT_EQ(transport(map, points, {.n_threads = 5}), whole);
    RowMatrix in_place = points;
    transport_into(map, in_place, in_place, {.n_threads = 2});
    EXPECT_EQ(in_place, whole);
    Index n_done = 0;
    int n_batches = 0;
    transport_in_batches(map, points, [&](const RowMatrix& carried) {
      EXPECT_EQ(carried, whole.middleRows(n_done, carried.rows()));
      n_done += carried.rows();
      ++n_batches;
    });
    EXPECT_EQ(n_done, points.rows());
    EXPECT_GT(n_batches, 1);
  }
}

TEST(RefinedMap, TransportsASinglePointAsInABatch) {
  const RowMatrix points = arc(2000, 3.0, 8);
  const LocalMap map = map_to_barycenter(refined_model(), "a", halves);
  const RowMatrix carried = transport(map, points);
  const RowMatrixF floats = points.topRows(50).cast<float>();
  const RowMatrix widened = floats.cast<double>();
  EXPECT_EQ(transport(map, floats), transport(map, widened));
  for (Index i = 0; i < 2000; i += 97) {
    const RowMatrix alone = points.row(i);
    EXPECT_LT((transport(map, alone) - carried.row(i)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(RefinedMap, TakesPointsFarOutside) {
  RowMatrix points(3, 2);
  points << 1e6, -1e6, -1e6, 1e6, 1e50, 1e50;
  const LocalMap map = map_to_barycenter(refined_model(), "a", halves);
  LocalMap pieces = map;
  pieces.refinement.clear();
  const RowMatrix carried = transport(map, points);
  const RowMatrix before = transport(pieces, points);
  ASSERT_TRUE(carried.allFinite());
  // up to rounding, steps move them no further than they move the groups
  EXPECT_LT((carried - before).topRows(2).cwiseAbs().maxCoeff(), 10.0);
}

TEST(RefinedMap, NamesTheRowOfABadValueInAnyBatch) {
  RowMatrix points = arc(1'100'000, 3.0, 9);
  points(1'090'000, 1) = std::numeric_limits<double>::infinity();
  const LocalMap map = map_to_barycenter(refined_model(), "a", halves);
  expect_error<InvalidArgument>([&] { (void)transport(map, points); },
                                "transport: samples contains inf at row 1090000, column 1 (counted "
                                "from 0), expected finite values");
}

TEST(RefinedMap, IsRefusedForOtherWeights) {
  const TransportModel& model = refined_model();
  expect_error<InvalidArgument>(
      [&] {
        (void)map_to_barycenter(model, "a", std::vector<double>{0.75, 0.25});
      },
      "map_to_barycenter: barycentric_weights are 0.75, 0.25, but the model was refined for 0.5, "
      "0.5; fit with these refine_weights, or with refine = 0");
  EXPECT_NO_THROW((void)map_to_barycenter(model, "a", std::vector<double>{0.5 + 1e-12, 0.5}));
  TransportOptions options = refine_options(2);
  options.refine_weights = {0.75, 0.25};
  const TwoArcs data(400, 300);
  const TransportModel other = fit_transport(data.groups(), options);
  EXPECT_NO_THROW((void)map_to_barycenter(other, "a", std::vector<double>{0.75, 0.25}));
}

TEST(RefinedMap, HasNoEffectBetweenGroups) {
  TransportModel plain = refined_model();
  plain.refinement = {};
  const RowMatrix points = arc(300, 3.0, 10);
  EXPECT_EQ(transport(map_between(refined_model(), "a", "b"), points),
            transport(map_between(plain, "a", "b"), points));
}

TEST(CheckRefinement, NamesWhatIsWrong) {
  const auto refused = [](auto change, const char* expected_message) {
    TransportModel model = refined_model();
    change(model.refinement);
    expect_error<InvalidArgument>([&] { check_model(model, "f"); }, expected_message);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([](Refinement& r) { r.barycentric_weights.pop_back(); },
          "f: the refinement's barycentric_weights has 1 entry, expected 2");
  refused([](Refinement& r) { r.steps[1].rotation.resize(3, 2); },
          "f: the rotation of step 1 is 3 x 2, expected 2 x 2");
  refused([](Refinement& r) { r.steps[1].rotation = 2.0 * Matrix::Identity(2, 2); },
          "f: the rotation of step 1 is not orthogonal: its product with its transpose differs "
          "from the identity by 3, expected at most 1e-9");
  refused([&](Refinement& r) { r.steps[0].rotation(0, 1) = nan; },
          "f: the rotation of step 0 is not orthogonal: its product with its transpose differs "
          "from the identity by nan, expected at most 1e-9");
  refused([](Refinement& r) { r.scales.resize(1); },
          "f: the refinement's scales has 1 entry, expected 2");
  refused([](Refinement& r) { r.scales[1] = 0.0; },
          "f: the refinement's scales has the value 0, expected numbers from 1e-300 to 1e300");
  refused([](Refinement& r) { r.sample_counts[0] = -1.0; },
          "f: the refinement's sample_counts has the value -1, expected numbers from 0 to 1e300");
  refused(
      [](Refinement& r) { r.sample_counts[0] = 0.0; },
      "f: the refinement's sample_counts is 0 for the group 'a', expected a positive number, as "
      "the group is not one of kept_groups");
  refused([](Refinement& r) { r.sample_counts.clear(); },
          "f: the shrinkage of step 0 has 2 entries, expected 0");
  refused([](Refinement& r) { r.steps[1].shrinkage[1] = 1.5; },
          "f: the shrinkage of step 1 has the value 1.5, expected numbers from 0 to 1");
  refused([](Refinement& r) { r.steps[0].tables.pop_back(); },
          "f: step 0 of the refinement has tables of 1 group, the model has 2");
  refused([](Refinement& r) { r.steps[2].tables[1].pop_back(); },
          "f: step 2 of the refinement has 1 table of group 'b', expected one for each of 2 "
          "features");
  refused(
      [](Refinement& r) {
        r.steps[1].tables[0][1].values = Vector{{1.0, 0.0}};
      },
      "f: the table of step 1, group 'a', axis 1 decreases from 1 to 0 at level 1, expected "
      "non-decreasing values");
  refused(
      [](Refinement& r) {
        r.steps[1].tables[0][1].values = Vector{{0.0, 1.0}};
      },
      "f: the table of step 1, group 'a', axis 1 has 2 levels, the first has 257");
}

TEST(CheckSlicedSteps, NameWhatIsWrong) {
  const RowMatrix points = arc(10, 3.0, 11);
  const auto refused = [&](auto change, const char* expected_message) {
    LocalMap map = map_to_barycenter(refined_model(), "a", halves);
    change(map);
    expect_error<InvalidArgument>([&] { (void)transport(map, points); }, expected_message);
  };
  refused([](LocalMap& map) { map.refinement[1].rotation.resize(1, 1); },
          "transport: map.refinement[1].rotation is 1 x 1, expected 2 x 2");
  refused([](LocalMap& map) { map.refinement[1].axes.pop_back(); },
          "transport: map.refinement[1].axes has 1 entry for 2 features, expected one per feature");
  refused([](LocalMap& map) { map.refinement[1].scales.resize(3); },
          "transport: map.refinement[1].scales has 3 entries, expected 2");
  refused([](LocalMap& map) { map.refinement[0].axes[1].amount = 2.0; },
          "transport: map.refinement[0].axes[1].amount is 2, expected a number from 0 to 1");
  refused([](LocalMap& map) { map.amount = -1.0; },
          "transport: map.amount is -1, expected a number from 0 to 1");
}

}  // namespace
}  // namespace lbw
