// SPDX-License-Identifier: MIT
// Transport maps at the ends of double precision: a result is accurate, or an error names the
// cause.
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/fit_transport.hpp>
#include <lbw/transport.hpp>

#include "support/epsilon.hpp"
#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

constexpr MapKind every_kind[] = {MapKind::hard, MapKind::soft, MapKind::random};

struct AdversaryGroups {
  RowMatrix first = sample(random_mixture({.seed = 7}), 300, 3).samples;
  RowMatrix second = sample(random_mixture({.seed = 8}), 200, 4).samples;
  RowMatrix third = sample(random_mixture({.seed = 9}), 250, 5).samples;

  [[nodiscard]] TransportModel fit(const TransportOptions& options) const {
    const std::vector<Group> groups{{"a", first}, {"b", second}, {"c", third}};
    return fit_transport(groups, options);
  }
  [[nodiscard]] AdversaryGroups times(const Vector& units) const {
    return {first * units.asDiagonal(), second * units.asDiagonal(), third * units.asDiagonal()};
  }
};

/// Options without absolute units.
TransportOptions without_units(MapKind kind) {
  TransportOptions options;
  options.mixture.n_components = 3;
  options.mixture.covariance_floor = 0.0;
  options.mixture.relative_covariance_floor = 1e-3;
  options.map = kind;
  return options;
}

const std::vector<double> equal_thirds(3, 1.0 / 3.0);

// The draws of random maps depend on the bits of a point, so only the others scale.
TEST(TransportAdversaries, ScaleWithTheSamplesFromTinyToHuge) {
  const AdversaryGroups groups;
  for (const MapKind kind : {MapKind::hard, MapKind::soft}) {
    for (const auto coupling :
         {CouplingMethod::matching, CouplingMethod::plan, CouplingMethod::multimarginal}) {
      TransportOptions options = without_units(kind);
      options.coupling = coupling;
      options.cost = ComponentCost::bures;
      options.refine = 2;
      const TransportModel model = groups.fit(options);
      const RowMatrix to_b = transport(map_between(model, "a", "b"), groups.first);
      const RowMatrix between =
          transport(map_to_barycenter(model, "a", equal_thirds), groups.first);
      for (const int power : {-490, -300, -40, 40, 300}) {  // 1e-148 to 1e90
        const double scale = std::ldexp(1.0, power);
        const AdversaryGroups other = groups.times(Vector::Constant(2, scale));
        const TransportModel scaled_model = other.fit(options);
        EXPECT_LT(relative_error(transport(map_between(scaled_model, "a", "b"), other.first),
                                 scale * to_b),
                  1e-8);
        EXPECT_LT(relative_error(
                      transport(map_to_barycenter(scaled_model, "a", equal_thirds), other.first),
                      scale * between),
                  1e-8)
            << to_string(coupling) << " " << power;
      }
    }
  }
}

// With scale_features, a model of diagonal covariances commutes with the unit of each feature.
TEST(TransportAdversaries, WithScaledFeaturesFollowTheUnitOfEachFeature) {
  const AdversaryGroups groups;
  TransportOptions options = without_units(MapKind::soft);
  options.mixture.covariance_type = CovarianceType::diagonal;
  options.mixture.start = MixtureStart::random_responsibilities;  // k-means depends on units
  options.scale_features = true;
  const RowMatrix expected = transport(map_between(groups.fit(options), "a", "b"), groups.first);
  const Vector units{{0x1p-400, 0x1p300}};
  const AdversaryGroups other = groups.times(units);
  const RowMatrix images = transport(map_between(other.fit(options), "a", "b"), other.first);
  for (Index f = 0; f < 2; ++f) {
    EXPECT_LT(relative_error(images.col(f) / units[f], expected.col(f)), 1e-7) << f;
  }
}

// One component in one dimension: x -> n + (x - m) t / s for every kind of map.
TEST(TransportAdversaries, OfOneGaussianFollowTheClosedFormFarFromTheOrigin) {
  Random random(1);
  for (const double shift : {0.0, 1e9, -1e12}) {
    RowMatrix first(200, 1);
    RowMatrix second(200, 1);
    for (Index i = 0; i < 200; ++i) {
      first(i, 0) = shift + random.normal();
      second(i, 0) = 2.0 * shift + 3.0 * random.normal();
    }
    const std::vector<Group> groups{{"a", first}, {"b", second}};
    const auto moments = [](const RowMatrix& samples) {
      long double mean = 0.0L;
      for (const double value : samples.col(0)) mean += value / 200.0L;
      long double variance = 0.0L;
      for (const double value : samples.col(0))
        variance += (value - mean) * (value - mean) / 200.0L;
      return std::pair(mean, std::sqrt(variance));
    };
    const auto [m, s] = moments(first);
    const auto [n, t] = moments(second);
    for (const MapKind kind : every_kind) {
      TransportOptions options;
      options.map = kind;
      options.mixture.covariance_floor = 0.0;
      const RowMatrix images =
          transport(map_between(fit_transport(groups, options), "a", "b"), first);
      for (Index i = 0; i < 200; ++i) {
        const auto expected = static_cast<double>(n + (first(i, 0) - m) * t / s);
        EXPECT_NEAR(images(i, 0), expected, 1e-12 + 20.0 * epsilon * std::abs(shift));
      }
    }
  }
}

// A random map sends the mixture of one group to that of the other, whatever the weights of the
// samples: each component of b receives its weight.
TEST(TransportAdversaries, RandomMapsConserveMass) {
  Mixture source = random_mixture({.spread = 50.0, .seed = 7});
  Mixture target = random_mixture({.spread = 50.0, .seed = 8});
  source.weights = Vector{{1e-13, 0.3, 0.7 - 1e-13}};
  target.weights = Vector{{0.5, 1e-300, 0.5}};
  const std::vector<std::string> names{"a", "b"};
  const std::vector<Mixture> mixtures{source, target};
  for (const auto coupling : {CouplingMethod::plan, CouplingMethod::multimarginal}) {
    TransportOptions options;
    options.coupling = coupling;
    options.mixture.n_components = 3;
    const TransportModel model = couple_mixtures(names, mixtures, options);
    const RowMatrix points = sample(source, 20000, 1).samples;
    const RowMatrix images = transport(map_between(model, "a", "b"), points);
    ASSERT_TRUE(images.allFinite());
    Vector received = Vector::Zero(3);
    for (const int label : labels(target, images)) received[label] += 1.0 / 20000.0;
    EXPECT_LT((received - target.weights).cwiseAbs().maxCoeff(), 5.0 * 0.5 / std::sqrt(20000.0));
    // points of the lightest component still have images
    const RowMatrix light = source.means.row(0);
    EXPECT_TRUE(transport(map_between(model, "a", "b"), light).allFinite());
  }
}

TEST(TransportAdversaries, TakeDuplicatedAndConstantFeatures) {
  const AdversaryGroups groups;
  const auto extended = [](const RowMatrix& samples) {
    RowMatrix more(samples.rows(), 4);
    more << samples, samples.col(0), RowMatrix::Constant(samples.rows(), 1, 1e9);
    return more;
  };
  const AdversaryGroups more{extended(groups.first), extended(groups.second),
                             extended(groups.third)};
  for (const MapKind kind : every_kind) {
    TransportOptions options;
    options.mixture.n_components = 2;
    options.map = kind;
    const RowMatrix images = transport(map_between(more.fit(options), "a", "b"), more.first);
    // the copy stays a copy up to the floor, and the constant stays the constant
    EXPECT_LT((images.col(0) - images.col(2)).cwiseAbs().maxCoeff(), 1e-2);
    EXPECT_LT((images.col(3).array() - 1e9).abs().maxCoeff(), 1e-6);
  }
}

TEST(TransportAdversaries, SayWhichFeatureIsTooSmall) {
  const AdversaryGroups groups;
  for (const MapKind kind : every_kind) {
    expect_error<NumericalError>(
        [&] {
          (void)groups.times(Vector{{1.0, 1e-181}}).fit(without_units(kind));
        },
        "fit_transport: feature 1 (counted from 0) is not constant, but so small that its variance "
        "underflows; rescale that feature");
    EXPECT_NO_THROW((void)groups.times(Vector{{1.0, 0.0}}).fit(without_units(kind)));
  }
}

Mixture of_variance(CovarianceType type, double mean, double variance) {
  return {
      type, Vector::Ones(1), RowMatrix::Constant(1, 1, mean), {Matrix::Constant(1, 1, variance)}};
}

TEST(TransportAdversaries, SayWhatExceedsTheRangeOfDoubles) {
  const std::vector<std::string> names{"a", "b"};
  for (const CovarianceType type : all_covariance_types) {
    const auto couple = [&](const Mixture& first, const Mixture& second) {
      return couple_mixtures(names, std::vector<Mixture>{first, second}, {});
    };
    const TransportModel wide =
        couple(of_variance(type, 0.0, 1e-300), of_variance(type, 0.0, 1e60));
    EXPECT_EQ(
        transport(map_between(wide, "a", "b"), RowMatrix(RowMatrix::Constant(1, 1, 1e-150)))(0, 0),
        1e30);
    const TransportModel too_wide =
        couple(of_variance(type, 0.0, 1e-300), of_variance(type, 0.0, 1e300));
    expect_error<NumericalError>(
        [&] { (void)map_between(too_wide, "a", "b"); },
        "the map of component 0 stretches a feature by a factor of more than 1e200; rescale the "
        "features, or increase relative_covariance_floor");
    const std::string too_far =
        "the squared distance of two components exceeds the range of double precision; rescale the "
        "features";
    expect_error<NumericalError>(
        [&] { (void)couple(of_variance(type, 1e160, 1.0), of_variance(type, -1e160, 1.0)); },
        too_far);
    expect_error<NumericalError>(
        [&] {
          (void)mixture_distance(of_variance(type, 1e160, 1.0), of_variance(type, -1e160, 1.0));
        },
        too_far);
  }
}

}  // namespace
}  // namespace lbw
