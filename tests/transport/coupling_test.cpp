// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/coupling.hpp>
#include <lbw/error.hpp>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

TEST(CouplingMethod, HasNames) {
  EXPECT_EQ(to_string(CouplingMethod::matching), "matching");
  EXPECT_EQ(to_string(CouplingMethod::plan), "plan");
  EXPECT_EQ(coupling_method_from("matching"), CouplingMethod::matching);
  EXPECT_EQ(coupling_method_from("plan"), CouplingMethod::plan);
  EXPECT_EQ(to_string(CouplingMethod::multimarginal), "multimarginal");
  EXPECT_EQ(coupling_method_from("multimarginal"), CouplingMethod::multimarginal);
  expect_error<InvalidArgument>([] { (void)coupling_method_from("Plan"); },
                                "coupling: 'Plan' is unknown, expected 'matching', 'plan' or "
                                "'multimarginal'");
}

TEST(ComponentCost, HasNames) {
  EXPECT_EQ(to_string(ComponentCost::means), "means");
  EXPECT_EQ(to_string(ComponentCost::bures), "bures");
  EXPECT_EQ(component_cost_from("means"), ComponentCost::means);
  EXPECT_EQ(component_cost_from("bures"), ComponentCost::bures);
  expect_error<InvalidArgument>([] { (void)component_cost_from("mean"); },
                                "cost: 'mean' is unknown, expected 'means' or 'bures'");
}

}  // namespace
}  // namespace lbw
