// SPDX-License-Identifier: MIT
#include <nanobind/stl/filesystem.h>

#include <lbw/io.hpp>
#include <string_view>

#include "bind.hpp"
#include "interpreter_lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

void write_bytes(FileWriter& writer, const nb::bytes& bytes) {
  const std::string_view view(bytes.c_str(), bytes.size());
  const Unlocked release;
  writer.write(view);
}

}  // namespace

void bind_file_writer(nb::module_& m) {
  nb::class_<FileWriter>(m, "FileWriter", "Writes a file atomically.")
      .def(nb::init<const std::filesystem::path&>(), "path"_a)
      .def("write", &write_bytes, "bytes"_a, "Append bytes to the new file.")
      .def("commit", &FileWriter::commit, nb::call_guard<Unlocked>(),
           "Put the new file in place when the disk has it.");
}

}  // namespace lbw::python
