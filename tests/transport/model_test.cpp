// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>
#include <lbw/error.hpp>

#include "support/expect_error.hpp"
#include "support/models.hpp"

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
       "f: the model has 1 groups, expected 2 or more"},
      {[](TransportModel& m) { m.mixtures.pop_back(); },
       "f: the model has 2 group names, 1 mixtures and 2 reports, expected as many of each"},
      {[](TransportModel& m) { m.group_names[1].clear(); }, "f: a group name is empty"},
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
       "f: the coupling's reference is group 2 of 2"},
      {[](TransportModel& m) { m.coupling.tuples.setZero(4, 3); },
       "f: the coupling joins 3 groups, the model has 2"},
      {[](TransportModel& m) { m.coupling.tuples(0, 1) = m.coupling.tuples(1, 1); },
       "f: the coupling does not hold each of the 4 components of group 'b' exactly once"},
      {[](TransportModel& m) { m.coupling.tuples(3, 0) = 4; },
       "f: the coupling does not hold each of the 4 components of group 'a' exactly once"},
  };
  for (const Row& row : rows) {
    TransportModel model = random_model({});
    check_model(model, "f");
    row.spoil(model);
    expect_error<InvalidArgument>([&] { check_model(model, "f"); }, row.expected);
  }
}

}  // namespace
}  // namespace lbw
