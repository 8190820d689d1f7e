// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <lbw/gaussian.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <vector>

#include "support/epsilon.hpp"
#include "support/expect_error.hpp"
#include "support/gaussian_oracles.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

// Eigenvalues within 0.1 ... 3: conditions up to 30, and some ten roundings.
constexpr double well_conditioned = 1e-12;

TEST(MapMatrix, SendsSourceCovarianceToTarget) {
  for (const Index d : {1, 2, 5, 12, 40}) {
    for (const GaussianPair& pair :
         random_gaussian_pairs({.dimension = d, .count = 10, .seed = 7})) {
      const Matrix map = map_matrix(pair.source.covariance, pair.target.covariance);
      EXPECT_LT(relative_error(map * pair.source.covariance * map, pair.target.covariance),
                well_conditioned);
    }
  }
}

TEST(MapMatrix, IsEquationThree) {
  for (const Index d : {1, 2, 3, 8, 20}) {
    for (const GaussianPair& pair :
         random_gaussian_pairs({.dimension = d, .count = 10, .seed = 8})) {
      const Matrix& source = pair.source.covariance;
      const Matrix& target = pair.target.covariance;
      EXPECT_LT(relative_error(map_matrix(source, target), oracle::map_matrix(source, target)),
                well_conditioned);
    }
  }
}

TEST(MapMatrix, IsSymmetricToTheLastBitAndPositiveDefinite) {
  for (const GaussianPair& pair : random_gaussian_pairs({.dimension = 6, .count = 20, .seed = 9})) {
    const Matrix map = map_matrix(pair.source.covariance, pair.target.covariance);
    EXPECT_EQ(map, Matrix(map.transpose()));
    EXPECT_GT(oracle::smallest_eigenvalue(map), 0.0);
  }
}

TEST(MapMatrix, BackIsTheInverse) {
  for (const GaussianPair& pair :
       random_gaussian_pairs({.dimension = 5, .count = 20, .seed = 10})) {
    const Matrix there = map_matrix(pair.source.covariance, pair.target.covariance);
    const Matrix back = map_matrix(pair.target.covariance, pair.source.covariance);
    EXPECT_LT(relative_error(back * there, Matrix::Identity(5, 5)), well_conditioned);
  }
}

TEST(MapMatrix, OfOneFeatureIsTheRatioOfStandardDeviations) {
  for (const double source : {1e-300, 1e-12, 0.3, 2.0, 1e12, 1e300}) {
    for (const double target : {1e-300, 0.7, 1e300}) {
      const double map =
          map_matrix(Matrix::Constant(1, 1, source), Matrix::Constant(1, 1, target))(0, 0);
      const double expected = std::sqrt(target) / std::sqrt(source);
      EXPECT_NEAR(map / expected, 1.0, 8 * epsilon);
    }
  }
}

TEST(MapMatrix, OfDiagonalCovariancesWorksFeatureByFeatureInAnyUnits) {
  const Vector source{{1e-40, 4.0, 1e30}};
  const Vector target{{4e-40, 1.0, 9e30}};
  const Matrix map = map_matrix(source.asDiagonal(), target.asDiagonal());
  EXPECT_LT(relative_error(map, Vector{{2.0, 0.5, 3.0}}.asDiagonal()), 8 * epsilon);
}

TEST(MapMatrix, OfEqualCovariancesIsExactlyTheIdentity) {
  Random random(11);
  const Matrix regular = random_covariance(graded_eigenvalues(7, 1e10), random);
  EXPECT_EQ(map_matrix(regular, regular), Matrix(Matrix::Identity(7, 7)));
  EXPECT_EQ(map_matrix(Matrix::Zero(2, 2), Matrix::Zero(2, 2)), Matrix(Matrix::Identity(2, 2)));
}

TEST(MapMatrix, CommutesWithRotation) {
  Random random(12);
  for (const GaussianPair& pair :
       random_gaussian_pairs({.dimension = 5, .count = 10, .seed = 13})) {
    const Matrix& source = pair.source.covariance;
    const Matrix& target = pair.target.covariance;
    const Matrix rotation = random_rotation(5, random);
    const auto rotated = [&](const Matrix& matrix) -> Matrix {
      return rotation * matrix * rotation.transpose();
    };
    EXPECT_LT(relative_error(map_matrix(rotated(source), rotated(target)),
                             rotated(map_matrix(source, target))),
              well_conditioned);
  }
}

TEST(MapMatrix, ScalesWithTheRootsOfHugeAndTinyFactors) {
  const GaussianPair pair = random_gaussian_pairs({.dimension = 4, .count = 1, .seed = 14})[0];
  const Matrix& source = pair.source.covariance;
  const Matrix& target = pair.target.covariance;
  const Matrix expected = map_matrix(source, target);
  EXPECT_LT(relative_error(map_matrix(source * 1e200, target * 1e200), expected), 1e-12);
  EXPECT_LT(relative_error(map_matrix(source * 1e-200, target * 1e-200), expected), 1e-12);
  EXPECT_LT(relative_error(map_matrix(source * 1e200, target * 1e-200) * 1e200, expected), 1e-12);
  EXPECT_LT(relative_error(map_matrix(source * 1e-300, target * 1e300) * 1e-300, expected), 1e-12);
}

// S has a rounding error of epsilon ||S||, which T turns into epsilon ||S|| ||T||^2 in
// T S T, and ||T||^2 is at most condition * ||R|| / ||S||.
TEST(MapMatrix, LosesNoMoreDigitsThanTheConditionAllows) {
  Random random(15);
  for (const double condition : {1e3, 1e6, 1e9, 1e12}) {
    for (const Index d : {2, 6, 20}) {
      const Matrix source = random_covariance(graded_eigenvalues(d, condition), random);
      const Matrix target = random_covariance(graded_eigenvalues(d, condition), random);
      const Matrix map = map_matrix(source, target);
      EXPECT_LT(relative_error(map * source * map, target), 50 * epsilon * condition);
      // positive semidefinite to the rounding of its largest entries
      EXPECT_GE(oracle::smallest_eigenvalue(map), -static_cast<double>(d) * epsilon * map.norm());
    }
  }
}

TEST(MapMatrix, IsZeroWhereTheSourceHasNoVariance) {
  Random random(16);
  const Matrix rotation = random_rotation(4, random);
  const Vector variances{{2.0, 1.0, 0.0, 0.0}};
  const Matrix source = rotation * variances.asDiagonal() * rotation.transpose();
  const Matrix target = random_gaussian(4, random).covariance;
  const Matrix map = map_matrix(source, target);
  EXPECT_LT((map * rotation.rightCols(2)).norm(), 100 * epsilon * map.norm());
  // on the range of S it is the map onto the target seen from there: T S T = R on that range
  const Matrix range = rotation.leftCols(2);
  EXPECT_LT(relative_error(range.transpose() * map * source * map * range,
                           range.transpose() * target * range),
            1e-12);
  EXPECT_GE(oracle::smallest_eigenvalue(map), -100 * epsilon * map.norm());
}

TEST(MapMatrix, OntoASingularTargetFlattens) {
  Random random(17);
  const Matrix source = random_gaussian(4, random).covariance;
  const Matrix target = random_covariance(Vector{{3.0, 1.0, 0.0, 0.0}}, random);
  const Matrix map = map_matrix(source, target);
  EXPECT_LT(relative_error(map * source * map, target), well_conditioned);
  EXPECT_LT(relative_error(map_matrix(source, Matrix::Zero(4, 4)), Matrix::Zero(4, 4)), 1e-300);
}

TEST(MapMatrix, FromAPointIsZero) {
  Random random(18);
  const Matrix target = random_gaussian(3, random).covariance;
  EXPECT_EQ(map_matrix(Matrix::Zero(3, 3), target), Matrix(Matrix::Zero(3, 3)));
}

TEST(GaussianMap, MapsMeanToMeanAndCovarianceToCovariance) {
  const GaussianPair pair = random_gaussian_pairs({.dimension = 3, .count = 1, .seed = 19})[0];
  const AffineMap map = gaussian_map(pair.source, pair.target);
  EXPECT_EQ(map(pair.source.mean), pair.target.mean);
  EXPECT_EQ(map.matrix, map_matrix(pair.source.covariance, pair.target.covariance));
}

TEST(GaussianMap, MovesWithTheMeans) {
  GaussianPair pair = random_gaussian_pairs({.dimension = 3, .count = 1, .seed = 20})[0];
  const Vector point{{0.3, -2.0, 1.0}};
  const Vector expected = gaussian_map(pair.source, pair.target)(point);
  const Vector shift{{1.0, 2.0, -4.0}};
  pair.source.mean += shift;
  pair.target.mean += shift;
  EXPECT_LT(relative_error(gaussian_map(pair.source, pair.target)(point + shift), expected + shift),
            10 * epsilon);
}

// Regular, nearly singular, singular, diagonal and equal covariances.
std::vector<GaussianPair> pairs_of_every_kind(Index d) {
  Random random(24);
  std::vector<GaussianPair> pairs =
      random_gaussian_pairs({.dimension = d, .count = 60, .seed = 25});
  for (const double condition : {1e3, 1e4, 1e5, 1e6, 1e12}) {
    pairs[static_cast<std::size_t>(std::log10(condition))].source.covariance =
        random_covariance(graded_eigenvalues(d, condition), random);
  }
  Vector variances = Vector::Ones(d);
  variances[0] = 0.0;
  pairs[20].source.covariance = random_covariance(variances, random);
  pairs[21].target.covariance = random_covariance(variances, random);
  pairs[22].target.covariance = variances.asDiagonal();
  pairs[23].target = pairs[23].source;
  return pairs;
}

TEST(GaussianMaps, AreThoseOfThePairsBitForBitAtAnyThreadCount) {
  for (const Index d : {1, 2, 3, 12, 30}) {
    std::vector<Gaussian> sources;
    std::vector<Gaussian> targets;
    for (const GaussianPair& pair : pairs_of_every_kind(d)) {
      sources.push_back(pair.source);
      targets.push_back(pair.target);
    }
    for (const int n_threads : {1, 2, 5}) {
      const std::vector<AffineMap> maps = gaussian_maps(sources, targets, {.n_threads = n_threads});
      ASSERT_EQ(maps.size(), sources.size());
      for (std::size_t i = 0; i < maps.size(); ++i) {
        const AffineMap expected = gaussian_map(sources[i], targets[i]);
        EXPECT_EQ(maps[i].matrix, expected.matrix);
        EXPECT_EQ(maps[i].source_mean, expected.source_mean);
        EXPECT_EQ(maps[i].target_mean, expected.target_mean);
      }
    }
  }
}

// T S T = R up to the rounding of S transformed by T, for every algorithm.
TEST(MapMatrix, IsContinuousWhereTheAlgorithmChanges) {
  Random random(26);
  for (const Index d : {2, 3, 10}) {
    for (double condition = 1e2; condition < 1e8; condition *= 3.0) {
      const Matrix source = random_covariance(graded_eigenvalues(d, condition), random);
      const Matrix target = random_covariance(graded_eigenvalues(d, condition), random);
      const Matrix map = map_matrix(source, target);
      EXPECT_LT(relative_error(map * source * map, target), 50 * epsilon * condition);
    }
  }
}

TEST(GaussianMaps, OfNoneAreNone) { EXPECT_TRUE(gaussian_maps({}, {}).empty()); }

TEST(GaussianMaps, RefuseTheFirstBadGaussianByItsPlace) {
  std::vector<Gaussian> sources = random_gaussians(3, 40, 27);
  const std::vector<Gaussian> targets = random_gaussians(3, 40, 28);
  sources[17].covariance = Vector{{1.0, -1.0, 2.0}}.asDiagonal();
  sources[31].mean[2] = std::numeric_limits<double>::quiet_NaN();
  for (const int n_threads : {1, 3}) {
    expect_error<InvalidArgument>(
        [&] { (void)gaussian_maps(targets, sources, {.n_threads = n_threads}); },
        "gaussian_maps: targets[17].covariance has the eigenvalue -1, expected a positive "
        "semidefinite matrix (eigenvalues >= -1e-10 of the largest)");
    sources[17] = targets[17];
    expect_error<InvalidArgument>(
        [&] { (void)gaussian_maps(sources, targets, {.n_threads = n_threads}); },
        "gaussian_maps: sources[31].mean[2] is nan, expected a finite number");
    sources[17].covariance = Vector{{1.0, -1.0, 2.0}}.asDiagonal();
  }
  expect_error<InvalidArgument>(
      [&] { (void)gaussian_maps(sources, std::span(targets).first(7)); },
      "gaussian_maps: sources has 40 Gaussians and targets 7, expected equal numbers");
}

// The first four entries of these covariances are a covariance of the two features of the means.
TEST(GaussianMaps, RefuseCovariancesOfMoreFeaturesThanTheMeans) {
  const auto gaussian = [](double variance) -> Gaussian {
    return {Vector::Zero(2), Matrix::Ones(3, 3) + variance * Matrix::Identity(3, 3)};
  };
  const std::vector<Gaussian> sources(4, gaussian(1.0));
  const std::vector<Gaussian> targets(4, gaussian(2.0));
  expect_error<InvalidArgument>([&] { (void)gaussian_maps(sources, targets); },
                                "gaussian_maps: sources[0].mean has 2 entries, expected 3, one per "
                                "feature of sources[0].covariance");
}

TEST(PartialMap, IsExactlyTheIdentityAtZeroAndTheMapAtOne) {
  const GaussianPair pair = random_gaussian_pairs({.dimension = 3, .count = 1, .seed = 21})[0];
  const AffineMap map = gaussian_map(pair.source, pair.target);
  const Vector point{{1.0 / 3.0, 1e-9, 12345.678}};
  EXPECT_EQ(partial_map(map, 0.0)(point), point);
  const AffineMap whole = partial_map(map, 1.0);
  EXPECT_EQ(whole.source_mean, map.source_mean);
  EXPECT_EQ(whole.matrix, map.matrix);
  EXPECT_EQ(whole.target_mean, map.target_mean);
}

TEST(PartialMap, InterpolatesByTheGivenFraction) {
  const GaussianPair pair = random_gaussian_pairs({.dimension = 3, .count = 1, .seed = 22})[0];
  const AffineMap map = gaussian_map(pair.source, pair.target);
  const Vector point{{0.5, -1.0, 2.0}};
  for (const double amount : {0.1, 0.5, 0.9}) {
    const Vector expected = point + amount * (map(point) - point);
    EXPECT_LT(relative_error(partial_map(map, amount)(point), expected), 20 * epsilon);
  }
}

TEST(PartialMap, OfADiagonalIsThatOfItsMatrix) {
  const AffineMap diagonal{Vector{{1.0, 2.0}}, Vector{{3.0, 0.25}}, Vector{{-1.0, 5.0}}};
  const AffineMap dense{diagonal.source_mean, diagonal.dense_matrix(), diagonal.target_mean};
  EXPECT_EQ(diagonal.dense_matrix(), (Matrix{{3.0, 0.0}, {0.0, 0.25}}));
  const Vector point{{0.5, -1.0 / 3.0}};
  for (const double amount : {0.0, 0.3, 1.0}) {
    const AffineMap part = partial_map(diagonal, amount);
    EXPECT_EQ(part.matrix.cols(), 1);
    EXPECT_EQ(part(point), partial_map(dense, amount)(point));
  }
}

TEST(PartialMap, MovesTheCovarianceAlongTheGeodesic) {
  const GaussianPair pair = random_gaussian_pairs({.dimension = 4, .count = 1, .seed = 23})[0];
  const Matrix matrix = partial_map(gaussian_map(pair.source, pair.target), 0.3).matrix;
  const Matrix expected =
      oracle::geodesic_covariance(pair.source.covariance, pair.target.covariance, 0.3);
  EXPECT_LT(relative_error(matrix * pair.source.covariance * matrix, expected), well_conditioned);
}

TEST(MapMatrix, RefusesDifferentDimensions) {
  expect_error<InvalidArgument>(
      [] { (void)map_matrix(Matrix::Identity(2, 2), Matrix::Identity(3, 3)); },
      "map_matrix: source_covariance has 2 features and target_covariance 3, expected equal "
      "numbers");
}

TEST(MapMatrix, RefusesEitherCovarianceByName) {
  expect_error<InvalidArgument>(
      [] { (void)map_matrix(Matrix::Ones(2, 3), Matrix::Identity(2, 2)); },
      "map_matrix: source_covariance is 2 x 3, expected a square matrix of at least one feature");
  expect_error<InvalidArgument>(
      [] { (void)map_matrix(Matrix::Identity(2, 2), Matrix(0, 0)); },
      "map_matrix: target_covariance is 0 x 0, expected a square matrix of at least one feature");
}

TEST(GaussianMap, RefusesBadGaussiansByName) {
  const Gaussian good{Vector::Zero(2), Matrix::Identity(2, 2)};
  expect_error<InvalidArgument>(
      [&] {
        (void)gaussian_map({Vector::Zero(3), Matrix::Identity(2, 2)}, good);
      },
      "gaussian_map: source.mean has 3 entries, expected 2, one per feature of source.covariance");
  expect_error<InvalidArgument>(
      [&] {
        (void)gaussian_map(good, {Vector::Zero(2), -Matrix::Identity(2, 2)});
      },
      "gaussian_map: target.covariance has the eigenvalue -1, expected a positive semidefinite "
      "matrix (eigenvalues >= -1e-10 of the largest)");
  expect_error<InvalidArgument>(
      [&] {
        (void)gaussian_map(good, {Vector::Zero(1), Matrix::Identity(1, 1)});
      },
      "gaussian_map: source has 2 features and target 1, expected equal numbers");
}

TEST(PartialMap, RefusesAmountsOutsideZeroToOne) {
  const AffineMap map{Vector::Zero(1), Matrix::Identity(1, 1), Vector::Zero(1)};
  expect_error<InvalidArgument>([&] { (void)partial_map(map, 1.5); },
                                "partial_map: amount is 1.5, expected a number from 0 to 1");
  expect_error<InvalidArgument>([&] { (void)partial_map(map, -0.25); },
                                "partial_map: amount is -0.25, expected a number from 0 to 1");
  expect_error<InvalidArgument>(
      [&] { (void)partial_map(map, std::numeric_limits<double>::quiet_NaN()); },
      "partial_map: amount is nan, expected a number from 0 to 1");
}

TEST(PartialMap, RefusesMapsWhosePartsDisagree) {
  expect_error<InvalidArgument>(
      [] {
        (void)partial_map({Vector::Zero(2), Matrix::Identity(2, 3), Vector::Zero(2)}, 0.5);
      },
      "partial_map: map has a source_mean of 2, a matrix of 2 x 3 and a target_mean of 2, expected "
      "the same number of features in all");
  expect_error<InvalidArgument>(
      [] {
        const Matrix matrix = Matrix::Constant(1, 1, std::numeric_limits<double>::infinity());
        (void)partial_map({Vector::Zero(1), matrix, Vector::Zero(1)}, 0.5);
      },
      "partial_map: map contains values that are not finite, expected finite values");
}

}  // namespace
}  // namespace lbw
