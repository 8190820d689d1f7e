// SPDX-License-Identifier: MIT
// What the moment sums of every kernel must satisfy.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "device/cpu_device.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

/// Sums of both precisions are bitwise equal for any number of threads.
inline void expect_same_sums_for_any_threads(const Mixture& mixture, const RowMatrix& samples) {
  const DensityTable table = density_table(mixture);
  for (const Precision precision : {Precision::f64, Precision::f32}) {
    const MomentSums one = cpu_device().moment_sums({samples, {}}, table, precision, {1});
    for (const int n_threads : {2, 3, 7}) {
      const MomentSums many =
          cpu_device().moment_sums({samples, {}}, table, precision, {n_threads});
      EXPECT_EQ(one.log_likelihood, many.log_likelihood);
      EXPECT_EQ(one.component_weight, many.component_weight);
      EXPECT_EQ(one.first, many.first);
      EXPECT_EQ(one.second, many.second);
    }
  }
}

/// A sample so far away that its density is 0 makes no sum of either precision NaN.
inline void expect_finite_sums_of_far_samples(const Mixture& mixture) {
  RowMatrix samples = sample(mixture, 40, 1).samples;
  samples.row(7).setConstant(1e100);
  for (const Precision precision : {Precision::f64, Precision::f32}) {
    const MomentSums sums =
        cpu_device().moment_sums({samples, {}}, density_table(mixture), precision, {1});
    EXPECT_FALSE(std::isnan(sums.log_likelihood));
    EXPECT_EQ(sums.worst_sample, samples.row(7).transpose());
    EXPECT_TRUE(sums.component_weight.allFinite());
    EXPECT_TRUE(sums.second[0].allFinite());
  }
}

}  // namespace lbw
