// SPDX-License-Identifier: MIT
// Pictures: bytes as they are, or chunks with correct checksums, so that mutations reach the
// decoder; then the points of a silhouette.
#include <zlib.h>
#include <lbw/picture.hpp>

#include "fuzz/fuzz_input.hpp"
#include "picture/from_bytes.hpp"

using namespace lbw;

namespace {

void append_number(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255U);
}

void append_chunk(std::string& png, const std::string& type, std::string_view content) {
  append_number(png, static_cast<std::uint32_t>(content.size()));
  const std::string checked = type + std::string(content);
  png += checked;
  append_number(png,
                static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                                 static_cast<uInt>(checked.size()))));
}

std::string deflated(std::string_view content) {
  uLongf size = compressBound(content.size());
  std::string bytes(size, '\0');
  compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
            reinterpret_cast<const Bytef*>(content.data()), content.size(), 1);
  bytes.resize(size);
  return bytes;
}

std::string from_chunks(fuzz::FuzzInput& input) {
  const std::string types[] = {"PLTE", "tRNS", "gAMA", "sBIT", "bKGD", "IDAT", "tEXt", "IHDR"};
  std::string png = "\x89PNG\r\n\x1a\n";
  std::string header;
  append_number(header, static_cast<std::uint32_t>(input.whole(0, 40)));
  append_number(header, static_cast<std::uint32_t>(input.whole(0, 40)));
  header += static_cast<char>(1 << input.whole(0, 4));  // bits
  header += static_cast<char>(input.whole(0, 7));       // kind of colours
  header += static_cast<char>(input.whole(0, 1));       // compression
  header += static_cast<char>(input.whole(0, 1));       // filter
  header += static_cast<char>(input.whole(0, 1));       // interlaced
  append_chunk(png, "IHDR", header);
  for (int n = input.whole(0, 3); n > 0; --n) {
    const std::string& type = types[input.whole(0, 7)];
    const auto length = static_cast<std::size_t>(input.byte());
    append_chunk(png, type, input.rest().substr(0, length));
    for (std::size_t i = 0; i < length; ++i) static_cast<void>(input.byte());
  }
  append_chunk(png, "IDAT", deflated(input.rest()));
  append_chunk(png, "IEND", "");
  return png;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzInput input(data, size);
  const bool as_it_is = input.byte() % 2 == 0;
  const std::string bytes = as_it_is ? std::string(input.rest()) : from_chunks(input);
  GrayImage image;
  if (!fuzz::accepts([&] { image = png_from_bytes(bytes, "a.png"); })) return 0;
  fuzz::require(image.size() > 0, "a picture has pixels");
  fuzz::accepts([&] {
    const RowMatrix points = silhouette_points(image, 8, 1);
    fuzz::require(points.minCoeff() >= 0.0 && points.maxCoeff() <= 1.0,
                  "points are in the unit square");
  });
  return 0;
}
