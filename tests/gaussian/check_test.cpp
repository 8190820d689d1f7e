// SPDX-License-Identifier: MIT
#include "gaussian/check.hpp"

#include <gtest/gtest.h>

#include <lbw/types.hpp>
#include <limits>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

Matrix two_by_two(double a, double b, double c, double d) {
  return (Matrix(2, 2) << a, b, c, d).finished();
}

void check(const Matrix& covariance) { check_covariance(covariance, "f", "covariance"); }

TEST(CheckCovariance, AcceptsSingularOnesAndRoundingNoise) {
  check(Matrix::Zero(3, 3));
  check(Matrix::Ones(3, 3));
  check(two_by_two(1.0, 0.0, 0.0, -1e-11));
  check(two_by_two(1.0, 0.5, 0.5 + 1e-9, 1.0));
}

TEST(CheckCovariance, JudgesRelativeToTheLargestAtAnyScale) {
  for (const double scale : {1e-200, 1.0, 1e200}) {
    EXPECT_NO_THROW(check(scale * two_by_two(1.0, 0.0, 0.0, -1e-11)));
    EXPECT_THROW(check(scale * two_by_two(1.0, 0.0, 0.0, -1e-9)), InvalidArgument);
    EXPECT_NO_THROW(check(scale * two_by_two(1.0, 0.5, 0.5 + 0.9e-8, 1.0)));
    EXPECT_THROW(check(scale * two_by_two(1.0, 0.5, 0.5 + 1.1e-8, 1.0)), InvalidArgument);
  }
}

TEST(CheckCovariance, NamesAnEntryThatIsNotFinite) {
  expect_error<InvalidArgument>(
      [] { check(two_by_two(1, std::numeric_limits<double>::quiet_NaN(), 0, 1)); },
      "f: covariance(0, 1) is nan, expected a finite number");
  expect_error<InvalidArgument>(
      [] { check(two_by_two(1, 0, 0, -std::numeric_limits<double>::infinity())); },
      "f: covariance(1, 1) is -inf, expected a finite number");
}

TEST(CheckCovariance, NamesThePairThatIsNotSymmetric) {
  expect_error<InvalidArgument>([] { check(two_by_two(1, 0.25, 0.5, 1)); },
                                "f: covariance(0, 1) is 0.25 and (1, 0) is 0.5, expected a "
                                "symmetric matrix (within 1e-8 of its largest entry)");
}

TEST(CheckCovariance, NamesTheNegativeEigenvalue) {
  expect_error<InvalidArgument>([] { check(two_by_two(3, 0, 0, -2)); },
                                "f: covariance has the eigenvalue -2, expected a positive "
                                "semidefinite matrix (eigenvalues >= -1e-10 of the largest)");
  // all negative, so there is no positive eigenvalue as reference
  expect_error<InvalidArgument>([] { check(Matrix::Constant(1, 1, -0x1p-900)); },
                                "f: covariance has the eigenvalue -1.1830521861667747e-271, "
                                "expected a positive semidefinite matrix (eigenvalues >= -1e-10 of "
                                "the largest)");
}

TEST(CheckGaussian, NamesTheMeanThatDoesNotFit) {
  expect_error<InvalidArgument>(
      [] {
        check_gaussian({Vector::Zero(1), Matrix::Identity(2, 2)}, "f", "groups[3]");
      },
      "f: groups[3].mean has 1 entry, expected 2, one per feature of groups[3].covariance");
}

}  // namespace
}  // namespace lbw
