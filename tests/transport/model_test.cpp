// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/models.hpp"
#include "transport/couple.hpp"

namespace lbw {
namespace {

TEST(TransportModel, FindsGroupsByName) {
  const TransportModel model = random_model({.n_groups = 3});
  EXPECT_EQ(model.group_index("c"), 2);
  expect_error<InvalidArgument>([&] { (void)model.group_index("d"); },
                                "group 'd' is not in the model, expected one of 'a', 'b', 'c'");
}

TEST(TransportModel, HasConvergedWhenEveryGroupHas) {
  TransportModel model = random_model({});
  EXPECT_TRUE(model.converged());
  model.reports[1].converged = false;
  EXPECT_FALSE(model.converged());
}

TEST(CheckModel, NamesWhatIsWrong) {
  struct Row {
    std::function<void(TransportModel&)> spoil;
    const char* expected;
  };
  const Row rows[] = {
      {[](TransportModel& m) { m.group_names.resize(1); },
       "f: the model has 1 group, expected 2 or more"},
      {[](TransportModel& m) { m.mixtures.pop_back(); },
       "f: the model has 2 group names, 1 mixtures and 2 reports, expected equal numbers"},
      {[](TransportModel& m) { m.group_names[1].clear(); },
       "f: a group name is empty, expected a non-empty name"},
      {[](TransportModel& m) { m.group_names[1] = std::string("a"); },
       "f: two groups are named 'a'"},
      {[](TransportModel& m) { m.mixtures[1].weights *= 2.0; },
       "f: mixture of 'b'.weights sum to 2, expected 1 within 1e-9"},
      {[](TransportModel& m) {
         m.mixtures[1] = random_mixture({.n_components = 4, .n_features = 3});
       },
       "f: mixture of 'b' has 3 features, that of 'a' has 2"},
      {[](TransportModel& m) {
         m.mixtures[1] =
             random_mixture({.n_components = 4, .covariance_type = CovarianceType::diagonal});
       },
       "f: mixture of 'b' is diagonal, that of 'a' is full"},
      {[](TransportModel& m) { m.feature_names = {"x"}; },
       "f: the model has 1 feature names for 2 features"},
      {[](TransportModel& m) { m.coupling.reference = 2; },
       "f: coupling.reference is 2, expected 0 to 1"},
      {[](TransportModel& m) { m.coupling.masses.resize(3); },
       "f: the coupling has 3 masses for 4 tuples"},
      {[](TransportModel& m) { m.coupling.masses[2] = -0.25; },
       "f: the coupling's mass of tuple 2 is -0.25, expected a number >= 0"},
      {[](TransportModel& m) { m.coupling.tuples.setZero(4, 3); },
       "f: the coupling joins 3 groups, the model has 2"},
      {[](TransportModel& m) { m.coupling.tuples(0, 1) = m.coupling.tuples(1, 1); },
       "f: the coupling does not contain each of the 4 components of group 'b' exactly once"},
      {[](TransportModel& m) { m.coupling.tuples(3, 0) = 4; },
       "f: the coupling does not contain each of the 4 components of group 'a' exactly once"},
      {[](TransportModel& m) { m.scales = Vector::Ones(3); },
       "f: the model's scales has 3 entries, expected 2"},
  };
  for (const Row& row : rows) {
    TransportModel model = random_model({});
    check_model(model, "f");
    row.spoil(model);
    expect_error<InvalidArgument>([&] { check_model(model, "f"); }, row.expected);
  }
}

// The squares of such scales overflow or underflow, which gives wrong maps.
TEST(CheckModel, RefusesScalesFarFromTheDeviationsOfTheMixtures) {
  TransportModel model = random_model({});
  for (Mixture& mixture : model.mixtures) {
    mixture.means.setZero();
    for (Matrix& covariance : mixture.covariances) covariance = Vector{{1.0, 4.0}}.asDiagonal();
  }
  for (const double scale : {1e-90, 0.5, 1e90}) {
    model.scales = Vector{{1.0, scale}};
    EXPECT_NO_THROW(check_model(model, "f")) << scale;
  }
  model.scales[1] = 1e200;
  expect_error<InvalidArgument>(
      [&] { check_model(model, "f"); },
      "f: the model's scales has the value 1e+200 for feature 1 (counted from 0), whose standard "
      "deviation over all groups is 2; expected a scale of similar size; fit the model again");
  model.scales[1] = 1e-200;
  expect_error<InvalidArgument>(
      [&] { check_model(model, "f"); },
      "f: the model's scales has the value 1e-200 for feature 1 (counted from 0), whose standard "
      "deviation over all groups is 2; expected a scale of similar size; fit the model again");
}

TEST(CheckModel, NamesWhatIsWrongWithAPlan) {
  TransportModel model = random_plan_model({.n_groups = 3});
  check_model(model, "f");
  model.coupling.masses[0] += 0.125;
  try {
    check_model(model, "f");
    FAIL() << "nothing was thrown";
  } catch (const InvalidArgument& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("f: the tuples of component 0 of group 'a' have mass ", 0), 0U) << text;
    EXPECT_TRUE(text.ends_with(" within 1e-9")) << text;
  }
  model = random_plan_model({});
  for (int& component : model.coupling.tuples.col(1)) component = std::min(component, 3);
  expect_error<InvalidArgument>(
      [&] { check_model(model, "f"); },
      "f: the coupling does not contain each of the 5 components of group 'b' at least once");
  model = random_model({});
  model.coupling.masses.setConstant(0.75);
  EXPECT_THROW(check_model(model, "f"), InvalidArgument);
}

TEST(MisplacedMass, IsHalfTheDifferenceOfTheWeightsOfMatchedComponents) {
  TransportModel model = random_model({.n_groups = 3, .seed = 4});
  double expected = 0.0;
  for (Index t = 0; t < 4; ++t) {
    expected += 0.5 * std::abs(model.mixtures[1].weights[model.coupling.tuples(t, 1)] -
                               model.mixtures[2].weights[model.coupling.tuples(t, 2)]);
  }
  EXPECT_GT(expected, 0.01);
  EXPECT_NEAR(misplaced_mass(model, "b", "c"), expected, 1e-15);
  EXPECT_EQ(misplaced_mass(model, "b", "b"), 0.0);
  EXPECT_EQ(misplaced_mass(random_plan_model({.seed = 4}), "a", "b"), 0.0);
}

TEST(CoupleMixtures, GivesTheModelThatAFitOfTheseMixturesWould) {
  for (const CouplingMethod method :
       {CouplingMethod::matching, CouplingMethod::plan, CouplingMethod::multimarginal}) {
    const TransportModel fitted = random_model({.n_groups = 3, .seed = 4});
    TransportOptions options;
    options.coupling = method;
    options.reference = fitted.group_names[1];
    options.map = MapKind::random;
    options.mixture.seed = 9;
    const TransportModel model = couple_mixtures(fitted.group_names, fitted.mixtures, options);
    check_model(model, "test");
    const Coupling expected = couple(fitted.mixtures, 1, method, ComponentCost::means, {});
    EXPECT_EQ(model.coupling.tuples, expected.tuples);
    EXPECT_EQ(model.coupling.masses, expected.masses);
    EXPECT_EQ(model.map, MapKind::random);
    EXPECT_EQ(map_between(model, "a", "b").seed, 9U);
    EXPECT_TRUE(model.converged());
  }
}

TEST(CoupleMixtures, RefusesWhatCannotBeCoupled) {
  const TransportModel plan = random_plan_model({});
  const auto refused = [&](const TransportOptions& options, const std::string& expected) {
    expect_error<InvalidArgument>(
        [&] { (void)couple_mixtures(plan.group_names, plan.mixtures, options); }, expected);
  };
  refused({.refine = 1},
          "couple_mixtures: dither and refine need samples; set both to 0, or use fit_transport");
  refused({.coupling = CouplingMethod::matching},
          "couple_mixtures: mixtures have 4 and 5 components, but a matching needs equal numbers; "
          "set coupling to plan");
  TransportOptions options{.coupling = CouplingMethod::plan};
  options.reference = "z";
  refused(options, "group 'z' is not in the model, expected one of 'a', 'b'");
  expect_error<InvalidArgument>(
      [&] { (void)couple_mixtures(plan.group_names, std::span(plan.mixtures).first(1), {}); },
      "couple_mixtures: the model has 2 group names, 1 mixtures and 1 reports, expected equal "
      "numbers");
}

}  // namespace
}  // namespace lbw
