// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/npy.hpp>
#include <limits>

#include "core/message.hpp"
#include "io/atomic_file.hpp"
#include "io/from_bytes.hpp"
#include "io/little_endian.hpp"
#include "io/npy_header.hpp"

namespace lbw {

namespace {

constexpr std::size_t header_alignment = 64;  // as NumPy pads
constexpr std::size_t flush_at = 1U << 16U;

/// The values of a file and how they lie there.
struct NpyArray {
  NpyHeader header;
  Index rows = 0;
  Index columns = 0;
  const char* data = nullptr;
  const std::string& name;

  [[nodiscard]] std::size_t offset(Index row, Index column) const {
    return static_cast<std::size_t>(header.fortran_order ? column * rows + row
                                                         : row * columns + column);
  }
};

[[noreturn]] void refuse(const NpyArray& array, const std::string& value, Index row, Index column,
                         const char* condition) {
  throw IoError(message(array.name, ": holds ", value, " at row ", row, ", column ", column,
                        " (counted from 0), ", condition));
}

// Doubles count by ones up to 2^53; a larger integer that is not even enough would change.
template <typename Integer>
bool is_exact(Integer value) {
  const double converted = static_cast<double>(value);
  // 2^63 and 2^64 themselves do not fit the integer: converting back would be undefined
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
          refuse(array, to_text(values(row, column)), row, column, "expected finite values");
        }
      } else if constexpr (sizeof(T) == 8) {
        if (!is_exact(value)) {
          refuse(array, std::to_string(value), row, column, "which a double cannot hold exactly");
        }
      }
    }
  }
  return values;
}

// A byte of any other value than 0 and 1 is no bool of NumPy's.
RowMatrix bools_of(const NpyArray& array) {
  RowMatrix values = values_of<std::uint8_t>(array);
  for (Index row = 0; row < array.rows; ++row) {
    for (Index column = 0; column < array.columns; ++column) {
      if (values(row, column) <= 1.0) continue;
      refuse(array, to_text(values(row, column)), row, column, "expected a bool, 0 or 1");
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

// False too when 64 bits cannot count the bytes that the shape claims.
bool claims_exactly(const NpyHeader& header, std::size_t available) {
  std::uint64_t bytes = static_cast<std::uint64_t>(header.descr[2] - '0');
  for (const std::uint64_t length : header.shape) {
    if (__builtin_mul_overflow(bytes, length, &bytes)) return false;
  }
  return bytes == available;
}

void check_values(const Eigen::Ref<const RowMatrix>& values) {
  require(values.size() > 0, "write_npy: values is ", values.rows(), " x ", values.cols(),
          ", expected at least one value");
  for (Index row = 0; row < values.rows(); ++row) {
    for (Index column = 0; column < values.cols(); ++column) {
      require(std::isfinite(values(row, column)), "write_npy: values holds ", values(row, column),
              " at row ", row, ", column ", column, " (counted from 0), expected finite values");
    }
  }
}

std::string header_bytes(Index rows, Index columns) {
  std::string dictionary =
      message("{'descr': '<f8', 'fortran_order': False, 'shape': (", rows, ", ", columns, "), }");
  const std::size_t before = 10;  // magic, version and length
  const std::size_t unpadded = before + dictionary.size() + 1;
  dictionary.append((header_alignment - unpadded % header_alignment) % header_alignment, ' ');
  dictionary += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  append_little_endian(bytes, static_cast<std::uint16_t>(dictionary.size()));
  return bytes + dictionary;
}

}  // namespace

RowMatrix read_npy(const std::filesystem::path& path) {
  return npy_from_bytes(read_file(path), path.string());
}

RowMatrix npy_from_bytes(std::string_view bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  const std::size_t available = bytes.size() - header.data_begin;
  if (std::find(header.shape.begin(), header.shape.end(), 0U) != header.shape.end()) {
    throw IoError(message(name, ": shape ", shape_text(header.shape), " holds no values"));
  }
  if (!claims_exactly(header, available)) {
    throw IoError(message(name, ": shape ", shape_text(header.shape), " of '", header.descr,
                          "' does not fit the ", available, " bytes after the header"));
  }
  const auto length = [&](std::size_t i) { return static_cast<Index>(header.shape[i]); };
  return dispatch({header, length(0), header.shape.size() == 1 ? 1 : length(1),
                   bytes.data() + header.data_begin, name});
}

void write_npy(const std::filesystem::path& path, const Eigen::Ref<const RowMatrix>& values) {
  check_values(values);
  FileWriter file(path);
  std::string bytes = header_bytes(values.rows(), values.cols());
  for (Index row = 0; row < values.rows(); ++row) {
    for (Index column = 0; column < values.cols(); ++column) {
      append_little_endian(bytes, values(row, column));
    }
    if (bytes.size() < flush_at) continue;
    file.write(bytes);
    bytes.clear();
  }
  file.write(bytes);
  file.commit();
}

}  // namespace lbw
