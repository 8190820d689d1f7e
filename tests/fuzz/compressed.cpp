// SPDX-License-Identifier: MIT
// Streams compressed by gzip and zstd, as far as 16 MB.
#include <array>
#include <sstream>

#include "fuzz/fuzz_input.hpp"
#include "io/byte_source.hpp"

using namespace lbw;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzInput input(data, size);
  const std::string_view magic = input.byte() % 2 == 0 ? gzip_magic : zstd_magic;
  std::istringstream stream(std::string(magic) + std::string(input.rest()));
  fuzz::accepts([&] {
    const auto source = decompressed(open_stream(stream, "t.csv"), "t.csv");
    std::array<char, 1 << 12> bytes;
    for (int part = 0; part < 1 << 12; ++part) {
      const std::size_t count = source->read(bytes);
      fuzz::require(count <= bytes.size(), "no more bytes than there is room for");
      if (count < bytes.size()) break;
    }
  });
  return 0;
}
