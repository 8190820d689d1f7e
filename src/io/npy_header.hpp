// SPDX-License-Identifier: MIT
// The header of a NumPy file: magic, version and a Python dictionary of three entries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

struct NpyHeader {
  std::string descr;  ///< as written, such as "<f8"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_begin = 0;  ///< bytes before the values

  [[nodiscard]] bool big_endian() const { return descr[0] == '>'; }
  /// Letter and size, such as "f8".
  [[nodiscard]] std::string_view type() const { return std::string_view(descr).substr(1); }
};

/// @throws IoError naming what is wrong, or what the file holds that lbw does not read
[[nodiscard]] NpyHeader parse_npy_header(std::string_view bytes, const std::string& name);

/// "(3, 2)" and "(3,)", as Python writes them.
[[nodiscard]] std::string shape_text(const std::vector<std::uint64_t>& shape);

}  // namespace lbw
