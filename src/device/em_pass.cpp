// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/em_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include "core/sample_pass.hpp"
#include "device/block_loop-inl.hpp"
#include "device/em_pass.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Sums stay in vectors of the kernel's precision for so many points, then go to doubles.
constexpr Index flush_points = 4096;

template <typename Model>
class EmPassOf final : public EmPass {
 public:
  using T = typename Model::Scalar;

  EmPassOf(const KernelTable& table, const WeightedSamples& samples, double weight_scale)
      : table_(table),
        samples_(samples),
        weight_scale_(weight_scale),
        block_(table),
        vectors_(table.n_components() * width()) {}

  PassSums sums(Index begin, Index end) override {
    PassSums sums;
    sums.moments = RowMatrix::Zero(table_.n_components(), 1 + table_.n_terms());
    SamplePass pass(samples_.samples, begin);
    for (Index first = begin; first < end; first += block_points<T>) {
      const Index count = std::min(block_points<T>, end - first);
      const Index n_vectors = block_.find(table_, samples_, first, count, weight_scale_);
      sums.add_likelihood(samples_, first, count, block_.log_density.data());
      add_moments(n_vectors);
      pass.used_up_to(first + count);
      if ((first - begin) % flush_points == flush_points - block_points<T>) {
        flush(sums.moments);
      }
    }
    flush(sums.moments);
    return sums;
  }

 private:
  Index width() const { return (1 + table_.n_terms()) * lanes<T>(); }

  /// Components that no point of the block belongs to are left out.
  void add_moments(Index n_vectors) {
    const Tag<T> d;
    rows_.clear();
    components_.clear();
    for (Index k = 0; k < table_.n_components(); ++k) {
      T* const sums = vectors_.data() + k * width();
      const Vec<T> weight = row_sum(block_.joint.row(k), n_vectors);
      if (hn::AllTrue(d, hn::Eq(weight, hn::Zero(d)))) continue;
      hn::Store(hn::Add(hn::Load(d, sums), weight), d, sums);
      rows_.add(block_.joint.row(k), sums + lanes<T>());
      components_.push_back(k);
    }
    block_.model.add_moments(rows_, components_, n_vectors);
  }

  void flush(RowMatrix& moments) {
    const Tag<T> d;
    for (Index i = 0; i < moments.size(); ++i) {
      moments.data()[i] += sum_lanes<T>(hn::Load(d, vectors_.data() + i * lanes<T>()));
    }
    vectors_.fill(T{0});
  }

  const KernelTable& table_;
  const WeightedSamples& samples_;
  double weight_scale_;
  ResponsibilityBlock<Model> block_;
  AlignedArray<T> vectors_;  ///< PassSums::moments, one vector for each entry
  ProductRows<T> rows_;
  std::vector<Index> components_;
};

struct MakeEmPass {
  const KernelTable& table;
  const WeightedSamples& samples;
  double weight_scale;

  template <typename Model>
  std::unique_ptr<EmPass> run() const {
    return std::make_unique<EmPassOf<Model>>(table, samples, weight_scale);
  }
};

std::unique_ptr<EmPass> make_em_pass(const KernelTable& table, const WeightedSamples& samples,
                                     double weight_scale) {
  return with_model(table, MakeEmPass{table, samples, weight_scale});
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(make_em_pass);

std::unique_ptr<EmPass> make_em_pass(const KernelTable& table, const WeightedSamples& samples,
                                     double weight_scale) {
  return HWY_DYNAMIC_DISPATCH(make_em_pass)(table, samples, weight_scale);
}

}  // namespace lbw
#endif  // HWY_ONCE
