// SPDX-License-Identifier: MIT
// The header of a NumPy file: magic, version and a Python dictionary of three entries.
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

struct NpyHeader {
  std::string descr;  ///< as in the file, such as "<f8"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_begin = 0;  ///< number of bytes before the values

  [[nodiscard]] bool big_endian() const { return descr[0] == '>'; }
  [[nodiscard]] Index rows() const { return static_cast<Index>(shape[0]); }
  /// A one-dimensional array is one column.
  [[nodiscard]] Index columns() const {
    return shape.size() == 1 ? 1 : static_cast<Index>(shape[1]);
  }
  /// Letter and size, such as "f8".
  [[nodiscard]] std::string_view type() const { return std::string_view(descr).substr(1); }
};

/// @param bytes  the whole file; its size must match the shape in the header
/// @throws IoError  naming the error or the unsupported content
[[nodiscard]] NpyHeader parse_npy_header(std::string_view bytes, const std::string& name);

/// @throws IoError  naming the value and its position
[[noreturn]] void refuse_npy_value(const std::string& name, const std::string& value, Index row,
                                   Index column, const char* condition);

/// "(3, 2)" and "(3,)", as in Python.
[[nodiscard]] std::string shape_text(const std::vector<std::uint64_t>& shape);

}  // namespace lbw
