// SPDX-License-Identifier: MIT
// Headers and data of NumPy files.
#include "fuzz/fuzz_input.hpp"
#include "io/from_bytes.hpp"

using namespace lbw;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::FuzzInput input(data, size);
  RowMatrix values;
  if (!fuzz::accepts([&] { values = npy_from_bytes(input.rest(), "a.npy"); })) return 0;
  fuzz::require(values.allFinite(), "numbers are finite");
  fuzz::require(values.size() > 0, "there are rows and columns");
  fuzz::require(static_cast<std::size_t>(values.size()) <= size, "every value has at least a byte");
  return 0;
}
