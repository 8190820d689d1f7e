// SPDX-License-Identifier: MIT
#include <cmath>
#include <lbw/io.hpp>
#include <limits>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/atomic_file.hpp"
#include "io/from_bytes.hpp"
#include "io/little_endian.hpp"
#include "io/npy_header.hpp"

namespace lbw {

namespace {

/// The values of a file and their layout.
struct NpyArray {
  NpyHeader header;
  Index rows = 0;
  Index columns = 0;
  const char* data = nullptr;
  const std::string& name;

  [[nodiscard]] std::size_t offset(Index row, Index column) const {
    return to_size(header.fortran_order ? column * rows + row : row * columns + column);
  }
};

// Doubles represent all integers up to 2^53, but only some larger ones.
template <typename Integer>
bool is_exact(Integer value) {
  const double converted = static_cast<double>(value);
  // 2^63 and 2^64 do not fit the integer type, and converting back would be undefined
  if (converted >= std::ldexp(1.0, std::numeric_limits<Integer>::digits)) return false;
  return static_cast<Integer>(converted) == value;
}

template <typename T>
RowMatrix values_of(const NpyArray& array) {
  RowMatrix values(array.rows, array.columns);
  const bool big_endian = array.header.big_endian();
  for (Index row = 0; row < array.rows; ++row) {
    for (Index column = 0; column < array.columns; ++column) {
      const T value =
          read_number<T>(array.data + sizeof(T) * array.offset(row, column), big_endian);
      values(row, column) = static_cast<double>(value);
      if constexpr (std::is_floating_point_v<T>) {
        if (!std::isfinite(value)) {
          refuse_npy_value(array.name, to_text(values(row, column)), row, column,
                           "expected finite values");
        }
      } else if constexpr (sizeof(T) == 8) {
        if (!is_exact(value)) {
          refuse_npy_value(array.name, std::to_string(value), row, column,
                           "which a double cannot represent exactly");
        }
      }
    }
  }
  return values;
}

// NumPy's bool has only the bytes 0 and 1.
RowMatrix bools_of(const NpyArray& array) {
  RowMatrix values = values_of<std::uint8_t>(array);
  for (Index row = 0; row < array.rows; ++row) {
    for (Index column = 0; column < array.columns; ++column) {
      if (values(row, column) <= 1.0) continue;
      refuse_npy_value(array.name, to_text(values(row, column)), row, column,
                       "expected a bool, 0 or 1");
    }
  }
  return values;
}

RowMatrix dispatch(const NpyArray& array) {
  const std::string_view type = array.header.type();
  if (type == "f8") return values_of<double>(array);
  if (type == "f4") return values_of<float>(array);
  if (type == "i1") return values_of<std::int8_t>(array);
  if (type == "i2") return values_of<std::int16_t>(array);
  if (type == "i4") return values_of<std::int32_t>(array);
  if (type == "i8") return values_of<std::int64_t>(array);
  if (type == "u1") return values_of<std::uint8_t>(array);
  if (type == "u2") return values_of<std::uint16_t>(array);
  if (type == "u4") return values_of<std::uint32_t>(array);
  if (type == "u8") return values_of<std::uint64_t>(array);
  return bools_of(array);
}

}  // namespace

RowMatrix read_npy(const std::filesystem::path& path) {
  return npy_from_bytes(read_file(path), path.string());
}

RowMatrix npy_from_bytes(std::string_view bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  return dispatch(
      {header, header.rows(), header.columns(), bytes.data() + header.data_begin, name});
}

}  // namespace lbw
