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

/// Calls work(block, first, count) for every block, its responsibilities found.
struct ResponsibilityWork {
  const KernelTable& table;
  SampleView samples;
  Index begin;
  Index end;
  Vector* log_densities;
  RowMatrix* responsibilities;

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

/// best.row(0)[i]: the row of the largest value, the lowest of equals.
template <typename T>
HWY_INLINE void largest_row(const Rows<T>& values, Index n_rows, Index n_vectors, T* best) {
  const Tag<T> d;
  const Index step = lanes<T>();
  for (Index first = 0; first < n_vectors * step; first += group_vectors * step) {
    Vec<T> largest[group_vectors];
    Vec<T> label[group_vectors];
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      largest[v] = hn::Load(d, values.row(0) + first + v * step);
      label[v] = hn::Zero(d);
    }
    for (Index k = 1; k < n_rows; ++k) {
      const Vec<T> index = hn::Set(d, static_cast<T>(k));
      const T* row = values.row(k) + first;
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        const Vec<T> value = hn::Load(d, row + v * step);
        const auto larger = hn::Gt(value, largest[v]);
        largest[v] = hn::IfThenElse(larger, value, largest[v]);
        label[v] = hn::IfThenElse(larger, index, label[v]);
      }
    }
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) hn::Store(label[v], d, best + first + v * step);
  }
}

template <typename Model>
class LabelPassOf final : public LabelPass {
 public:
  using T = typename Model::Scalar;

  LabelPassOf(const KernelTable& table, SampleView samples)
      : table_(table), samples_(samples), model_(table), joint_(table.n_components()) {}

  void labels(Index begin, Index end, int* out) override {
    for (Index first = begin; first < end; first += block_points<T>) {
      const Index count = std::min(block_points<T>, end - first);
      const Index n_vectors = vectors_of<T>(count);
      model_.load(samples_, first, count);
      model_.evaluate(n_vectors, joint_);
      largest_row(joint_, table_.n_components(), n_vectors, best_.data());
      for (Index i = 0; i < count; ++i) out[first - begin + i] = static_cast<int>(best_[i]);
    }
  }

 private:
  const KernelTable& table_;
  SampleView samples_;
  Model model_;
  Rows<T> joint_;
  AlignedArray<T> best_{block_points<T>};
};

struct MakeLabelPass {
  const KernelTable& table;
  SampleView samples;

  template <typename Model>
  std::unique_ptr<LabelPass> run() const {
    return std::make_unique<LabelPassOf<Model>>(table, samples);
  }
};

std::unique_ptr<LabelPass> make_label_pass(const KernelTable& table, SampleView samples) {
  return with_model(table, MakeLabelPass{table, samples});
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(chunk_log_densities);
HWY_EXPORT(chunk_responsibilities);
HWY_EXPORT(make_label_pass);

void chunk_log_densities(const KernelTable& table, SampleView samples, Index begin, Index end,
                         Vector& out) {
  HWY_DYNAMIC_DISPATCH(chunk_log_densities)(table, samples, begin, end, out);
}

void chunk_responsibilities(const KernelTable& table, SampleView samples, Index begin, Index end,
                            RowMatrix& out) {
  HWY_DYNAMIC_DISPATCH(chunk_responsibilities)(table, samples, begin, end, out);
}

std::unique_ptr<LabelPass> make_label_pass(const KernelTable& table, SampleView samples) {
  return HWY_DYNAMIC_DISPATCH(make_label_pass)(table, samples);
}

}  // namespace lbw
#endif  // HWY_ONCE
