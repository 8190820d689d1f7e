// SPDX-License-Identifier: MIT
// Memory-mapped arrays that Python code reads while their file may be truncated.
#include "arrays.hpp"
#include "bind.hpp"

using namespace nanobind::literals;

namespace lbw::python {

namespace {

/// While it exists, memory that a mapped file has lost reads as zeros instead of ending the
/// process. Other arrays have no guard.
class MappedMemory {
 public:
  explicit MappedMemory(SampleArray samples) : samples_(std::move(samples)) {}

  void check() const {
    if (samples_.guard) samples_.guard->check();
  }

 private:
  SampleArray samples_;
};

}  // namespace

void bind_mapped_memory(nb::module_& m) {
  nb::class_<MappedMemory>(m, "MappedMemory", "Guards the memory of a mapped file while it exists.")
      .def(nb::init<SampleArray>(), "samples"_a)
      .def("check", &MappedMemory::check, "Raise IoError if a part of the file was lost.");
}

}  // namespace lbw::python
