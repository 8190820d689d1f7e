// SPDX-License-Identifier: MIT
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <lbw/model_io.hpp>

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
  // pickle and copy go through the same bytes as files
  auto model = nb::borrow<nb::class_<TransportModel>>(m.attr("TransportModel"));
  model.def("__getstate__", &bytes_of);
  model.def("__setstate__", [](TransportModel& self, const nb::bytes& bytes) {
    new (&self) TransportModel(model_of(bytes, "pickle"));
  });
  m.def("save_model", &save_model, "path"_a, "model"_a, nb::call_guard<nb::gil_scoped_release>(),
        "Writes a model as one safetensors file, aside and then renamed.");
  m.def("load_model", &load_model, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
        "Reads a model; nothing in the file is trusted.");
  m.def("model_to_bytes", &bytes_of, "model"_a, "The same as bytes in memory.");
  m.def("model_from_bytes", &model_of, "bytes"_a, "name"_a = "bytes",
        "The same from bytes in memory; `name` stands for the file in messages.");
}

}  // namespace lbw::python
