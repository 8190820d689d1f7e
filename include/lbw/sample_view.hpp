// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/types.hpp>
#include <type_traits>

namespace lbw {

/// A read-only view of samples that somebody else owns: n_samples x n_features, row major, double
/// or float. Nothing is copied; the memory must outlive the view.
///
/// Converts from RowMatrix, RowMatrixF, their row blocks and maps, and from a column vector (one
/// feature). A column-major matrix does not convert: assign it to a RowMatrix first.
class SampleView {
 public:
  SampleView() = default;

  template <typename Derived>
  requires(std::is_same_v<typename Derived::Scalar, double> ||
           std::is_same_v<typename Derived::Scalar, float>)
      SampleView(const Eigen::MatrixBase<Derived>& samples)  // NOLINT: implicit on purpose
      : SampleView(samples.derived().data(), samples.rows(), samples.cols(),
                   row_stride_of(samples.derived())) {}

  /// Rows start `row_stride` elements apart; the features of a row are adjacent.
  SampleView(const double* data, Index n_samples, Index n_features, Index row_stride)
      : doubles_(data), n_samples_(n_samples), n_features_(n_features), row_stride_(row_stride) {}
  SampleView(const float* data, Index n_samples, Index n_features, Index row_stride)
      : floats_(data), n_samples_(n_samples), n_features_(n_features), row_stride_(row_stride) {}

  [[nodiscard]] Index n_samples() const { return n_samples_; }
  [[nodiscard]] Index n_features() const { return n_features_; }

  [[nodiscard]] double operator()(Index sample, Index feature) const {
    const Index at = sample * row_stride_ + feature;
    return doubles_ ? doubles_[at] : static_cast<double>(floats_[at]);
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
    SampleView part = *this;
    if (doubles_) part.doubles_ += first * row_stride_;
    if (floats_) part.floats_ += first * row_stride_;
    part.n_samples_ = count;
    return part;
  }

 private:
  template <typename Derived>
  static Index row_stride_of(const Derived& samples) {
    static_assert(bool(Eigen::internal::traits<Derived>::Flags & Eigen::DirectAccessBit),
                  "SampleView needs a matrix in memory: evaluate the expression into a RowMatrix");
    static_assert(Derived::IsRowMajor || Derived::ColsAtCompileTime == 1,
                  "SampleView is row major: assign a column-major matrix to a RowMatrix first");
    static_assert(Derived::ColsAtCompileTime == 1 || Derived::InnerStrideAtCompileTime == 1,
                  "SampleView needs the features of a row side by side");
    return Derived::IsRowMajor ? samples.outerStride() : samples.innerStride();
  }

  const double* doubles_ = nullptr;
  const float* floats_ = nullptr;
  Index n_samples_ = 0;
  Index n_features_ = 0;
  Index row_stride_ = 0;
};

}  // namespace lbw
