// SPDX-License-Identifier: MIT
#include "transport/weighing_groups.hpp"

#include <gtest/gtest.h>

#include <lbw/transport.hpp>
#include <limits>

#include "support/expect_error.hpp"
#include "support/models.hpp"
#include "support/repeated_rows.hpp"

namespace lbw {
namespace {

using Weights = std::vector<double>;

/// Two groups with weights, and the same groups with repeated rows.
struct WeightedGroups {
  std::vector<RowMatrix> samples;
  std::vector<Weights> weights;
  std::vector<RowMatrix> repeated;

  explicit WeightedGroups(Index n_features = 2, bool whole_numbers = false) {
    for (std::uint64_t g = 0; g < 2; ++g) {
      samples.push_back(
          sample(random_mixture({.n_features = n_features, .seed = g}), 300, g).samples);
      if (whole_numbers) samples.back() = samples.back().array().round().matrix();
      weights.push_back(whole_weights(300, g));
      repeated.push_back(repeated_rows(samples[g], weights[g]));
    }
  }

  [[nodiscard]] std::vector<Group> weighted() const {
    return {{"a", samples[0], weights[0]}, {"b", samples[1], weights[1]}};
  }
  [[nodiscard]] std::vector<Group> copies() const {
    return {{"a", repeated[0]}, {"b", repeated[1]}};
  }
};

TEST(FitTransport, OfWholeWeightsIsThatOfRepeatedRows) {
  const WeightedGroups data(3);
  TransportOptions options;
  options.mixture.n_components = 1;
  options.mixture.shrinkage.automatic = true;
  options.mixture.relative_covariance_floor = 0.01;
  options.group_shrinkage.automatic = true;
  options.scale_features = true;
  options.refine = 4;
  const TransportModel model = fit_transport(data.weighted(), options);
  const TransportModel expected = fit_transport(data.copies(), options);
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_LT(mixture_error(model.mixtures[g], expected.mixtures[g]), 1e-11);
    EXPECT_EQ(model.reports[g].count(), static_cast<double>(data.repeated[g].rows()));
    EXPECT_EQ(expected.reports[g].count(), static_cast<double>(data.repeated[g].rows()));
  }
  EXPECT_LT(relative_error(model.scales, expected.scales), 1e-12);
  ASSERT_EQ(model.refinement.steps.size(), 4U);
  EXPECT_EQ(model.refinement.sample_counts, expected.refinement.sample_counts);
  const RowMatrix points = data.samples[0].topRows(50);
  const double halves[] = {0.5, 0.5};
  EXPECT_LT(relative_error(transport(map_to_barycenter(model, "a", halves), points),
                           transport(map_to_barycenter(expected, "a", halves), points)),
            1e-8);  // rounding grows where quantiles of neighbouring samples are interpolated
}

TEST(FitTransport, FindsTheDitherOfRepeatedRows) {
  const WeightedGroups data(2, true);
  for (const bool automatic : {false, true}) {
    TransportOptions options;
    options.dither = automatic ? Dither::automatically() : Dither(0.5);
    const TransportModel model = fit_transport(data.weighted(), options);
    const TransportModel expected = fit_transport(data.copies(), options);
    EXPECT_TRUE(model.dithers());
    EXPECT_EQ(model.dither, expected.dither);
    ASSERT_EQ(model.dither_cells.size(), expected.dither_cells.size());
    for (std::size_t f = 0; f < model.dither_cells.size(); ++f) {
      const Eigen::Map<const Eigen::VectorXd> lower(model.dither_cells[f].lower.data(),
                                                    std::ssize(model.dither_cells[f].lower));
      const Eigen::Map<const Eigen::VectorXd> wanted(expected.dither_cells[f].lower.data(),
                                                     std::ssize(expected.dither_cells[f].lower));
      ASSERT_EQ(lower.size(), wanted.size());
      EXPECT_LT((lower - wanted).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

TEST(FitTransport, DoesNotSeeSamplesOfWeightZero) {
  const WeightedGroups data(2, true);
  TransportOptions options;
  options.mixture.n_components = 2;
  options.dither = Dither::automatically();
  options.refine = 3;
  options.group_shrinkage.automatic = true;
  WeightedGroups changed = data;
  for (std::size_t g = 0; g < 2; ++g) {
    for (Index i = 0; i < 300; ++i) {
      if (data.weights[g][static_cast<std::size_t>(i)] == 0.0) {
        changed.samples[g].row(i).setConstant(0.123 + static_cast<double>(i));
      }
    }
  }
  const std::vector<Group> without = weighing_groups(data.weighted(), {});
  const TransportModel expected = fit_transport(without, options);
  for (const auto& groups : {data.weighted(), changed.weighted()}) {
    const TransportModel model = fit_transport(groups, options);
    for (std::size_t g = 0; g < 2; ++g) {
      EXPECT_EQ(model.mixtures[g].means, expected.mixtures[g].means);
      EXPECT_EQ(model.mixtures[g].covariances, expected.mixtures[g].covariances);
      EXPECT_EQ(model.reports[g].n_samples, without[g].samples.n_samples());
    }
    EXPECT_EQ(model.dither_cells, expected.dither_cells);
    EXPECT_EQ(model.refinement.steps[2].tables[1][0].values,
              expected.refinement.steps[2].tables[1][0].values);
  }
}

TEST(FitTransport, SeesOnlyRatiosOfWeightsWhereTheirNumberDoesNotMatter) {
  const WeightedGroups data;
  TransportOptions options;
  options.mixture.n_components = 2;
  options.mixture.relative_covariance_floor = 0.01;
  options.scale_features = true;
  const TransportModel expected = fit_transport(data.weighted(), options);
  for (const int exponent : {-1000, -3, 3, 1000}) {
    WeightedGroups scaled = data;
    scaled.weights[1] = scaled_weights(data.weights[1], std::ldexp(1.0, exponent));
    const TransportModel model = fit_transport(scaled.weighted(), options);
    EXPECT_EQ(model.mixtures[1].means, expected.mixtures[1].means) << exponent;
    EXPECT_EQ(model.coupling.masses, expected.coupling.masses) << exponent;
    EXPECT_EQ(model.scales, expected.scales) << exponent;
  }
}

TEST(FitTransport, NamesTheGroupOfABadWeight) {
  const WeightedGroups data;
  Weights bad = data.weights[1];
  bad[7] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Group> groups{{"a", data.samples[0]}, {"b", data.samples[1], bad}};
  expect_error<InvalidArgument>(
      [&] { (void)fit_transport(groups, {}); },
      "fit_transport: group 'b': sample_weights[7] is nan, expected a finite number >= 0");
  const Weights few(3, 1.0);
  const std::vector<Group> short_list{{"a", data.samples[0]}, {"b", data.samples[1], few}};
  expect_error<InvalidArgument>([&] { (void)fit_transport(short_list, {}); },
                                "fit_transport: group 'b': sample_weights has 3 entries for 300 "
                                "samples, expected one per sample");
}

TEST(FitTransport, ChecksSamplesOfWeightZero) {
  WeightedGroups data;
  const auto zero = std::ranges::find(data.weights[0], 0.0) - data.weights[0].begin();
  data.samples[0](zero, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)fit_transport(data.weighted(), {}), InvalidArgument);
}

TEST(WeighingGroups, OwnTheirRowsOnlyIfSomeAreLeftOut) {
  const RowMatrix samples{{1.0}, {2.0}, {3.0}};
  const Weights some{1.0, 0.0, 2.0};
  const Weights none(3, 0.0);
  const std::vector<std::uint64_t> keys{7, 8, 9};
  const std::vector<Group> groups{
      {"all", samples}, {"some", samples, some, keys}, {"none", samples, none}};
  const std::vector<Group> result = weighing_groups(groups, {});
  EXPECT_EQ(result[0].samples.row_data(0), groups[0].samples.row_data(0));
  EXPECT_EQ(result[2].samples.row_data(0), groups[2].samples.row_data(0));
  EXPECT_EQ(result[1].samples.n_samples(), 2);
  EXPECT_EQ(result[1].samples(1, 0), 3.0);
  EXPECT_EQ(result[1].sample_weights[1], 2.0);
  EXPECT_EQ(result[1].keys[1], 9U);
}

}  // namespace
}  // namespace lbw
