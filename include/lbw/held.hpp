// SPDX-License-Identifier: MIT
// Views for members of structs. Unlike an argument, a member outlives the statement that sets it.
#pragma once

#include <cstddef>
#include <lbw/sample_view.hpp>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

namespace lbw {

template <typename Plain>
inline constexpr bool is_eigen_map = false;
template <typename Plain, int options, typename Stride>
inline constexpr bool is_eigen_map<Eigen::Map<Plain, options, Stride>> = true;

/// A view of samples that owns them if they come from a temporary. A named matrix is not copied and
/// must outlive the view. A temporary matrix is moved into the view; a temporary block or
/// expression is evaluated into it.
///
/// A SampleView or an Eigen::Map refers to memory that the caller owns and is not copied.
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

/// The same for a list of values: a named container is not copied and must outlive the view, a
/// temporary one is moved into it. A span is not copied.
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

}  // namespace lbw
