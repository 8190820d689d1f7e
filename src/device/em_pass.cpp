// SPDX-License-Identifier: MIT
#include "device/em_pass.hpp"

#include "core/sample_pass.hpp"
#include "device/responsibility_block.hpp"

namespace lbw {

namespace {

/// Moments are summed in the precision of the kernel for this many points, then added to doubles.
constexpr Index flush_points = 4096;

template <typename T>
class EmPassOf final : public EmPass {
 public:
  EmPassOf(const KernelTable& table, const WeightedSamples& samples, double weight_scale)
      : table_(table),
        samples_(samples),
        weight_scale_(weight_scale),
        block_(table, relevant_to_moments<T>) {}

  PassSums sums(Index begin, Index end, bool with_moments) override {
    PassSums sums;
    sums.moments = RowMatrix::Zero(table_.n_components(), 1 + table_.n_terms());
    SamplePass pass(samples_.samples, begin);
    for (Index first = begin; first < end; first += block_points<T>) {
      const Index count = std::min(block_points<T>, end - first);
      block_.find(samples_, first, count, weight_scale_);
      sums.add_likelihood(samples_, first, count, block_.log_density.data());
      if (with_moments) block_.model->add_moments(block_.joint, count);
      pass.used_up_to(first + count);
      if ((first - begin) % flush_points == flush_points - block_points<T>) {
        block_.model->flush(sums.moments);
      }
    }
    block_.model->flush(sums.moments);
    return sums;
  }

 private:
  const KernelTable& table_;
  const WeightedSamples& samples_;
  double weight_scale_;
  ResponsibilityBlock<T> block_;
};

}  // namespace

std::unique_ptr<EmPass> make_em_pass(const KernelTable& table, const WeightedSamples& samples,
                                     double weight_scale) {
  if (table.precision == Precision::f32) {
    return std::make_unique<EmPassOf<float>>(table, samples, weight_scale);
  }
  return std::make_unique<EmPassOf<double>>(table, samples, weight_scale);
}

}  // namespace lbw
