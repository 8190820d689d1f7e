// SPDX-License-Identifier: MIT
#include "device/device.hpp"

namespace lbw {

namespace {

class NearestSums final : public MovingCenters {
 public:
  NearestSums(const Device& device, const WeightedSamples& samples, const Execution& execution)
      : device_(device), samples_(samples), execution_(execution) {}

  RowMatrix sums(const RowMatrix& centers) override {
    const MomentSums moments =
        device_.nearest_sums(samples_, centers, CovarianceType::spherical, execution_);
    RowMatrix sums(centers.rows(), 1 + centers.cols());
    sums << moments.component_weight, moments.first;
    return sums;
  }

 private:
  const Device& device_;
  WeightedSamples samples_;
  Execution execution_;
};

}  // namespace

std::unique_ptr<MovingCenters> Device::moving_centers(const WeightedSamples& samples,
                                                      const Execution& execution) const {
  return std::make_unique<NearestSums>(*this, samples, execution);
}

}  // namespace lbw
