// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <lbw/report.hpp>
#include <lbw/types.hpp>

namespace lbw {
namespace {

using DrawValue = std::function<double(Random&)>;

RowMatrix column_of(Index n, const DrawValue& draw, std::uint64_t seed) {
  Random random(seed);
  RowMatrix column(n, 1);
  for (double& value : column.reshaped()) value = draw(random);
  return column;
}

double near_seven(Random& random) { return 7.0 + random.normal(); }

std::optional<std::string> warning_of(const RowMatrix& first, const RowMatrix& second,
                                      int n_components = 1) {
  TransportOptions options;
  options.mixture.n_components = n_components;
  const std::vector<Group> groups = {{"a", first}, {"b", second}};
  TransportModel model = fit_transport(groups, options);
  model.feature_names = {"income"};
  return far_values_warning(model, groups);
}

TEST(FarValuesWarning, NamesAWrongValue) {
  for (const Index n : {30, 400, 4000}) {
    RowMatrix first = column_of(n, near_seven, 1);
    first(7, 0) = 1e5;
    const std::optional<std::string> text = warning_of(first, column_of(n, near_seven, 2));
    ASSERT_TRUE(text.has_value()) << n;
    EXPECT_EQ(text->find("Feature 'income' has 1 value in group 'a' that is very far from all "
                         "others, such as 1e+05, where four in five lie between 5."),
              0U)
        << *text;
    EXPECT_NE(text->find("Correct such values, leave them out, or take logarithms."),
              std::string::npos);
  }
}

TEST(FarValuesWarning, CountsSeveralValues) {
  RowMatrix first = column_of(2000, near_seven, 1);
  for (Index i = 0; i < 20; ++i) first(50 * i, 0) = 1000.0;
  const std::optional<std::string> text = warning_of(first, column_of(500, near_seven, 2));
  ASSERT_TRUE(text.has_value());
  EXPECT_NE(text->find("has 20 values in group 'a' that are"), std::string::npos) << *text;
}

TEST(FarValuesWarning, IsSilentForOrdinaryColumns) {
  const DrawValue draws[] = {
      near_seven,
      [](Random& r) { return -std::log(1.0 - r.uniform()); },    // exponential
      [](Random& r) { return std::exp(r.normal()); },            // lognormal
      [](Random& r) { return r.uniform() < 0.01 ? 1.0 : 0.0; },  // a rare category
      [](Random&) { return 3.0; },
  };
  for (const Index n : {15, 30, 300, 3000}) {
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
      for (const DrawValue& draw : draws) {
        const auto text = warning_of(column_of(n, draw, seed), column_of(n, draw, seed + 100));
        EXPECT_FALSE(text.has_value()) << *text;
      }
    }
  }
}

TEST(FarValuesWarning, IsSilentForAFrequentCode) {
  const auto draw = [](Random& r) { return r.uniform() < 0.05 ? -999.0 : r.normal(); };
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    EXPECT_FALSE(warning_of(column_of(1000, draw, seed), column_of(1000, draw, seed + 100)));
  }
}

TEST(FarValuesWarning, IsSilentIfAComponentDescribesTheValue) {
  RowMatrix first = column_of(400, near_seven, 1);
  first(7, 0) = 1e5;
  EXPECT_FALSE(warning_of(first, column_of(400, near_seven, 2), 2).has_value());
}

TEST(FarValuesWarning, LeavesOutSamplesWithoutWeight) {
  RowMatrix first = column_of(400, near_seven, 1);
  first(7, 0) = 1e5;
  const RowMatrix second = column_of(400, near_seven, 2);
  std::vector<double> weights(400, 1.0);
  weights[7] = 0.0;
  const std::vector<Group> groups = {{"a", first, weights}, {"b", second}};
  EXPECT_FALSE(far_values_warning(fit_transport(groups, {}), groups).has_value());
}

}  // namespace
}  // namespace lbw
