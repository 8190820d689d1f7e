// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/gaussian.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

class ModelBarycenterTest : public ::testing::TestWithParam<CovarianceType> {};

TEST_P(ModelBarycenterTest, HasTheBarycenterOfEveryTuple) {
  const TransportModel model =
      random_model({.n_groups = 3, .n_features = 3, .covariance_type = GetParam(), .seed = 6});
  const std::vector<double> lambda{0.5, 0.2, 0.3};
  const Mixture mixture = barycenter(model, lambda);
  check_mixture(mixture, "barycenter", "mixture");
  EXPECT_EQ(mixture.covariance_type, GetParam());
  for (Index t = 0; t < 4; ++t) {
    std::vector<Gaussian> members;
    double weight = 0.0;
    for (std::size_t g = 0; g < 3; ++g) {
      const int component = model.coupling.tuples(t, static_cast<Index>(g));
      members.push_back(model.mixtures[g].component(component));
      weight += lambda[g] * model.mixtures[g].weights[component];
    }
    const Gaussian expected = barycenter(members, lambda).barycenter;
    // the fixed point stops at a residual of 1e-12
    EXPECT_LT(relative_error(mixture.component(t).covariance, expected.covariance), 1e-10);
    EXPECT_LT(relative_error(mixture.component(t).mean, expected.mean), 1e-14);
    EXPECT_NEAR(mixture.weights[t], weight, 1e-15);  // deviation P3
  }
}

TEST_P(ModelBarycenterTest, IsTheGroupItselfAtACorner) {
  const TransportModel model =
      random_model({.n_groups = 3, .n_features = 3, .covariance_type = GetParam(), .seed = 6});
  for (Index g = 0; g < 3; ++g) {
    const Mixture mixture = barycenter(model, corner(3, g));
    const Mixture& group = model.mixtures[static_cast<std::size_t>(g)];
    for (Index t = 0; t < 4; ++t) {
      const int component = model.coupling.tuples(t, g);
      EXPECT_EQ(mixture.component(t).mean, group.component(component).mean);
      EXPECT_EQ(mixture.component(t).covariance, group.component(component).covariance);
      EXPECT_NEAR(mixture.weights[t], group.weights[component], 1e-15);
    }
  }
}

TEST_P(ModelBarycenterTest, OfAPlanHasAGaussianOfItsMassForEveryTuple) {
  const TransportModel model =
      random_plan_model({.n_groups = 3, .n_features = 3, .covariance_type = GetParam(), .seed = 6});
  const std::vector<double> lambda{0.5, 0.2, 0.3};
  const Mixture mixture = barycenter(model, lambda);
  check_mixture(mixture, "barycenter", "mixture");
  ASSERT_EQ(mixture.n_components(), model.coupling.masses.size());
  EXPECT_LT((mixture.weights - model.coupling.masses).cwiseAbs().maxCoeff(), 1e-15);
  for (Index t = 0; t < mixture.n_components(); ++t) {
    std::vector<Gaussian> members;
    for (std::size_t g = 0; g < 3; ++g) {
      members.push_back(
          model.mixtures[g].component(model.coupling.tuples(t, static_cast<Index>(g))));
    }
    const Gaussian expected = barycenter(members, lambda).barycenter;
    EXPECT_LT(relative_error(mixture.component(t).covariance, expected.covariance), 1e-10);
    EXPECT_LT(relative_error(mixture.component(t).mean, expected.mean), 1e-14);
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, ModelBarycenterTest, ::testing::ValuesIn(all_covariance_types),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(ModelBarycenter, HasADensityAndSamples) {
  const TransportModel model = random_model({.seed = 3});
  const Mixture middle = barycenter(model, std::vector<double>{0.5, 0.5});
  const RowMatrix samples = sample(middle, 500, 1).samples;
  EXPECT_TRUE(log_density(middle, samples).allFinite());
}

TEST(ModelBarycenter, DividesWeightsByTheirSum) {
  const TransportModel model = random_model({.seed = 3});
  const Mixture expected = barycenter(model, std::vector<double>{0.25, 0.75});
  for (const std::vector<double>& weights : {std::vector{1.0, 3.0}, {0.5e308, 1.5e308}}) {
    const Mixture actual = barycenter(model, weights);
    EXPECT_EQ(actual.weights, expected.weights);
    EXPECT_EQ(actual.means, expected.means);
    EXPECT_EQ(actual.covariances, expected.covariances);
  }
}

TEST(ModelBarycenter, RefusesBadWeights) {
  const TransportModel model = random_model({});
  const auto at = [&](std::vector<double> weights) {
    return [&model, weights] { (void)barycenter(model, weights); };
  };
  expect_error<InvalidArgument>(
      at({0.0, 0.0}), "barycenter: barycentric_weights are all 0, expected at least one above 0");
  expect_error<InvalidArgument>(at({1.0}),
                                "barycenter: barycentric_weights has 1 entry, expected 2");
  expect_error<InvalidArgument>(
      at({-0.5, 1.5}), "barycenter: barycentric_weights[0] is -0.5, expected a number >= 0");
}

}  // namespace
}  // namespace lbw
