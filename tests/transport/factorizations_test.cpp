// SPDX-License-Identifier: MIT
// A covariance is factored once where it enters, and once for a result that needs its factor.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/report.hpp>
#include <lbw/transport.hpp>

#include "linalg/cholesky.hpp"
#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

constexpr Index components_per_group = 4;

/// Three groups of four components in three dimensions. Maps in the plane need no factor.
TransportModel three_groups() {
  return random_model(
      {.n_groups = 3, .n_components = components_per_group, .n_features = 3, .seed = 1});
}

template <typename Call>
Index factored_by(const Call& call) {
  const Index before = n_factorizations();
  call();
  return n_factorizations() - before;
}

TEST(Factorizations, OfASourceAreThreeFromTheFileToTheTransportedPoints) {
  const TransportModel model = three_groups();
  const std::string bytes = model_to_bytes(model);
  const RowMatrix samples = sample(model.mixtures[0], 50, 1).samples;
  const LocalMap map = map_between(model, "a", "b");
  // once, to validate all groups
  EXPECT_EQ(factored_by([&] { (void)model_from_bytes(bytes, "m"); }), 3 * components_per_group);
  // once to validate the other groups, and once for the maps, from source to target
  EXPECT_EQ(factored_by([&] { (void)map_between(model, "a", "b"); }),
            2 * components_per_group + 2 * components_per_group);
  // once, for the densities of the source
  EXPECT_EQ(factored_by([&] { (void)transport(map, samples); }), components_per_group);
  EXPECT_EQ(factored_by([&] { (void)inverse_transport(map, samples); }), components_per_group);
}

TEST(Factorizations, OfAMixtureAreOneACall) {
  const Mixture mixture = three_groups().mixtures[0];
  const RowMatrix samples = sample(mixture, 50, 1).samples;
  EXPECT_EQ(factored_by([&] { (void)log_density(mixture, samples); }), components_per_group);
  EXPECT_EQ(factored_by([&] { (void)mean_log_likelihood(mixture, samples); }),
            components_per_group);
  EXPECT_EQ(factored_by([&] { (void)responsibilities(mixture, samples); }), components_per_group);
  EXPECT_EQ(factored_by([&] { (void)labels(mixture, samples); }), components_per_group);
  EXPECT_EQ(factored_by([&] { (void)sample(mixture, 5, 1); }), components_per_group);
  EXPECT_EQ(factored_by([&] { (void)moment_sums(mixture, samples); }), components_per_group);
}

TEST(Factorizations, OfOtherCallsAreOneValidationAndWhatTheResultNeeds) {
  const TransportModel model = three_groups();
  const RowMatrix samples = sample(model.mixtures[0], 50, 1).samples;
  const std::vector<Group> groups{{"a", samples}};
  EXPECT_EQ(factored_by([&] { (void)group_probabilities(model, samples); }),
            3 * components_per_group + 3 * components_per_group);
  // to the reference and back: the maps to two groups, each with samples twice
  EXPECT_EQ(factored_by([&] { (void)displacement_warning(model, groups); }),
            3 * components_per_group + 4 * components_per_group + 4 * components_per_group);
}

TEST(Factorizations, StillRefuseASourceThatIsNotPositiveDefinite) {
  const Matrix indefinite{{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0}};
  const Matrix singular{{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (const Matrix& covariance : {indefinite, singular}) {
    for (const char* from : {"a", "b"}) {
      TransportModel model = three_groups();
      model.mixtures[0].covariances[2] = covariance;
      expect_error<InvalidArgument>(
          [&] { (void)map_between(model, from, "c"); },
          "map_between: mixture of 'a'.covariances[2] is not positive definite");
    }
  }
}

TEST(Factorizations, StillRefuseASourceWithoutVariance) {
  for (const CovarianceType type : {CovarianceType::diagonal, CovarianceType::spherical}) {
    TransportModel model = random_model({.covariance_type = type, .seed = 1});
    model.mixtures[0].covariances[1](0, 0) = 0.0;
    expect_error<InvalidArgument>(
        [&] { (void)map_between(model, "a", "b"); },
        "map_between: mixture of 'a'.covariances[1] is not positive definite");
  }
}

}  // namespace
}  // namespace lbw
