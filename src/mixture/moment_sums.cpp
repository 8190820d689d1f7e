// SPDX-License-Identifier: MIT
#include <lbw/fit_mixture.hpp>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "device/device.hpp"
#include "mixture/checks.hpp"
#include "mixture/covariances.hpp"
#include "mixture/digest.hpp"

namespace lbw {

MomentSums moment_sums(const Mixture& mixture, SampleView samples,
                       std::span<const double> sample_weights, const Execution& execution,
                       Precision precision) {
  const DensityTable table = checked_density_table(mixture, "moment_sums", "mixture");
  check_samples(samples, "moment_sums", "samples", execution);
  check_execution(execution, "moment_sums");
  check_sample_weights({samples, sample_weights}, "moment_sums");
  check_block_weights({samples, sample_weights}, "moment_sums");
  require(samples.n_features() == mixture.n_features(), "moment_sums: samples have ",
          counted(samples.n_features(), "feature"), ", the mixture has ", mixture.n_features());
  MomentSums sums =
      device_of(execution).moment_sums({samples, sample_weights}, table, precision, execution);
  check_range_of_sums(sums, mixture, "moment_sums");
  sums.mixture = digest_of(mixture);
  return sums;
}

}  // namespace lbw
