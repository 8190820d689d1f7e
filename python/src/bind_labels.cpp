// SPDX-License-Identifier: MIT
// Text labels of rows in NumPy's layout: all have the same length in bytes.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "arrays.hpp"
#include "bind.hpp"

using namespace nanobind::literals;

namespace lbw::python {

namespace {

using TextArray = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Consecutive texts of the same length in bytes.
struct Texts {
  const char* letters;
  std::size_t width;

  [[nodiscard]] std::string_view operator[](std::size_t row) const {
    return {letters + row * width, width};
  }
  [[nodiscard]] bool same(std::size_t left, std::size_t right) const {
    const char* a = letters + left * width;
    const char* b = letters + right * width;
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= width; at += sizeof(std::uint64_t)) {
      std::uint64_t words[2];
      std::memcpy(&words[0], a + at, sizeof(std::uint64_t));
      std::memcpy(&words[1], b + at, sizeof(std::uint64_t));
      if (words[0] != words[1]) return false;
    }
    for (; at < width; ++at) {
      if (a[at] != b[at]) return false;
    }
    return true;
  }
  /// Whether a row and those after it are the text of the row before them.
  [[nodiscard]] bool repeat(std::size_t row, std::size_t n_rows) const {
    const char* const first = letters + row * width;
    return std::memcmp(first - width, first, n_rows * width) == 0;
  }
};

/// Numbers of distinct texts in order of appearance, and their rows.
struct TextRows {
  std::vector<std::int32_t> numbers;  ///< one per row
  std::vector<std::int64_t> first;    ///< first row of each text
  std::vector<std::int64_t> last;
  std::vector<std::int64_t> count;

  explicit TextRows(const Texts& texts, std::size_t n_rows) : numbers(n_rows) {
    std::unordered_map<std::string_view, std::size_t> many;
    for (std::size_t row = 0, end = 0; row < n_rows; row = end) {
      const std::size_t number = number_of(texts, row, many);
      end = end_of_run(texts, row, n_rows);
      std::fill(numbers.begin() + static_cast<std::ptrdiff_t>(row),
                numbers.begin() + static_cast<std::ptrdiff_t>(end),
                static_cast<std::int32_t>(number));
      last[number] = static_cast<std::int64_t>(end - 1);
      count[number] += static_cast<std::int64_t>(end - row);
    }
  }

 private:
  static constexpr std::size_t most_compared = 8;  // faster than a hash

  /// Returns the end of the rows that have the text of the first one.
  static std::size_t end_of_run(const Texts& texts, std::size_t first, std::size_t n_rows) {
    constexpr std::size_t block = 64;  // compared at once where a run is longer than a quarter
    std::size_t end = first + 1;
    while (end < n_rows && texts.same(end, end - 1)) {
      ++end;
      if ((end - first) % (block / 4) != 0) continue;
      while (end + block <= n_rows && texts.repeat(end, block)) end += block;
    }
    return end;
  }

  /// Tries the first few texts before a hash.
  std::size_t number_of(const Texts& texts, std::size_t row,
                        std::unordered_map<std::string_view, std::size_t>& many) {
    const std::size_t n_compared = std::min(first.size(), most_compared);
    for (std::size_t number = 0; number < n_compared; ++number) {
      if (texts.same(row, static_cast<std::size_t>(first[number]))) return number;
    }
    const std::size_t next = first.size();
    if (next >= most_compared) {
      const auto [known, is_new] = many.try_emplace(texts[row], next);
      if (!is_new) return known->second;
    }
    for (auto* rows : {&first, &last, &count}) rows->push_back(0);
    first.back() = static_cast<std::int64_t>(row);
    return next;
  }
};

using NumbersOut = nb::ndarray<nb::numpy, std::int32_t>;

auto text_rows(const TextArray& array) {
  const Texts texts{reinterpret_cast<const char*>(array.data()), array.shape(1)};
  TextRows rows(texts, array.shape(0));
  const std::size_t n_texts = rows.first.size();
  return std::tuple(array_over<NumbersOut>(std::move(rows.numbers), {array.shape(0)}),
                    array_over<IntegersOut>(std::move(rows.first), {n_texts}),
                    array_over<IntegersOut>(std::move(rows.last), {n_texts}),
                    array_over<IntegersOut>(std::move(rows.count), {n_texts}));
}

}  // namespace

void bind_labels(nb::module_& m) {
  m.def("text_rows", &text_rows, "texts"_a,
        "The number of every row's text, in order of appearance, and the first row, the last row "
        "and the count of every text. A text is a row of bytes.");
}

}  // namespace lbw::python
