// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/fit_transport.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

TEST(CouplingMethod, HasNames) {
  EXPECT_EQ(to_string(CouplingMethod::matching), "matching");
  EXPECT_EQ(to_string(CouplingMethod::plan), "plan");
  EXPECT_EQ(enum_from<CouplingMethod>("matching"), CouplingMethod::matching);
  EXPECT_EQ(enum_from<CouplingMethod>("plan"), CouplingMethod::plan);
  EXPECT_EQ(to_string(CouplingMethod::multimarginal), "multimarginal");
  EXPECT_EQ(enum_from<CouplingMethod>("multimarginal"), CouplingMethod::multimarginal);
  expect_error<InvalidArgument>([] { (void)enum_from<CouplingMethod>("Plan"); },
                                "coupling: 'Plan' is unknown, expected 'matching', 'plan' or "
                                "'multimarginal'");
}

TEST(ComponentCost, HasNames) {
  EXPECT_EQ(to_string(ComponentCost::means), "means");
  EXPECT_EQ(to_string(ComponentCost::bures), "bures");
  EXPECT_EQ(enum_from<ComponentCost>("means"), ComponentCost::means);
  EXPECT_EQ(enum_from<ComponentCost>("bures"), ComponentCost::bures);
  expect_error<InvalidArgument>([] { (void)enum_from<ComponentCost>("mean"); },
                                "cost: 'mean' is unknown, expected 'means' or 'bures'");
}

}  // namespace
}  // namespace lbw
