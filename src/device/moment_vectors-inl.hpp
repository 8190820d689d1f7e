// SPDX-License-Identifier: MIT
// Moment sums of many blocks, kept in vectors of the kernel's precision.
#if defined(LBW_DEVICE_MOMENT_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_MOMENT_VECTORS_INL_HPP
#undef LBW_DEVICE_MOMENT_VECTORS_INL_HPP
#else
#define LBW_DEVICE_MOMENT_VECTORS_INL_HPP
#endif

#include <vector>

#include "device/kernel_table.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// The components that have points in a block: their weights and where their sums are.
template <typename T>
struct WeightRows {
  std::vector<Index> components;
  std::vector<const T*> rows;
  std::vector<T*> sums;  ///< one vector per term

  void clear() {
    components.clear();
    rows.clear();
    sums.clear();
  }
};

/// The sum of a row, lane by lane; n_vectors is even.
template <typename T>
HWY_INLINE Vec<T> row_sum(const T* row, Index n_vectors) {
  const Tag<T> d;
  const Index step = lanes<T>();
  Vec<T> even = hn::Zero(d);
  Vec<T> odd = hn::Zero(d);
  for (Index v = 0; v < n_vectors; v += 2) {
    even = hn::Add(even, hn::Load(d, row + v * step));
    odd = hn::Add(odd, hn::Load(d, row + (v + 1) * step));
  }
  return hn::Add(even, odd);
}

/// PassSums::moments with one vector for each entry.
template <typename T>
class MomentVectors {
 public:
  explicit MomentVectors(const KernelTable& table) : table_(table) {}

  /// Adds the weights of a block to the sums of each component. The result lists the components
  /// that have a weight; it is valid until the next call.
  const WeightRows<T>& add_weights(const Rows<T>& weights, Index n_vectors) {
    const Tag<T> d;
    if (vectors_.size() == 0) vectors_ = AlignedArray<T>(table_.n_components() * width());
    present_.clear();
    for (Index k = 0; k < table_.n_components(); ++k) {
      T* const sums = vectors_.data() + k * width();
      const Vec<T> weight = row_sum(weights.row(k), n_vectors);
      if (hn::AllTrue(d, hn::Eq(weight, hn::Zero(d)))) continue;
      hn::Store(hn::Add(hn::Load(d, sums), weight), d, sums);
      present_.components.push_back(k);
      present_.rows.push_back(weights.row(k));
      present_.sums.push_back(sums + lanes<T>());
    }
    return present_;
  }

  void flush(RowMatrix& moments) {
    if (vectors_.size() == 0) return;
    const Tag<T> d;
    for (Index i = 0; i < moments.size(); ++i) {
      moments.data()[i] += sum_lanes<T>(hn::Load(d, vectors_.data() + i * lanes<T>()));
    }
    vectors_.fill(T{0});
  }

 private:
  Index width() const { return (1 + table_.n_terms()) * lanes<T>(); }

  const KernelTable& table_;
  AlignedArray<T> vectors_;  ///< empty until moments are added
  WeightRows<T> present_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
