// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/density_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include "core/sample_pass.hpp"
#include "device/block_loop-inl.hpp"
#include "device/density_pass.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Finds the responsibilities of every block and keeps one of the two results.
struct ResponsibilityWork {
  const KernelTable& table;
  SampleView samples;
  Index begin = 0;
  Index end = 0;
  Vector* log_densities = nullptr;
  RowMatrix* responsibilities = nullptr;

  template <typename Model>
  void run() const {
    using T = typename Model::Scalar;
    ResponsibilityBlock<Model> block(table);
    SamplePass pass(samples, begin);
    for (Index first = begin; first < end; first += block_points<T>) {
      const Index count = std::min(block_points<T>, end - first);
      block.find(table, {samples, {}}, first, count, 1.0);
      if (log_densities != nullptr) {
        std::copy_n(block.log_density.data(), count, log_densities->data() + first);
      } else {
        copy_responsibilities(block.joint, first, count);
      }
      pass.used_up_to(first + count);
    }
  }

  template <typename T>
  void copy_responsibilities(const Rows<T>& joint, Index first, Index count) const {
    for (Index i = 0; i < count; ++i) {
      for (Index k = 0; k < table.n_components(); ++k) {
        (*responsibilities)(first + i, k) = static_cast<double>(joint.row(k)[i]);
      }
    }
  }
};

void chunk_log_densities(const KernelTable& table, SampleView samples, Index begin, Index end,
                         Vector& out) {
  with_model(table, ResponsibilityWork{table, samples, begin, end, &out, nullptr});
}

void chunk_responsibilities(const KernelTable& table, SampleView samples, Index begin, Index end,
                            RowMatrix& out) {
  with_model(table, ResponsibilityWork{table, samples, begin, end, nullptr, &out});
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(chunk_log_densities);
HWY_EXPORT(chunk_responsibilities);

void chunk_log_densities(const KernelTable& table, SampleView samples, Index begin, Index end,
                         Vector& out) {
  HWY_DYNAMIC_DISPATCH(chunk_log_densities)(table, samples, begin, end, out);
}

void chunk_responsibilities(const KernelTable& table, SampleView samples, Index begin, Index end,
                            RowMatrix& out) {
  HWY_DYNAMIC_DISPATCH(chunk_responsibilities)(table, samples, begin, end, out);
}

}  // namespace lbw
#endif  // HWY_ONCE
