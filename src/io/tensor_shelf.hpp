// SPDX-License-Identifier: MIT
// Assembling tensors from numbers and reading them back.
#pragma once

#include <cstdint>
#include <deque>
#include <lbw/matrix.hpp>
#include <lbw/tensor_file.hpp>
#include <map>
#include <string>
#include <vector>

#include "io/little_endian.hpp"

namespace lbw {

using Shape = std::vector<std::uint64_t>;

/// Tensors and the memory they view; a deque never moves its elements.
struct ModelTensors {
  std::deque<std::string> data;
  std::vector<Tensor> tensors;
};

template <typename Derived>
void append_row_major(std::string& bytes, const Eigen::MatrixBase<Derived>& values) {
  for (Index row = 0; row < values.rows(); ++row) {
    for (Index column = 0; column < values.cols(); ++column) {
      append_little_endian(bytes, values(row, column));
    }
  }
}

void add_tensor(ModelTensors& out, std::string name, Shape shape, std::string bytes,
                const char* dtype = "F64");

/// Provides tensors by name and detects unused ones.
class TensorShelf {
 public:
  /// @param name  the file name in messages; it and the tensors must outlive the shelf
  TensorShelf(const std::vector<Tensor>& tensors, const std::string& name);

  [[nodiscard]] bool has(const std::string& tensor) const { return left_.contains(tensor); }

  /// @throws IoError  if the tensor is missing or has another type
  const Tensor& take(const std::string& tensor, const char* dtype);

  void check_shape(const Tensor& tensor, bool fits, const std::string& expected) const;

  void check_empty() const;

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  const std::string& name_;
  std::map<std::string, const Tensor*> left_;
};

/// Reads the numbers of a tensor in order; its length was checked against its shape.
class NumberCursor {
 public:
  explicit NumberCursor(const Tensor& tensor) : at_(tensor.data.data()) {}

  template <typename T>
  T next() {
    const T value = read_little_endian<T>(at_);
    at_ += sizeof(T);
    return value;
  }

  template <typename MatrixType>
  MatrixType matrix(Index rows, Index columns) {
    MatrixType values(rows, columns);
    for (Index row = 0; row < rows; ++row) {
      for (Index column = 0; column < columns; ++column) values(row, column) = next<double>();
    }
    return values;
  }

 private:
  const char* at_;
};

}  // namespace lbw
