// SPDX-License-Identifier: MIT
#include <spng.h>

#include <cstdlib>
#include <lbw/picture.hpp>
#include <memory>
#include <span>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/atomic_file.hpp"
#include "picture/from_bytes.hpp"

namespace lbw {

namespace {

constexpr std::uint32_t longest_side = 16384;
constexpr std::size_t largest_chunk = std::size_t{64} << 20U;
// Deflate expands by a factor of at most 1032. A short file that claims a large image is therefore
// rejected before memory is allocated.
constexpr std::uint64_t largest_expansion = 1032;
// A larger picture of one colour fits a few kilobytes. Pictures up to this size are always read.
// Larger ones need a byte for every 1000 pixels.
constexpr std::uint64_t most_pixels_of_any_file = std::uint64_t{1} << 26U;
constexpr std::uint64_t most_pixels_a_byte = 1000;
constexpr Index most_interlaced_pixels = Index{1} << 24;

using Context = std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)>;

class PngReader {
 public:
  PngReader(std::string_view bytes, std::string name)
      : name_(std::move(name)),
        has_end_(bytes.find("IEND\xAE\x42\x60\x82") != std::string_view::npos),
        context_(spng_ctx_new(0), &spng_ctx_free) {
    if (!context_) throw std::bad_alloc();
    if (bytes.empty()) throw IoError(message(name_, ": not a readable PNG: the file is empty"));
    check(spng_set_image_limits(context_.get(), longest_side, longest_side));
    check(spng_set_chunk_limits(context_.get(), largest_chunk, largest_chunk));
    check(spng_set_png_buffer(context_.get(), bytes.data(), bytes.size()));
    check_ihdr(spng_get_ihdr(context_.get(), &header_));
    if (claimed_bytes() > largest_expansion * bytes.size()) {
      throw IoError(message(name_, ": ", header_.width, " x ", header_.height,
                            " pixels do not fit a PNG of ", bytes.size(), " bytes"));
    }
    check_expansion(bytes.size());
  }

  GrayImage read() {
    GrayImage image(header_.height, header_.width);
    if (header_.interlace_method == SPNG_INTERLACE_NONE) {
      read_rows(image);
    } else {
      read_interlaced(image);
    }
    check(spng_decode_chunks(context_.get()));  // reads to the end, so the file is complete
    check(has_end_ ? 0 : SPNG_IO_EOF);          // except for the checksum of the end chunk
    return image;
  }

 private:
  void check(int error) const {
    if (error) throw IoError(message(name_, ": not a readable PNG: ", spng_strerror(error)));
  }

  void check_ihdr(int error) const {
    if (error != SPNG_EWIDTH && error != SPNG_EHEIGHT && error != SPNG_EUSER_WIDTH &&
        error != SPNG_EUSER_HEIGHT) {
      return check(error);
    }
    throw IoError(message(name_, ": not a readable PNG: ", spng_strerror(error), "; at most ",
                          longest_side, " x ", longest_side, " pixels are supported"));
  }

  [[nodiscard]] std::uint64_t claimed_bytes() const {
    constexpr std::array<std::uint64_t, 7> channels = {1, 0, 3, 1, 2, 0, 4};  // by colour type
    const std::uint64_t bits = channels.at(header_.color_type) * header_.bit_depth;
    return header_.height * ((header_.width * bits + 7) / 8);
  }

  void check_expansion(std::size_t n_bytes) const {
    const std::uint64_t n_pixels = std::uint64_t{header_.width} * header_.height;
    if (n_pixels <= most_pixels_of_any_file || n_pixels <= most_pixels_a_byte * n_bytes) return;
    throw IoError(message(name_, ": ", header_.width, " x ", header_.height, " pixels in ", n_bytes,
                          " bytes, expected at most ", most_pixels_a_byte,
                          " pixels for each byte if there are more than ", most_pixels_of_any_file,
                          "; scale the picture down"));
  }

  // One row of colours is in memory at a time, because a small file may expand to a large image.
  void read_rows(GrayImage& image) {
    std::vector<std::uint8_t> pixels(std::size_t{4} * header_.width);
    check(spng_decode_image(context_.get(), nullptr, 0, SPNG_FMT_RGBA8,
                            SPNG_DECODE_TRNS | SPNG_DECODE_PROGRESSIVE));
    for (Index row = 0; row < image.rows(); ++row) {
      const int error = spng_decode_row(context_.get(), pixels.data(), pixels.size());
      check(error == SPNG_EOI && row + 1 == image.rows() ? 0 : error);
      lay_on_white(pixels, image.data() + row * image.cols());
    }
  }

  // The rows of interlaced images come in seven passes, so all of them are in memory.
  void read_interlaced(GrayImage& image) {
    if (image.size() > most_interlaced_pixels) {
      throw IoError(message(name_, ": ", header_.width, " x ", header_.height,
                            " pixels, expected at most ", most_interlaced_pixels,
                            " in an interlaced PNG; save it without interlacing"));
    }
    std::vector<std::uint8_t> pixels(4 * to_size(image.size()));
    check(spng_decode_image(context_.get(), pixels.data(), pixels.size(), SPNG_FMT_RGBA8,
                            SPNG_DECODE_TRNS));
    lay_on_white(pixels, image.data());
  }

  // Rec. 601 luminance, blended with white by opacity and rounded once.
  static void lay_on_white(const std::vector<std::uint8_t>& pixels, std::uint8_t* out) {
    for (std::size_t i = 0; i < pixels.size(); i += 4) {
      const std::uint32_t luminance =
          299U * pixels[i] + 587U * pixels[i + 1] + 114U * pixels[i + 2];
      const std::uint32_t opacity = pixels[i + 3];
      const std::uint32_t sum = luminance * opacity + 255'000U * (255U - opacity);
      *out++ = static_cast<std::uint8_t>((sum + 127'500U) / 255'000U);
    }
  }

  std::string name_;
  bool has_end_;
  Context context_;
  spng_ihdr header_{};
};

void check_size(Index width, Index height) {
  const auto fits = [](Index side) { return side >= 1 && side <= Index{longest_side}; };
  require(fits(width) && fits(height), "write_png: image is ", width, " x ", height,
          " pixels, expected 1 x 1 to ", longest_side, " x ", longest_side);
}

void check_encoded(int error) {
  if (error) throw IoError(message("write_png: cannot encode the image: ", spng_strerror(error)));
}

std::string encoded(std::span<const std::uint8_t> pixels, Index width, Index height,
                    spng_color_type colour_type) {
  const Context context(spng_ctx_new(SPNG_CTX_ENCODER), &spng_ctx_free);
  if (!context) throw std::bad_alloc();
  spng_ihdr header{};
  header.width = static_cast<std::uint32_t>(width);
  header.height = static_cast<std::uint32_t>(height);
  header.bit_depth = 8;
  header.color_type = static_cast<std::uint8_t>(colour_type);
  check_encoded(spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1));
  check_encoded(spng_set_ihdr(context.get(), &header));
  check_encoded(spng_encode_image(context.get(), pixels.data(), pixels.size(), SPNG_FMT_PNG,
                                  SPNG_ENCODE_FINALIZE));
  std::size_t size = 0;
  int error = 0;
  const std::unique_ptr<void, decltype(&std::free)> buffer(
      spng_get_png_buffer(context.get(), &size, &error), &std::free);
  check_encoded(error);
  return {static_cast<const char*>(buffer.get()), size};
}

}  // namespace

RgbImage RgbImage::filled(Index width, Index height, std::array<std::uint8_t, 3> colour) {
  require(width >= 0 && height >= 0, "RgbImage::filled: ", width, " x ", height,
          " pixels, expected sides >= 0");
  RgbImage image{width, height, std::vector<std::uint8_t>(to_size(3 * width * height))};
  for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = colour[i % 3];
  return image;
}

GrayImage read_png(const std::filesystem::path& path) {
  return png_from_bytes(read_file(path), path.string());
}

GrayImage png_from_bytes(std::string_view bytes, const std::string& name) {
  return PngReader(bytes, name).read();
}

void write_png(const std::filesystem::path& path, const GrayImage& image) {
  check_size(image.cols(), image.rows());
  const std::span<const std::uint8_t> pixels(image.data(), to_size(image.size()));
  write_file(path, encoded(pixels, image.cols(), image.rows(), SPNG_COLOR_TYPE_GRAYSCALE));
}

void write_png(const std::filesystem::path& path, const RgbImage& image) {
  check_size(image.width, image.height);
  require(std::ssize(image.pixels) == 3 * image.width * image.height, "write_png: image has ",
          image.pixels.size(), " bytes, expected ", 3 * image.width * image.height, " for ",
          image.width, " x ", image.height, " pixels");
  write_file(path, encoded(image.pixels, image.width, image.height, SPNG_COLOR_TYPE_TRUECOLOR));
}

}  // namespace lbw
