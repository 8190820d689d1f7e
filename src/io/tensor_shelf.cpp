// SPDX-License-Identifier: MIT
#include "io/tensor_shelf.hpp"

#include <lbw/types.hpp>

#include "core/message.hpp"
#include "io/excerpt.hpp"

namespace lbw {

void add_tensor(ModelTensors& out, std::string name, Shape shape, std::string bytes,
                const char* dtype) {
  out.data.push_back(std::move(bytes));
  out.tensors.push_back({std::move(name), dtype, std::move(shape), out.data.back()});
}

TensorShelf::TensorShelf(const std::vector<Tensor>& tensors, const std::string& name)
    : name_(name) {
  for (const Tensor& tensor : tensors) left_.emplace(tensor.name, &tensor);
}

const Tensor& TensorShelf::take(const std::string& tensor, const char* dtype) {
  const auto found = left_.find(tensor);
  if (found == left_.end()) throw IoError(message(name_, ": tensor '", tensor, "' is missing"));
  const Tensor& taken = *found->second;
  left_.erase(found);
  if (taken.dtype == dtype) return taken;
  throw IoError(
      message(name_, ": tensor '", tensor, "' is of type ", taken.dtype, ", expected ", dtype));
}

void TensorShelf::check_shape(const Tensor& tensor, bool fits, const std::string& expected) const {
  if (fits) return;
  throw IoError(message(name_, ": tensor '", tensor.name, "' has shape ",
                        tensor_shape_text(tensor.shape), ", expected ", expected));
}

void TensorShelf::check_empty() const {
  if (left_.empty()) return;
  throw IoError(message(name_, ": unknown tensor '", excerpt(left_.begin()->first), "'"));
}

}  // namespace lbw
