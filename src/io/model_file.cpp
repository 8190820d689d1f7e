// SPDX-License-Identifier: MIT
#include <lbw/io.hpp>
#include <lbw/tensor_file.hpp>

#include "io/atomic_file.hpp"
#include "io/model_metadata.hpp"
#include "io/model_tensors.hpp"

namespace lbw {

void save_model(const std::filesystem::path& path, const TransportModel& model) {
  write_file(path, model_to_bytes(model));
}

TransportModel load_model(const std::filesystem::path& path) {
  return model_from_bytes(read_file(path), path.string());
}

std::string model_to_bytes(const TransportModel& model) {
  check_model(model, "save_model");
  const ModelTensors arrays = tensors_of(model);
  return tensor_file_to_bytes({metadata_of(model), arrays.tensors});
}

TransportModel model_from_bytes(std::string_view bytes, const std::string& name) {
  const TensorFile file = tensor_file_from_bytes(bytes, name);
  TransportModel model = model_from_metadata(file.metadata, name);
  read_tensors(file.tensors, name, model);
  check_refine_entry(file.metadata, name, model.refinement.steps.size());
  try {
    check_model(model, name.c_str());
  } catch (const InvalidArgument& error) {
    throw IoError(error.what());
  }
  return model;
}

}  // namespace lbw
