// SPDX-License-Identifier: MIT
// Every loop over samples runs on the device that the execution names, and samples of a fit are
// copied to it once.
#include <gtest/gtest.h>

#include <lbw/dither.hpp>
#include <lbw/fit_transport.hpp>
#include <lbw/quantile.hpp>
#include <lbw/report.hpp>
#include <lbw/transport.hpp>
#include <map>
#include <mutex>

#include "device/cpu_device.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

/// Counts the calls and runs them on the CPU.
class CountingDevice final : public Device {
 public:
  struct Copy final : ResidentSamples {};

  [[nodiscard]] std::map<std::string, int> take_counts() const {
    return std::exchange(counts_, {});
  }

  std::unique_ptr<ResidentSamples> keep(const WeightedSamples& /*samples*/,
                                        const Execution& /*execution*/) const override {
    count("keep");
    return std::make_unique<Copy>();
  }
  MomentSums moment_sums(const WeightedSamples& s, const DensityTable& t, Precision p,
                         const Execution& e) const override {
    count(s.resident ? "moment_sums" : "moment_sums of copies");
    return cpu_device().moment_sums(s, t, p, e);
  }
  void log_densities(SampleView s, const DensityTable& t, const Execution& e,
                     Vector& out) const override {
    count("log_densities");
    cpu_device().log_densities(s, t, e, out);
  }
  void responsibilities(SampleView s, const DensityTable& t, const Execution& e,
                        RowMatrix& out) const override {
    count("responsibilities");
    cpu_device().responsibilities(s, t, e, out);
  }
  void labels(SampleView s, const DensityTable& t, const Execution& e, Labels& out) const override {
    count("labels");
    cpu_device().labels(s, t, e, out);
  }
  void apply_maps(SampleView s, const DensityTable& t, const MapTable& m, const BatchCheck& c,
                  const Execution& e, Eigen::Ref<RowMatrix> out) const override {
    count("apply_maps");
    cpu_device().apply_maps(s, t, m, c, e, out);
  }
  void blend_maps(SampleView s, const DensityTable& t, const MapTable& m, const BatchCheck& c,
                  const Execution& e, Eigen::Ref<RowMatrix> out) const override {
    count("blend_maps");
    cpu_device().blend_maps(s, t, m, c, e, out);
  }
  void draw_maps(SampleView s, const DensityTable& t, const MapTable& m, const PieceTable& p,
                 std::span<const std::uint64_t> k, const BatchCheck& c, const Execution& e,
                 Eigen::Ref<RowMatrix> out) const override {
    count("draw_maps");
    cpu_device().draw_maps(s, t, m, p, k, c, e, out);
  }
  MomentSums nearest_sums(const WeightedSamples& s, const RowMatrix& c, CovarianceType t,
                          const Execution& e) const override {
    count(s.resident ? "nearest_sums" : "nearest_sums of copies");
    return cpu_device().nearest_sums(s, c, t, e);
  }
  std::unique_ptr<MovingCenters> moving_centers(const WeightedSamples& s,
                                                const Execution& e) const override {
    count(s.resident ? "moving_centers" : "moving_centers of copies");
    return cpu_device().moving_centers(s, e);
  }
  Vector potentials(const WeightedSamples& s, const RowMatrix& c, const Vector& d,
                    const Execution& e) const override {
    count(s.resident ? "potentials" : "potentials of copies");
    return cpu_device().potentials(s, c, d, e);
  }
  std::vector<Index> draws_by_distance(const WeightedSamples& s, const Vector& d,
                                       std::span<const double> f) const override {
    count(s.resident ? "draws_by_distance" : "draws_by_distance of copies");
    return cpu_device().draws_by_distance(s, d, f);
  }
  MomentSums random_sums(const WeightedSamples& s, const Vector& c, Index k, CovarianceType t,
                         Random& r) const override {
    count(s.resident ? "random_sums" : "random_sums of copies");
    return cpu_device().random_sums(s, c, k, t, r);
  }
  void lower_distances(const WeightedSamples& s, const Vector& c, const Execution& e,
                       Vector& d) const override {
    count(s.resident ? "lower_distances" : "lower_distances of copies");
    cpu_device().lower_distances(s, c, e, d);
  }
  void project(SampleView s, const Matrix& a, const Execution& e, Matrix& out) const override {
    count("project");
    cpu_device().project(s, a, e, out);
  }
  void rotate(const Matrix& m, const RowMatrix& p, const Execution& e,
              RowMatrix& out) const override {
    count("rotate");
    cpu_device().rotate(m, p, e, out);
  }
  void apply_steps(std::span<const StepTable> s, const Execution& e,
                   Eigen::Ref<RowMatrix> p) const override {
    count("apply_steps");
    cpu_device().apply_steps(s, e, p);
  }
  void apply_knots(const MonotoneKnots& k, std::span<const double> v, const Execution& e,
                   std::span<double> out) const override {
    count("apply_knots");
    cpu_device().apply_knots(k, v, e, out);
  }
  void add_noise(SampleView s, const NoiseTable& n, std::span<const std::uint64_t> k,
                 const Execution& e, Eigen::Ref<RowMatrix> out) const override {
    count("add_noise");
    cpu_device().add_noise(s, n, k, e, out);
  }
  std::vector<std::vector<int>> nearest_across(const RowMatrix& p, const std::vector<bool>& h,
                                               int n, const Execution& e) const override {
    count("nearest_across");
    return cpu_device().nearest_across(p, h, n, e);
  }

 private:
  void count(const std::string& call) const {
    const std::lock_guard lock(mutex_);
    ++counts_[call];
  }

  mutable std::mutex mutex_;
  mutable std::map<std::string, int> counts_;
};

const CountingDevice& counting_device() {
  static const CountingDevice& device = []() -> const CountingDevice& {
    static const CountingDevice own;
    register_device("counting", own);
    return own;
  }();
  (void)device.take_counts();
  return device;
}

Execution counted() {
  Execution execution{2};
  execution.device = "counting";
  return execution;
}

RowMatrix some_samples(Index n, std::uint64_t seed) {
  Random random(seed);
  return random_normal_matrix(n, 3, random);
}

TEST(DeviceUse, FitCopiesSamplesOnceAndRunsEveryPassOnTheCopy) {
  const CountingDevice& device = counting_device();
  const RowMatrix samples = some_samples(3000, 1);
  MixtureOptions options{.n_components = 4};
  options.start_samples = 3000;
  const MixtureFit expected = fit_mixture(samples, options);
  options.execution = counted();
  const MixtureFit fit = fit_mixture(samples, options);
  const auto counts = device.take_counts();
  EXPECT_EQ(fit.mixture.means, expected.mixture.means);
  EXPECT_EQ(counts.at("keep"), 1);
  EXPECT_GE(counts.at("moment_sums"), fit.iterations);
  EXPECT_GT(counts.at("nearest_sums"), 0);
  EXPECT_GT(counts.at("moving_centers"), 0);
  EXPECT_GT(counts.at("potentials"), 0);
  EXPECT_GT(counts.at("lower_distances"), 0);
  EXPECT_GT(counts.at("draws_by_distance"), 0);
  for (const auto& [call, count] : counts)
    EXPECT_EQ(call.find("copies"), std::string::npos) << call;
}

TEST(DeviceUse, RandomStartsRunOnTheCopy) {
  const CountingDevice& device = counting_device();
  const RowMatrix samples = some_samples(3000, 1);
  MixtureOptions options{.n_components = 4};
  options.start = MixtureStart::random_responsibilities;
  options.start_samples = 3000;
  options.execution = counted();
  (void)fit_mixture(samples, options);
  const auto counts = device.take_counts();
  EXPECT_EQ(counts.at("random_sums"), 1);
  for (const auto& [call, count] : counts)
    EXPECT_EQ(call.find("copies"), std::string::npos) << call;
}

TEST(DeviceUse, TransportRunsOnTheDeviceAndGivesTheSameResult) {
  const CountingDevice& device = counting_device();
  const RowMatrix a = some_samples(900, 2);
  const RowMatrix b = (some_samples(800, 3).array().square() * 2.0).round().matrix();
  const std::vector<Group> groups = {{"a", a}, {"b", b}};
  TransportOptions options;
  options.mixture.n_components = 2;
  options.refine = 3;
  options.dither = Dither::automatically();
  const TransportModel expected = fit_transport(groups, options);
  options.mixture.execution = counted();
  const TransportModel model = fit_transport(groups, options);
  auto counts = device.take_counts();
  EXPECT_GT(counts["moment_sums"], 0);
  EXPECT_GT(counts["rotate"], 0);
  EXPECT_GT(counts["apply_knots"], 0);
  EXPECT_GT(counts["add_noise"], 0);
  const LocalMap map = map_between(model, "b", "a");
  EXPECT_EQ(transport(map, b, counted()), transport(map_between(expected, "b", "a"), b, {2}));
  counts = device.take_counts();
  EXPECT_GT(counts["draw_maps"], 0);
}

TEST(DeviceUse, QuantileMapsAndReportsRunOnTheDevice) {
  const CountingDevice& device = counting_device();
  const QuantileMap map{{Vector{{0.0, 1.0, 2.0}}}, {Vector{{1.0, 2.0, 5.0}}}, 1.0};
  const std::vector<double> values = {0.5, 1.5, 3.0};
  EXPECT_EQ(apply_quantile_map(map, values, counted()), apply_quantile_map(map, values, {1}));
  const RowMatrix a = some_samples(100, 4);
  const RowMatrix b = some_samples(120, 5);
  SlicedDistanceOptions sliced;
  sliced.execution = counted();
  (void)sliced_distance(a, b, sliced);
  SeparationOptions separating;
  separating.execution = counted();
  (void)separation(a, b, separating);
  auto counts = device.take_counts();
  EXPECT_GT(counts["apply_knots"], 0);
  EXPECT_GT(counts["project"], 0);
  EXPECT_GT(counts["nearest_across"], 0);
}

TEST(DeviceUse, RefusesASecondDeviceOfTheSameName) {
  EXPECT_THROW(register_device("cpu", cpu_device()), InvalidArgument);
}

}  // namespace
}  // namespace lbw
