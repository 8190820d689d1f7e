// SPDX-License-Identifier: MIT
#include <cmath>
#include <lbw/io.hpp>

#include "core/message.hpp"
#include "io/atomic_file.hpp"
#include "io/little_endian.hpp"

namespace lbw {

namespace {

constexpr std::size_t header_alignment = 64;  // as in NumPy

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

void check_finite(const Eigen::Ref<const RowMatrix>& values, Index first_row,
                  const char* function) {
  for (Index row = 0; row < values.rows(); ++row) {
    for (Index column = 0; column < values.cols(); ++column) {
      require(std::isfinite(values(row, column)), function, " contains ", values(row, column),
              " at row ", first_row + row, ", column ", column,
              " (counted from 0), expected finite values");
    }
  }
}

}  // namespace

NpyWriter::NpyWriter(const std::filesystem::path& path, Index n_rows, Index n_columns)
    : n_rows_(n_rows), n_columns_(n_columns) {
  require(n_rows > 0 && n_columns > 0, "NpyWriter: an array of ", n_rows, " x ", n_columns,
          ", expected at least one value");
  file_ = std::make_unique<FileWriter>(path);
  bytes_ = header_bytes(n_rows, n_columns);
}

NpyWriter::~NpyWriter() = default;

void NpyWriter::append(const MatrixView& view) {
  const Eigen::Ref<const RowMatrix> rows = view.values();
  require(rows.cols() == n_columns_, "NpyWriter::append: rows have ",
          counted(rows.cols(), "column"), ", the array has ", n_columns_);
  require(rows.rows() <= n_rows_ - n_written_, "NpyWriter::append: ", counted(rows.rows(), "row"),
          " after the first ", n_written_, " exceed the ", n_rows_, " rows of the array");
  check_finite(rows, n_written_, "NpyWriter::append: rows");
  for (Index row = 0; row < rows.rows(); ++row) {
    for (Index column = 0; column < n_columns_; ++column) {
      append_little_endian(bytes_, rows(row, column));
    }
    if (bytes_.size() < flush_at) continue;
    file_->write(bytes_);
    bytes_.clear();
  }
  n_written_ += rows.rows();
}

void NpyWriter::commit() {
  require(n_written_ == n_rows_, "NpyWriter::commit: ", counted(n_written_, "row"),
          n_written_ == 1 ? " was" : " were", " appended, expected ", n_rows_);
  file_->write(bytes_);
  bytes_.clear();
  file_->commit();
}

void write_npy(const std::filesystem::path& path, const MatrixView& view) {
  const Eigen::Ref<const RowMatrix> values = view.values();
  require(values.size() > 0, "write_npy: values is ", values.rows(), " x ", values.cols(),
          ", expected at least one value");
  check_finite(values, 0, "write_npy: values");
  NpyWriter writer(path, values.rows(), values.cols());
  writer.append(values);
  writer.commit();
}

}  // namespace lbw
