// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>

#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

/// Normal columns with these standard deviations, far from 0.
RowMatrix normals(const std::vector<double>& deviations, std::uint64_t seed) {
  Random random(seed);
  RowMatrix samples(400, std::ssize(deviations));
  for (Index i = 0; i < samples.rows(); ++i) {
    for (Index j = 0; j < samples.cols(); ++j) {
      samples(i, j) = 7.3 + deviations[static_cast<std::size_t>(j)] * random.normal();
    }
  }
  return samples;
}

std::vector<std::string> warnings_of(const std::vector<double>& first,
                                     const std::vector<double>& second,
                                     const TransportOptions& options) {
  const Group groups[] = {{"a", normals(first, 1)}, {"b", normals(second, 2)}};
  return fit_warnings(fit_transport(groups, options));
}

TransportOptions options_of(CovarianceType type, int n_components, double relative_floor = 0.0) {
  TransportOptions options;
  options.mixture.covariance_type = type;
  options.mixture.n_components = n_components;
  options.mixture.relative_covariance_floor = relative_floor;
  return options;
}

// The floor is 1 % of the variance at a standard deviation of 0.01.
TEST(FitWarnings, NameFeaturesWhoseVarianceTheFloorDominates) {
  for (const auto type : {CovarianceType::full, CovarianceType::tied, CovarianceType::diagonal}) {
    for (const int k : {1, 3}) {
      for (const double relative_floor : {0.0, 0.1}) {
        const TransportOptions options = options_of(type, k, relative_floor);
        EXPECT_TRUE(warnings_of({1.0, 0.02}, {1.0, 0.02}, options).empty());
        EXPECT_TRUE(warnings_of({1.0, 0.0}, {1.0, 0.0}, options).empty()) << "constant";
        const std::vector<std::string> found = warnings_of({1.0, 0.005}, {1.0, 0.02}, options);
        ASSERT_EQ(found.size(), 1U) << to_string(type) << " " << k << " " << relative_floor;
        EXPECT_EQ(found[0].rfind("covariance_floor (1e-06) is 4", 0), 0U) << found[0];
        EXPECT_NE(found[0].find(" % of the variance of feature 2 of 2 (2."), std::string::npos)
            << found[0];
        EXPECT_NE(found[0].find(") in group 'a', so the"), std::string::npos) << found[0];
      }
    }
  }
}

TEST(FitWarnings, AreNotAboutGroupsThatWereNotFittedToSamples) {
  const Group groups[] = {{"a", normals({1.0, 0.005}, 1)}, {"b", normals({1.0, 0.005}, 2)}};
  TransportModel model = fit_transport(groups, options_of(CovarianceType::full, 1));
  EXPECT_EQ(fit_warnings(model).size(), 1U);
  for (GroupReport& fit : model.reports) fit.n_samples = 0;
  EXPECT_TRUE(fit_warnings(model).empty());
}

TEST(FloorWarning, NamesFeaturesByNameOrNumber) {
  const Mixture mixture{
      CovarianceType::diagonal, Vector::Ones(1), RowMatrix::Zero(1, 2), {Vector{{1.0, 1.1e-5}}}};
  const std::optional<std::string> numbered = floor_warning(mixture, {}, "g");
  ASSERT_TRUE(numbered.has_value());
  EXPECT_EQ(
      numbered->rfind("covariance_floor (1e-06) is 10 % of the variance of feature 2 of 2", 0), 0U)
      << *numbered;
  const std::optional<std::string> named = floor_warning(mixture, {}, "g", {"x", "y"});
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->rfind("covariance_floor (1e-06) is 10 % of the variance of feature 'y'", 0), 0U)
      << *named;
  expect_error<InvalidArgument>([&] { (void)floor_warning(mixture, {}, "g", {"x"}); },
                                "floor_warning: feature_names has 1 entries, expected 2");
}

TEST(FitWarnings, ConstantInOneGroupIsNoSmallVariance) {
  EXPECT_TRUE(
      warnings_of({1.0, 0.0}, {1.0, 1.0}, options_of(CovarianceType::full, 1, 1e-7)).empty());
}

TEST(FitWarnings, TakeTheNamesOfTheModelAndCountGroups) {
  TransportOptions options = options_of(CovarianceType::full, 1);
  options.feature_names = {"x", "y"};
  const std::vector<std::string> found = warnings_of({1e-5, 1e-4}, {1e-4, 1e-4}, options);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("features 'x' (9.99e-11"), std::string::npos) << found[0];
  EXPECT_NE(found[0].find("), 'y' (9.97e-09"), std::string::npos) << found[0];
  EXPECT_NE(found[0].find(" in group 'a' (and in 1 other group), so"), std::string::npos)
      << found[0];
}

TEST(FitWarnings, FloorsAboveTheDefaultWereChosen) {
  TransportOptions options = options_of(CovarianceType::full, 1);
  options.mixture.covariance_floor = 0.1;
  EXPECT_TRUE(warnings_of({1.0, 0.1}, {1.0, 0.1}, options).empty());
  options.mixture.covariance_floor = 0.0;
  EXPECT_TRUE(warnings_of({1.0, 1e-4}, {1.0, 1e-4}, options).empty());
}

TEST(FitWarnings, ReportComponentsThatAreCopies) {
  const RowMatrix few{{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {2.0, 1.0}, {2.0, 1.0}};
  const Group groups[] = {{"few", few}, {"many", normals({1.0, 1.0}, 1)}};
  const TransportModel model = fit_transport(groups, options_of(CovarianceType::full, 3));
  EXPECT_EQ(fit_warnings(model),
            std::vector<std::string>{
                "Group 'few' has 2 distinct samples, fewer than its 3 components: 1 component is a "
                "copy of another and shares its weight. Use fewer components."});
}

TEST(FitWarnings, NameGroupsOfComponentsWithoutACovarianceOfTheirOwn) {
  RowMatrix few = normals({1.0, 1.0, 1.0}, 1);
  few.bottomRows(3).array() += 1000.0;
  const Group groups[] = {{"a", few}, {"b", normals({1.0, 1.0, 1.0}, 2)}};
  TransportOptions options = options_of(CovarianceType::full, 2);
  options.mixture.covariance_floor = 0.0;
  const TransportModel model = fit_transport(groups, options);
  EXPECT_EQ(model_from_bytes(model_to_bytes(model), "m").reports[0].unestimated_components, 1);
  EXPECT_EQ(fit_warnings(model),
            std::vector<std::string>{
                "Group 'a' has 1 component whose samples do not span the features. The covariance "
                "of an earlier step of EM is used. Use fewer components, or increase "
                "covariance_floor (0)."});
}

TEST(FitWarnings, ModelsThatWereNotFittedHaveNone) {
  EXPECT_TRUE(fit_warnings(random_model({})).empty());
}

TEST(FitWarnings, NameWeightsThatCountAsManySamples) {
  const RowMatrix samples = normals({1.0, 1.0}, 1);
  const auto warnings = [&](double weight) {
    const std::vector<double> weights(400, weight);
    const Group groups[] = {{"a", samples, weights}, {"b", samples}};
    return fit_warnings(fit_transport(groups, {}));
  };
  EXPECT_TRUE(warnings(9.0).empty());
  EXPECT_TRUE(warnings(1e-9).empty()) << "relative weights";
  const std::vector<std::string> found = warnings(1000.0);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(
      found[0],
      "The weights of group 'a' count as 400000 samples, but it has 400 rows. A row of weight "
      "2 counts as two rows, so differences appear to have little sampling noise. If the "
      "weights are not numbers of copies, divide them by their mean.");
}

}  // namespace
}  // namespace lbw
