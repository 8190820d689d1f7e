// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/error.hpp>
#include <lbw/map_kind.hpp>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

TEST(MapKind, HasNames) {
  EXPECT_EQ(to_string(MapKind::hard), "hard");
  EXPECT_EQ(to_string(MapKind::soft), "soft");
  EXPECT_EQ(to_string(MapKind::random), "random");
  EXPECT_EQ(map_kind_from("hard"), MapKind::hard);
  EXPECT_EQ(map_kind_from("soft"), MapKind::soft);
  EXPECT_EQ(map_kind_from("random"), MapKind::random);
  expect_error<InvalidArgument>([] { (void)map_kind_from(""); },
                                "map: '' is unknown, expected 'hard', 'soft' or 'random'");
}

}  // namespace
}  // namespace lbw
