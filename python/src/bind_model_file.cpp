// SPDX-License-Identifier: MIT
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <lbw/io.hpp>
#include <lbw/tensor_file.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "interpreter_lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

/// Name, type, shape and data.
using TensorTuple = std::tuple<std::string, std::string, std::vector<std::uint64_t>, nb::bytes>;

nb::bytes bytes_of(const TransportModel& model) {
  const std::string bytes = model_to_bytes(model);
  return nb::bytes(bytes.data(), bytes.size());
}

TransportModel model_of(const nb::bytes& bytes, const std::string& name) {
  return model_from_bytes({bytes.c_str(), bytes.size()}, name);
}

void save_tensors(const std::filesystem::path& path, const std::string& kind,
                  const Metadata& metadata, const std::vector<TensorTuple>& tensors) {
  TensorFile file{model_metadata(kind), {}};
  file.metadata.insert(file.metadata.end(), metadata.begin(), metadata.end());
  for (const auto& [name, dtype, shape, data] : tensors) {
    file.tensors.push_back({name, dtype, shape, {data.c_str(), data.size()}});
  }
  save_tensor_file(path, file);
}

std::pair<Metadata, std::vector<TensorTuple>> tensors_of(const nb::bytes& bytes,
                                                         const std::string& kind,
                                                         const std::string& name) {
  const TensorFile file = tensor_file_from_bytes({bytes.c_str(), bytes.size()}, name);
  check_model_kind(file.metadata, kind, name);
  std::vector<TensorTuple> tensors;
  for (const Tensor& tensor : file.tensors) {
    tensors.emplace_back(tensor.name, tensor.dtype, tensor.shape,
                         nb::bytes(tensor.data.data(), tensor.data.size()));
  }
  return {file.metadata, tensors};
}

void bind_transport_file(nb::module_& m) {
  // pickle and copy use the bytes of the file format
  auto model = nb::borrow<nb::class_<TransportModel>>(m.attr("TransportModel"));
  model.def("__getstate__", &bytes_of);
  model.def("__setstate__", [](TransportModel& self, const nb::bytes& bytes) {
    new (&self) TransportModel(model_of(bytes, "pickle"));
  });
  m.def("save_model", &save_model, "path"_a, "model"_a, nb::call_guard<Unlocked>(),
        "Write a model as one safetensors file, atomically.");
  m.def("load_model", &load_model, "path"_a, nb::call_guard<Unlocked>(),
        "Read and validate a model.");
  m.def("model_to_bytes", &bytes_of, "model"_a, "Convert a model to bytes.");
  m.def("model_from_bytes", &model_of, "bytes"_a, "name"_a = "bytes",
        "Read a model from bytes; `name` is used in messages.");
}

void bind_mixture_file(nb::module_& m) {
  nb::class_<MixtureStatistics>(m, "MixtureStatistics", "The statistics of a mixture's fit.")
      .def(nb::init<double, int, bool>(), "mean_log_likelihood"_a, "iterations"_a, "converged"_a)
      .def_ro("mean_log_likelihood", &MixtureStatistics::mean_log_likelihood)
      .def_ro("iterations", &MixtureStatistics::iterations)
      .def_ro("converged", &MixtureStatistics::converged);
  nb::class_<MixtureModel>(m, "MixtureModel", "A mixture in a file, with what belongs to it.")
      .def(nb::init<Mixture, std::vector<std::string>, std::optional<MixtureStatistics>,
                    std::map<std::string, std::string>>(),
           "mixture"_a, "feature_names"_a, "statistics"_a.none(), "notes"_a)
      .def_ro("mixture", &MixtureModel::mixture)
      .def_ro("feature_names", &MixtureModel::feature_names)
      .def_ro("statistics", &MixtureModel::statistics)
      .def_ro("notes", &MixtureModel::notes);
  m.def("save_mixture", &save_mixture, "path"_a, "model"_a, nb::call_guard<Unlocked>(),
        "Write a mixture as one safetensors file, atomically.");
  m.def("load_mixture", &load_mixture, "path"_a, nb::call_guard<Unlocked>(),
        "Read and validate a mixture.");
}

}  // namespace

void bind_model_file(nb::module_& m) {
  bind_transport_file(m);
  bind_mixture_file(m);
  m.def("save_tensors", &save_tensors, "path"_a, "kind"_a, "metadata"_a, "tensors"_a,
        "Write a model file of a kind, atomically; a tensor is its name, type, shape and data.");
  m.def("tensors_from_bytes", &tensors_of, "bytes"_a, "kind"_a, "name"_a,
        "Read the metadata and tensors of a model file of a kind; `name` is used in messages.");
}

}  // namespace lbw::python
