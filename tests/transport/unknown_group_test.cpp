// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

TEST(UnknownGroup, HasNames) {
  for (const UnknownGroup choice :
       {UnknownGroup::error, UnknownGroup::ignore, UnknownGroup::barycenter}) {
    EXPECT_EQ(enum_from<UnknownGroup>(to_string(choice)), choice);
  }
  EXPECT_EQ(to_string(UnknownGroup::barycenter), "barycenter");
  expect_error<InvalidArgument>(
      [] { (void)enum_from<UnknownGroup>("drop"); },
      "handle_unknown: 'drop' is unknown, expected 'error', 'ignore' or 'barycenter'");
}

TEST(GroupProbabilities, AreDensitiesOverTheirSum) {
  const TransportModel model = random_model({.n_groups = 3, .seed = 5});
  const RowMatrix points = RowMatrix::Random(50, 2) * 3.0;
  const RowMatrix found = group_probabilities(model, points);
  ASSERT_EQ(found.rows(), 50);
  ASSERT_EQ(found.cols(), 3);
  for (Index i = 0; i < points.rows(); ++i) {
    Vector densities(3);
    for (Index g = 0; g < 3; ++g) {
      densities[g] = std::exp(log_density(model.mixtures[static_cast<std::size_t>(g)], points)[i]);
    }
    for (Index g = 0; g < 3; ++g) {
      EXPECT_NEAR(found(i, g), densities[g] / densities.sum(), 1e-12);
    }
  }
}

TEST(GroupProbabilities, AreThereFarOut) {
  TransportModel model = random_model({.n_groups = 2});
  const RowMatrix far = RowMatrix::Constant(1, 2, 1e6);  // log densities of about -1e12
  EXPECT_NEAR(group_probabilities(model, far).row(0).sum(), 1.0, 1e-15);
  for (Mixture& mixture : model.mixtures) {
    for (Matrix& covariance : mixture.covariances) covariance *= 1e-120;
  }
  const RowMatrix beyond = RowMatrix::Constant(1, 2, 1e100);  // squared distances overflow
  EXPECT_EQ(group_probabilities(model, beyond), RowMatrix::Constant(1, 2, 0.5));
}

TEST(MaxGroups, GrowsWithTheRowsAsTheKindAllows) {
  for (const LabelKind kind : {LabelKind::text, LabelKind::whole_numbers, LabelKind::fractions}) {
    EXPECT_EQ(max_groups(kind, 2), 20);
  }
  EXPECT_EQ(max_groups(LabelKind::text, 5000), 500);
  EXPECT_EQ(max_groups(LabelKind::whole_numbers, 5000), 70);
  EXPECT_EQ(max_groups(LabelKind::fractions, 5000), 20);
}

}  // namespace
}  // namespace lbw
