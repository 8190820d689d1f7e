// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/dither.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

using Keys = std::vector<std::uint64_t>;

/// Integers from 0 to 4, 0 or 1, the same standardised, and a distinct number in every row.
RowMatrix mixed_table(Index n_samples, std::uint64_t seed) {
  Random random(seed);
  RowMatrix table(n_samples, 4);
  for (Index i = 0; i < n_samples; ++i) {
    table(i, 0) = static_cast<double>(random.below(5));
    table(i, 1) = random.uniform() < 0.3 ? 1.0 : 0.0;
    table(i, 2) = (table(i, 1) - 0.3) / 0.458257569;
    table(i, 3) = random.normal();
  }
  return table;
}

Vector steps_of(const RowMatrix& table) {
  const SampleView views[] = {table};
  return grid_steps(views);
}

TEST(GridSteps, AreThoseOfWholeNumbersAndCategoriesAlsoScaled) {
  const Vector steps = steps_of(mixed_table(200, 1));
  EXPECT_EQ(steps[0], 1.0);
  EXPECT_EQ(steps[1], 1.0);
  EXPECT_NEAR(steps[2], 1.0 / 0.458257569, 1e-12);
  EXPECT_EQ(steps[3], 0.0);
}

TEST(GridSteps, LookAtAllViewsTogether) {
  const RowMatrix even = RowMatrix::Constant(4, 1, 2.0);
  const RowMatrix odd = RowMatrix::Constant(4, 1, 3.0);
  const SampleView views[] = {even, odd};
  EXPECT_EQ(grid_steps(views)[0], 1.0);
  EXPECT_EQ(steps_of(even)[0], 0.0) << "one value is no grid";
}

TEST(GridSteps, NeedFourSamplesAValueAndEqualSteps) {
  RowMatrix column(8, 1);
  column << 0, 0, 0, 0, 1, 1, 1, 1;
  EXPECT_EQ(steps_of(column)[0], 1.0);
  EXPECT_EQ(steps_of(column.topRows(7))[0], 0.0);
  RowMatrix uneven(12, 1);
  uneven << 0, 0, 0, 0, 1, 1, 1, 1, 2.5, 2.5, 2.5, 2.5;
  EXPECT_EQ(steps_of(uneven)[0], 0.0);
  uneven.bottomRows(4).setConstant(7.0);
  EXPECT_EQ(steps_of(uneven)[0], 1.0);
}

TEST(Dithered, MovesByLessThanHalfAWidthEvenlyAndLeavesOthersAlone) {
  const RowMatrix table = mixed_table(20'000, 2);
  const RowMatrix moved = dithered(table, Vector{{1.0, 0.5, 0.0, 0.0}}, 3);
  EXPECT_EQ(moved.rightCols(2), table.rightCols(2));
  const RowMatrix noise = moved - table;
  for (Index f = 0; f < 2; ++f) {
    const double width = f == 0 ? 1.0 : 0.5;
    EXPECT_LE(noise.col(f).maxCoeff(), width / 2);
    EXPECT_GE(noise.col(f).minCoeff(), -width / 2);
    // standard errors of mean and variance of 20000 uniform numbers, times five
    EXPECT_NEAR(noise.col(f).mean(), 0.0, 5 * width * 0.289 / 141.0);
    EXPECT_NEAR(noise.col(f).squaredNorm() / 20'000, width * width / 12,
                5 * width * width * 0.0745 / 141.0);
  }
  EXPECT_LT(std::abs(noise.col(0).dot(noise.col(1))) / 20'000, 5 * 0.5 / 12 / 141.0);
}

TEST(Dithered, IsAFunctionOfSeedPointAndKeyAlone) {
  const RowMatrix table = mixed_table(3000, 4);
  const Vector widths{{1.0, 1.0, 0.0, 0.0}};
  const Keys keys(3000, 9);
  const RowMatrix moved = dithered(table, widths, 5, {.n_threads = 1}, keys);
  EXPECT_EQ(dithered(table, widths, 5, {.n_threads = 3}, keys), moved);
  EXPECT_EQ(dithered(RowMatrix(table.colwise().reverse()), widths, 5, {}, keys),
            RowMatrix(moved.colwise().reverse()));
  EXPECT_EQ(dithered(table.bottomRows(7), widths, 5, {}, Keys(7, 9)), moved.bottomRows(7));
  EXPECT_NE(dithered(table, widths, 6, {}, keys), moved);
  EXPECT_NE(dithered(table, widths, 5, {}, Keys(3000, 8)), moved);
}

// Without keys, a training and a test set with equal rows get different noise.
TEST(Dithered, DependsOnAllRowsOfTheCallWithoutKeys) {
  const RowMatrix table = mixed_table(3000, 4);
  const Vector widths{{1.0, 1.0, 0.0, 0.0}};
  const RowMatrix moved = dithered(table, widths, 5);
  EXPECT_EQ(dithered(table, widths, 5, {.n_threads = 3}), moved);
  EXPECT_EQ(dithered(RowMatrix(table.colwise().reverse()), widths, 5),
            RowMatrix(moved.colwise().reverse()));
  const RowMatrix others = dithered(table.bottomRows(7), widths, 5);
  EXPECT_TRUE((others.leftCols(2).array() != moved.bottomLeftCorner(7, 2).array()).all());
  const RowMatrixF floats = table.cast<float>();
  EXPECT_EQ(dithered(floats, widths, 5), dithered(RowMatrix(floats.cast<double>()), widths, 5));
}

TransportModel dithered_model(double dither, int refine = 0) {
  static const RowMatrix first = mixed_table(600, 7);
  static const RowMatrix second =
      (mixed_table(500, 8).array() * 2.0 + 1.0).matrix();  // grids with other steps
  TransportOptions options;
  options.mixture.n_components = 2;
  options.mixture.covariance_floor = 1e-3;
  options.dither = dither;
  options.refine = refine;
  const Group groups[] = {{"a", first}, {"b", second}};
  return fit_transport(groups, options);
}

TEST(FitTransport, DithersByTheStepsOfAllGroups) {
  EXPECT_EQ(dithered_model(0.0).dither.size(), 0);
  const TransportModel model = dithered_model(0.5);
  EXPECT_EQ(model.dither[0], 0.5);
  EXPECT_EQ(model.dither[1], 0.5);
  EXPECT_EQ(model.dither[3], 0.0);
  // uniform noise of width w adds w^2 / 12 to a variance
  const auto variance = [](const TransportModel& fitted, Index feature) {
    const Mixture& mixture = fitted.mixtures[0];
    double mean = 0.0;
    double square = 0.0;
    for (Index i = 0; i < mixture.n_components(); ++i) {
      const Gaussian part = mixture.component(i);
      mean += mixture.weights[i] * part.mean[feature];
      square += mixture.weights[i] *
                (part.covariance(feature, feature) + part.mean[feature] * part.mean[feature]);
    }
    return square - mean * mean;
  };
  EXPECT_NEAR(variance(model, 0), variance(dithered_model(0.0), 0) + 0.25 / 12, 0.03);
  EXPECT_NE(variance(model, 0), variance(dithered_model(0.0), 0));
}

TEST(Transport, OfADitheredModelTransportsDitheredSamples) {
  for (const int refine : {0, 2}) {
    const TransportModel model = dithered_model(1.0, refine);
    const RowMatrix points = mixed_table(1500, 9);
    const double weights[] = {0.5, 0.5};
    LocalMap map = map_to_barycenter(model, "a", weights);
    const Keys keys(1500, 3);
    const RowMatrix by_keys = transport(map, points, {}, keys);
    LocalMap plain = map;
    plain.dither = Vector();
    const RowMatrix moved = dithered(points, model.dither, model.mixture_options.seed, {}, keys);
    EXPECT_EQ(by_keys, transport(plain, moved, {}, keys));
    const RowMatrix carried = transport(map, points);
    RowMatrix in_place = points;
    transport_into(map, in_place, in_place);
    EXPECT_EQ(in_place, carried);
    const RowMatrix half = transport(map_to_barycenter(model, "a", weights, 0.5), points);
    EXPECT_LT((half - 0.5 * (points + carried)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(transport(map_to_barycenter(model, "a", weights, 0.0), points), points);
    EXPECT_EQ(transport(map_between(model, "a", "b", 0.0), points), points);
    EXPECT_NE(transport(map_between(model, "a", "b"), points), carried);
  }
}

TEST(Dither, RefusesInvalidArguments) {
  const RowMatrix table = mixed_table(20, 1);
  expect_error<InvalidArgument>(
      [&] { (void)dithered(table, Vector::Ones(3), 0); },
      "dithered: widths has 3 entries for 4 features, expected one per feature");
  expect_error<InvalidArgument>([&] { (void)dithered(table, Vector::Constant(4, -1.0), 0); },
                                "dithered: widths[0] is -1, expected a finite number >= 0");
  expect_error<InvalidArgument>([] { (void)grid_steps({}); },
                                "grid_steps: samples is empty, expected one or more views");
  expect_error<InvalidArgument>(
      [] { (void)dithered_model(1.5); },
      "fit_transport: dither is 1.5, expected auto or a number from 0 to 1");
  const TransportModel model = dithered_model(1.0);
  expect_error<InvalidArgument>(
      [&] { (void)inverse_transport(map_between(model, "a", "b"), table); },
      "inverse_transport: the map adds random noise, which has no inverse; fit without dither");
}

}  // namespace
}  // namespace lbw
