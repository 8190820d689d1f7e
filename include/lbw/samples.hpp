// SPDX-License-Identifier: MIT
// Arguments: views of matrices and samples, members that own temporaries, and row keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <lbw/matrix.hpp>
#include <memory>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lbw {

/// A read-only matrix argument: row major, rows `row_stride` entries apart.
///
/// Converts from every matrix and expression of doubles. A row-major matrix is not copied and must
/// outlive the view; anything else is copied.
class MatrixView {
 public:
  template <typename Derived>
  // NOLINTNEXTLINE: implicit on purpose
  requires std::is_same_v<typename Derived::Scalar, double> MatrixView(
      const Eigen::DenseBase<Derived>& matrix)
      : n_rows_(matrix.rows()), n_columns_(matrix.cols()) {
    if constexpr (is_in_place<Derived>()) {
      data_ = matrix.derived().data();
      row_stride_ = matrix.derived().rowStride();
    } else {
      copy_ = matrix.derived();
      data_ = copy_.data();
      row_stride_ = n_columns_;
    }
  }
  MatrixView(const double* data, Index n_rows, Index n_columns, Index row_stride)
      : data_(data), n_rows_(n_rows), n_columns_(n_columns), row_stride_(row_stride) {}
  MatrixView(const MatrixView&) = delete;
  MatrixView& operator=(const MatrixView&) = delete;
  ~MatrixView() = default;

  [[nodiscard]] const double* data() const { return data_; }
  [[nodiscard]] Index rows() const { return n_rows_; }
  [[nodiscard]] Index cols() const { return n_columns_; }
  [[nodiscard]] Index row_stride() const { return row_stride_; }

  /// The view as an Eigen expression.
  [[nodiscard]] auto values() const {
    return Eigen::Map<const EigenMatrixOf<double, Order::row_major>, Eigen::Unaligned,
                      Eigen::OuterStride<>>(data_, n_rows_, n_columns_,
                                            Eigen::OuterStride<>(row_stride_));
  }

 private:
  template <typename Derived>
  static constexpr bool is_in_place() {
    return bool(Eigen::internal::traits<Derived>::Flags & Eigen::DirectAccessBit) &&
           Derived::IsRowMajor && Derived::InnerStrideAtCompileTime == 1;
  }

  RowMatrix copy_;
  const double* data_ = nullptr;
  Index n_rows_ = 0;
  Index n_columns_ = 0;
  Index row_stride_ = 0;
};

/// An output matrix argument: row major, rows `row_stride` entries apart. Converts from a RowMatrix
/// and from its blocks and maps.
class MatrixSpan {
 public:
  template <typename Derived>
  MatrixSpan(Eigen::DenseBase<Derived>& matrix)  // NOLINT: implicit on purpose
      : MatrixSpan(matrix.derived().data(), matrix.rows(), matrix.cols(),
                   matrix.derived().rowStride()) {
    check<Derived>();
  }
  /// A temporary block or map of a matrix. A temporary matrix does not convert.
  template <typename Derived>
  requires(!std::is_base_of_v<Eigen::PlainObjectBase<Derived>, Derived> &&
           !bool(Eigen::internal::traits<Derived>::Flags & Eigen::NestByRefBit))
      MatrixSpan(Eigen::DenseBase<Derived>&& matrix)  // NOLINT: implicit on purpose
      : MatrixSpan(matrix) {}
  MatrixSpan(double* data, Index n_rows, Index n_columns, Index row_stride)
      : data_(data), n_rows_(n_rows), n_columns_(n_columns), row_stride_(row_stride) {}

  [[nodiscard]] double* data() const { return data_; }
  [[nodiscard]] Index rows() const { return n_rows_; }
  [[nodiscard]] Index cols() const { return n_columns_; }
  [[nodiscard]] Index row_stride() const { return row_stride_; }

  /// The view as an assignable Eigen expression.
  [[nodiscard]] auto values() const {
    return Eigen::Map<EigenMatrixOf<double, Order::row_major>, Eigen::Unaligned,
                      Eigen::OuterStride<>>(data_, n_rows_, n_columns_,
                                            Eigen::OuterStride<>(row_stride_));
  }

 private:
  template <typename Derived>
  static constexpr void check() {
    static_assert(bool(Eigen::internal::traits<Derived>::Flags & Eigen::DirectAccessBit) &&
                      Derived::IsRowMajor && Derived::InnerStrideAtCompileTime == 1,
                  "MatrixSpan needs a row-major matrix in memory");
  }

  double* data_ = nullptr;
  Index n_rows_ = 0;
  Index n_columns_ = 0;
  Index row_stride_ = 0;
};

}  // namespace lbw

#if defined(__clang__)  // makes Clang warn about a named view of a temporary
#define LBW_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define LBW_LIFETIME_BOUND
#endif

namespace lbw {

/// Storage of samples that need not be in memory as a whole, such as a mapped file.
class SampleStorage {
 public:
  SampleStorage() = default;
  SampleStorage(const SampleStorage&) = delete;
  SampleStorage& operator=(const SampleStorage&) = delete;
  virtual ~SampleStorage() = default;

  /// Tells the storage that a pass over the samples no longer needs these bytes, so it may free
  /// their memory. They can be read again at any time, even concurrently. Called from any thread.
  virtual void release(const void* first_byte, std::size_t n_bytes) const noexcept = 0;

  /// Throws IoError if the samples are no longer those of the beginning, such as a file that
  /// another program has truncated. Called after every pass over the samples, before its result is
  /// used, from any thread.
  virtual void check() const {}
};

/// A non-owning, read-only view of samples: n_samples x n_features, row major, double or float. The
/// memory must outlive the view. A temporary matrix is allowed as a function argument. Use
/// HeldSamples for a member of a struct.
///
/// Converts from RowMatrix, RowMatrixF, their row blocks and maps, and from a column vector (one
/// feature). A column-major matrix does not convert; assign it to a RowMatrix first.
class SampleView {
 public:
  SampleView() = default;

  template <typename Derived>
  requires(std::is_same_v<typename Derived::Scalar, double> ||
           std::is_same_v<typename Derived::Scalar, float>)
      SampleView(const Eigen::MatrixBase<Derived>& samples  // NOLINT: implicit on purpose
                     LBW_LIFETIME_BOUND)
      : SampleView(view_of(samples.derived())) {}

  /// Rows start `row_stride` elements apart; the features of a row are adjacent. `storage`, if not
  /// null, is notified of rows that are no longer needed and must outlive the view.
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
  /// The first element, or null if the samples have the other type.
  [[nodiscard]] const double* doubles() const {
    return is_float_ ? nullptr : static_cast<const double*>(data_);
  }
  [[nodiscard]] const float* floats() const {
    return is_float_ ? static_cast<const float*>(data_) : nullptr;
  }

  /// The address of a row; n_samples is allowed.
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

  /// Throws IoError if the storage has changed.
  void check() const {
    if (storage_ != nullptr) storage_->check();
  }

  /// Tells the storage that this pass no longer needs rows [first, first + count).
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
                  "SampleView needs the features of a row to be adjacent in memory");
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

// Views for members of structs. Unlike an argument, a member outlives the statement that sets it.

template <typename Plain>
inline constexpr bool is_eigen_map = false;
template <typename Plain, int options, typename Stride>
inline constexpr bool is_eigen_map<Eigen::Map<Plain, options, Stride>> = true;

/// A view of samples that owns them if they are a temporary. A named matrix is not copied and must
/// outlive the view. A temporary matrix is moved into the view; a temporary block or expression is
/// evaluated.
///
/// A SampleView or an Eigen::Map is not copied; the caller owns the memory.
class HeldSamples : public SampleView {
 public:
  HeldSamples() = default;
  HeldSamples(const SampleView& samples) : SampleView(samples) {}  // NOLINT: implicit on purpose

  template <typename Matrix, typename Plain = std::remove_cvref_t<Matrix>>
  requires std::is_base_of_v<Eigen::MatrixBase<Plain>, Plain> &&
      std::is_constructible_v < SampleView,
      MatrixOf<typename Plain::Scalar, Order::row_major>
  & > HeldSamples(Matrix&& samples) {  // NOLINT: implicit on purpose
    if constexpr (std::is_lvalue_reference_v<Matrix> || is_eigen_map<Plain>) {
      SampleView::operator=(SampleView(samples));
    } else {
      using Kept = MatrixOf<typename Plain::Scalar, Order::row_major>;
      const auto kept = std::make_shared<const Kept>(std::forward<Matrix>(samples));
      SampleView::operator=(SampleView(*kept));
      owner_ = kept;
    }
  }

 private:
  std::shared_ptr<const void> owner_;
};

/// The same for a list of values. A named container is not copied and must outlive the view; a
/// temporary container is moved into it. A span is not copied.
template <typename T>
class HeldSpan : public std::span<const T> {
  using Span = std::span<const T>;

 public:
  HeldSpan() = default;
  HeldSpan(const T* first, std::size_t count) : Span(first, count) {}

  template <typename Range>
  requires(!std::is_same_v<std::remove_cvref_t<Range>, HeldSpan> &&
           std::is_constructible_v<Span, std::remove_reference_t<Range>&>)
      HeldSpan(Range&& values) {  // NOLINT: implicit on purpose
    if constexpr (std::is_lvalue_reference_v<Range> || std::ranges::borrowed_range<Range>) {
      Span::operator=(Span(values));
    } else {
      using Kept = std::remove_cvref_t<Range>;
      const auto kept = std::make_shared<const Kept>(std::forward<Range>(values));
      Span::operator=(Span(*kept));
      owner_ = kept;
    }
  }

 private:
  std::shared_ptr<const void> owner_;
};

// Row keys. Every random draw (a piece of a random map, dither, ties) depends only on the seed, the
// values of the row and its key, an unsigned 64-bit number. Rows of equal values need different
// keys; otherwise their draws are identical.
//
// A caller may provide a key for every row, such as a customer number. The row then has the same
// draws in every call. By default, the key is the number of preceding equal rows in the call, so
// distinct rows have key 0. With dither, a hash of all rows of the call is added, so equal rows of
// a training and a test set differ. Provide keys if rows are transported one at a time.

/// The approximate number of distinct rows of a call that are numbered by default, which bounds the
/// memory of large calls. Rows are divided into 64 sets by their hashes. In each set, the first
/// most_numbered_rows / 64 distinct rows are numbered; all other rows have key 0.
inline constexpr std::uint64_t most_numbered_rows = std::uint64_t{1} << 20;

/// The key of an identifier, given as text in a file or as a string in Python. A whole number in
/// plain decimal digits (7 or -7) that fits into 64 bits, signed or unsigned, is used modulo 2^64,
/// so integers and the same numbers as text have the same keys. Any other text, such as 007, +7,
/// 7.0 or customer-4711, is hashed (64-bit FNV-1a of its UTF-8 bytes).
[[nodiscard]] std::uint64_t row_key(std::string_view text);

}  // namespace lbw
