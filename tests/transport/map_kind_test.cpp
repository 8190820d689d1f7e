// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/fit_transport.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

TEST(MapKind, HasNames) {
  EXPECT_EQ(to_string(MapKind::hard), "hard");
  EXPECT_EQ(to_string(MapKind::soft), "soft");
  EXPECT_EQ(to_string(MapKind::random), "random");
  EXPECT_EQ(enum_from<MapKind>("hard"), MapKind::hard);
  EXPECT_EQ(enum_from<MapKind>("soft"), MapKind::soft);
  EXPECT_EQ(enum_from<MapKind>("random"), MapKind::random);
  expect_error<InvalidArgument>([] { (void)enum_from<MapKind>(""); },
                                "map: '' is unknown, expected 'hard', 'soft' or 'random'");
}

}  // namespace
}  // namespace lbw
