// SPDX-License-Identifier: MIT
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "device/device.hpp"
#include "mixture/checks.hpp"
#include "mixture/covariances.hpp"
#include "mixture/unchecked.hpp"

namespace lbw {

namespace {

void check_samples_of(const Mixture& mixture, SampleView samples, const Execution& execution,
                      const char* function) {
  check_samples(samples, function, "samples", execution);
  check_execution(execution, function);
  require(samples.n_features() == mixture.n_features(), function, ": samples have ",
          counted(samples.n_features(), "feature"), ", the mixture has ", mixture.n_features());
}

/// The table for the device, after the checks that every function here makes.
DensityTable checked_table(const Mixture& mixture, SampleView samples, const Execution& execution,
                           const char* function) {
  DensityTable table = checked_density_table(mixture, function, "mixture");
  check_samples_of(mixture, samples, execution, function);
  return table;
}

Vector densities_by(const DensityTable& table, SampleView samples, const Execution& execution) {
  Vector out;
  device_of(execution).log_densities(samples, table, execution, out);
  return out;
}

double mean_by(const DensityTable& table, SampleView samples, const Execution& execution) {
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

}  // namespace

Vector log_density(const Mixture& mixture, SampleView samples, const Execution& execution) {
  return densities_by(checked_table(mixture, samples, execution, "log_density"), samples,
                      execution);
}

double mean_log_likelihood(const Mixture& mixture, SampleView samples, const Execution& execution) {
  return mean_by(checked_table(mixture, samples, execution, "mean_log_likelihood"), samples,
                 execution);
}

Vector log_density_unchecked(const Mixture& mixture, SampleView samples,
                             const Execution& execution) {
  check_samples_of(mixture, samples, execution, "log_density");
  return densities_by(density_table(mixture), samples, execution);
}

double mean_log_likelihood_unchecked(const Mixture& mixture, SampleView samples,
                                     const Execution& execution) {
  check_samples_of(mixture, samples, execution, "mean_log_likelihood");
  return mean_by(density_table(mixture), samples, execution);
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
