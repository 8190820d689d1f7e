// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <lbw/types.hpp>
#include <type_traits>

#if defined(__clang__)  // Clang then warns of a named view of a temporary
#define LBW_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define LBW_LIFETIME_BOUND
#endif

namespace lbw {

/// What holds samples that need not all be in memory at once, such as a mapped file.
class SampleStorage {
 public:
  SampleStorage() = default;
  SampleStorage(const SampleStorage&) = delete;
  SampleStorage& operator=(const SampleStorage&) = delete;
  virtual ~SampleStorage() = default;

  /// A pass over the samples is done with these bytes, so their memory may go. They can be read
  /// again at any time, also by a thread that is at it now. Called from any thread.
  virtual void release(const void* first_byte, std::size_t n_bytes) const noexcept = 0;
};

/// A read-only view of samples that somebody else owns: n_samples x n_features, row major, double
/// or float. Nothing is copied; the memory must outlive the view. A temporary matrix is fine as an
/// argument of a function. Use HeldSamples for a member of a struct.
///
/// Converts from RowMatrix, RowMatrixF, their row blocks and maps, and from a column vector (one
/// feature). A column-major matrix does not convert: assign it to a RowMatrix first.
class SampleView {
 public:
  SampleView() = default;

  template <typename Derived>
  requires(std::is_same_v<typename Derived::Scalar, double> ||
           std::is_same_v<typename Derived::Scalar, float>)
      SampleView(const Eigen::MatrixBase<Derived>& samples  // NOLINT: implicit on purpose
                     LBW_LIFETIME_BOUND)
      : SampleView(view_of(samples.derived())) {}

  /// Rows start `row_stride` elements apart; the features of a row are adjacent. `storage`, where
  /// there is one, is told which rows have been used and must outlive the view.
  SampleView(const double* data, Index n_samples, Index n_features, Index row_stride,
             const SampleStorage* storage = nullptr)
      : data_(data),
        n_samples_(n_samples),
        n_features_(n_features),
        row_stride_(row_stride),
        storage_(storage) {}
  SampleView(const float* data, Index n_samples, Index n_features, Index row_stride,
             const SampleStorage* storage = nullptr)
      : data_(data),
        is_float_(true),
        n_samples_(n_samples),
        n_features_(n_features),
        row_stride_(row_stride),
        storage_(storage) {}

  [[nodiscard]] Index n_samples() const { return n_samples_; }
  [[nodiscard]] Index n_features() const { return n_features_; }

  [[nodiscard]] Index row_stride() const { return row_stride_; }
  [[nodiscard]] bool is_float() const { return is_float_; }
  /// The first element; null unless the samples are of that type.
  [[nodiscard]] const double* doubles() const {
    return is_float_ ? nullptr : static_cast<const double*>(data_);
  }
  [[nodiscard]] const float* floats() const {
    return is_float_ ? static_cast<const float*>(data_) : nullptr;
  }

  /// Where a row begins; n_samples is allowed.
  [[nodiscard]] const void* row_data(Index sample) const {
    const Index at = sample * row_stride_;
    return is_float_ ? static_cast<const void*>(floats() + at)
                     : static_cast<const void*>(doubles() + at);
  }

  [[nodiscard]] double operator()(Index sample, Index feature) const {
    const Index at = sample * row_stride_ + feature;
    return is_float_ ? static_cast<double>(static_cast<const float*>(data_)[at])
                     : static_cast<const double*>(data_)[at];
  }

  [[nodiscard]] Vector row(Index sample) const {
    Vector values(n_features_);
    for (Index feature = 0; feature < n_features_; ++feature) {
      values[feature] = (*this)(sample, feature);
    }
    return values;
  }

  /// Rows [first, first + count).
  [[nodiscard]] SampleView rows(Index first, Index count) const {
    const Index offset = first * row_stride_;
    if (is_float_) {
      return {static_cast<const float*>(data_) + offset, count, n_features_, row_stride_, storage_};
    }
    return {static_cast<const double*>(data_) + offset, count, n_features_, row_stride_, storage_};
  }

  /// This pass is done with rows [first, first + count): their memory may go if it can come back.
  void release(Index first, Index count) const noexcept {
    if (storage_ == nullptr || count <= 0) return;
    const std::size_t value_size = is_float_ ? sizeof(float) : sizeof(double);
    const std::size_t row_size = value_size * static_cast<std::size_t>(row_stride_);
    storage_->release(static_cast<const char*>(data_) + row_size * static_cast<std::size_t>(first),
                      row_size * static_cast<std::size_t>(count));
  }

 private:
  template <typename Derived>
  static SampleView view_of(const Derived& samples) {
    static_assert(bool(Eigen::internal::traits<Derived>::Flags & Eigen::DirectAccessBit),
                  "SampleView needs a matrix in memory: evaluate the expression into a RowMatrix");
    static_assert(Derived::IsRowMajor || Derived::ColsAtCompileTime == 1,
                  "SampleView is row major: assign a column-major matrix to a RowMatrix first");
    static_assert(Derived::ColsAtCompileTime == 1 || Derived::InnerStrideAtCompileTime == 1,
                  "SampleView needs the features of a row side by side");
    return {samples.data(), samples.rows(), samples.cols(),
            Derived::IsRowMajor ? samples.outerStride() : samples.innerStride()};
  }

  const void* data_ = nullptr;
  bool is_float_ = false;
  Index n_samples_ = 0;
  Index n_features_ = 0;
  Index row_stride_ = 0;
  const SampleStorage* storage_ = nullptr;
};

}  // namespace lbw
