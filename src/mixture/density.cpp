// SPDX-License-Identifier: MIT
#include <lbw/mixture.hpp>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "device/device.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

namespace {

/// Checks the arguments and returns the table for the device.
DensityTable checked_table(const Mixture& mixture, SampleView samples, const Execution& execution,
                           const char* function) {
  check_mixture(mixture, function, "mixture");
  check_samples(samples, function, "samples", execution);
  check_execution(execution, function);
  require(samples.n_features() == mixture.n_features(), function, ": samples have ",
          counted(samples.n_features(), "feature"), ", the mixture has ", mixture.n_features());
  return density_table(mixture);
}

}  // namespace

Vector log_density(const Mixture& mixture, SampleView samples, const Execution& execution) {
  Vector out;
  const DensityTable table = checked_table(mixture, samples, execution, "log_density");
  device_of(execution).log_densities(samples, table, execution, out);
  return out;
}

double mean_log_likelihood(const Mixture& mixture, SampleView samples, const Execution& execution) {
  const DensityTable table = checked_table(mixture, samples, execution, "mean_log_likelihood");
  const Chunks batches = Chunks::batches(samples.n_samples(), samples.n_features());
  Vector densities;
  double sum = 0.0;
  for (Index batch = 0; batch < batches.count(); ++batch) {
    device_of(execution).log_densities(samples.rows(batches.begin(batch), batches.size_of(batch)),
                                       table, execution, densities);
    for (const double value : densities) sum += value;
  }
  return sum / static_cast<double>(samples.n_samples());
}

RowMatrix responsibilities(const Mixture& mixture, SampleView samples, const Execution& execution) {
  RowMatrix out;
  const DensityTable table = checked_table(mixture, samples, execution, "responsibilities");
  device_of(execution).responsibilities(samples, table, execution, out);
  return out;
}

Labels labels(const Mixture& mixture, SampleView samples, const Execution& execution) {
  Labels out;
  const DensityTable table = checked_table(mixture, samples, execution, "labels");
  device_of(execution).labels(samples, table, execution, out);
  return out;
}

}  // namespace lbw
