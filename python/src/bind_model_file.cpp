// SPDX-License-Identifier: MIT
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <lbw/io.hpp>

#include "bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

nb::bytes bytes_of(const TransportModel& model) {
  const std::string bytes = model_to_bytes(model);
  return nb::bytes(bytes.data(), bytes.size());
}

TransportModel model_of(const nb::bytes& bytes, const std::string& name) {
  return model_from_bytes({bytes.c_str(), bytes.size()}, name);
}

}  // namespace

void bind_model_file(nb::module_& m) {
  // pickle and copy use the bytes of the file format
  auto model = nb::borrow<nb::class_<TransportModel>>(m.attr("TransportModel"));
  model.def("__getstate__", &bytes_of);
  model.def("__setstate__", [](TransportModel& self, const nb::bytes& bytes) {
    new (&self) TransportModel(model_of(bytes, "pickle"));
  });
  m.def("save_model", &save_model, "path"_a, "model"_a, nb::call_guard<nb::gil_scoped_release>(),
        "Write a model as one safetensors file, atomically.");
  m.def("load_model", &load_model, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
        "Read and validate a model.");
  m.def("model_to_bytes", &bytes_of, "model"_a, "Convert a model to bytes.");
  m.def("model_from_bytes", &model_of, "bytes"_a, "name"_a = "bytes",
        "Read a model from bytes; `name` is used in messages.");
}

}  // namespace lbw::python
