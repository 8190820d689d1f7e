// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <spng.h>

#include <lbw/picture.hpp>
#include <lbw/types.hpp>

#include "io/temporary_folder.hpp"
#include "picture/from_bytes.hpp"
#include "support/expect_error.hpp"
#include "support/limited_memory.hpp"

namespace lbw {
namespace {

using namespace std::string_literals;

/// A PNG of any colour type, written by libspng and not by the code under test.
std::string png(std::uint32_t width, std::uint32_t height, spng_color_type colour_type,
                std::uint8_t bit_depth, const std::string& pixels, const std::string& palette = {},
                const std::string& opacities = {}, bool interlaced = false) {
  spng_ctx* context = spng_ctx_new(SPNG_CTX_ENCODER);
  spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
  spng_ihdr header{width,
                   height,
                   bit_depth,
                   static_cast<std::uint8_t>(colour_type),
                   0,
                   0,
                   static_cast<std::uint8_t>(interlaced ? 1 : 0)};
  spng_set_ihdr(context, &header);
  spng_plte colours{};
  for (std::size_t i = 0; i < palette.size() / 3; ++i) {
    const auto channel = [&](std::size_t c) {
      return static_cast<std::uint8_t>(palette[3 * i + c]);
    };
    colours.entries[colours.n_entries++] = {channel(0), channel(1), channel(2), 255};
  }
  if (colours.n_entries > 0) spng_set_plte(context, &colours);
  spng_trns transparency{};
  for (const char opacity : opacities) {
    transparency.type3_alpha[transparency.n_type3_entries++] = static_cast<std::uint8_t>(opacity);
  }
  if (transparency.n_type3_entries > 0) spng_set_trns(context, &transparency);
  EXPECT_EQ(
      spng_encode_image(context, pixels.data(), pixels.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE),
      0);
  std::size_t size = 0;
  int error = 0;
  char* buffer = static_cast<char*>(spng_get_png_buffer(context, &size, &error));
  std::string bytes(buffer, size);
  std::free(buffer);
  spng_ctx_free(context);
  return bytes;
}

/// Reads a copy of this size, so that the sanitizer detects a read past the end.
GrayImage read(const std::string& bytes) {
  const std::vector<char> copy(bytes.begin(), bytes.end());
  return png_from_bytes({copy.data(), copy.size()}, "a.png");
}

void expect_refused(const std::string& bytes, const std::string& expected_message) {
  expect_error<IoError>([&] { (void)read(bytes); }, "a.png: " + expected_message);
}

GrayImage gray(std::initializer_list<std::initializer_list<std::uint8_t>> rows) {
  return GrayImage(rows);
}

TEST(Png, RoundTripsGreyValues) {
  Random random(1);
  const TemporaryFolder folder;
  GrayImage image(37, 53);
  for (Index i = 0; i < image.size(); ++i)
    image.data()[i] = static_cast<std::uint8_t>(random.below(256));
  write_png(folder / "a.png", image);
  EXPECT_EQ(read_png(folder / "a.png"), image);
}

TEST(Png, WritesTheSameBytesEveryTime) {
  const TemporaryFolder folder;
  const RgbImage image = RgbImage::filled(40, 30, {1, 2, 3});
  write_png(folder / "a.png", image);
  write_png(folder / "b.png", image);
  EXPECT_EQ(bytes_of(folder / "a.png"), bytes_of(folder / "b.png"));
}

// Rec. 601: 0.299 R + 0.587 G + 0.114 B, worked out by hand.
TEST(Png, ReadsColoursAsLuminance) {
  const TemporaryFolder folder;
  RgbImage image = RgbImage::filled(5, 1, {255, 255, 255});
  image.pixels = {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 200, 30, 255, 255, 255};
  write_png(folder / "a.png", image);
  EXPECT_EQ(read_png(folder / "a.png"), gray({{76, 150, 29, 124, 255}}));
}

TEST(Png, LaysTransparencyOnWhite) {
  // black at opacities 0, 51 and 255; grey 100 at 128: 100 * 128/255 + 255 * 127/255 = 177.2
  EXPECT_EQ(read(png(4, 1, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, 8, "\0\0\0\x33\0\xff\x64\x80"s)),
            gray({{255, 204, 0, 177}}));
  EXPECT_EQ(read(png(1, 2, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, "\xff\0\0\xff\xff\0\0\0"s)),
            gray({{76}, {255}}));
}

TEST(Png, ReadsPalettesSixteenBitsSingleBitsAndInterlacing) {
  EXPECT_EQ(read(png(3, 1, SPNG_COLOR_TYPE_INDEXED, 8, "\0\1\2"s, "\0\0\0\xff\xff\xff\0\0\0"s,
                     "\xff\xff\0"s)),
            gray({{0, 255, 255}}));
  // SPNG_FMT_PNG takes 16 bits in the order of the machine; equal bytes do not depend on it
  EXPECT_EQ(read(png(2, 1, SPNG_COLOR_TYPE_GRAYSCALE, 16, "\x40\x40\xff\xff"s)), gray({{64, 255}}));
  EXPECT_EQ(read(png(8, 1, SPNG_COLOR_TYPE_GRAYSCALE, 1, "\xa0"s)),
            gray({{255, 0, 255, 0, 0, 0, 0, 0}}));
  std::string pixels;
  for (int i = 0; i < 81; ++i) pixels += static_cast<char>(3 * i);
  const GrayImage image = read(png(9, 9, SPNG_COLOR_TYPE_GRAYSCALE, 8, pixels, {}, {}, true));
  for (Index i = 0; i < 81; ++i) EXPECT_EQ(image.data()[i], 3 * i);
}

TEST(Png, RefusesWhatIsNoPng) {
  const TemporaryFolder folder;
  const std::string path =
      folder.file("a.png", "GIF89a, which is another kind of picture").string();
  expect_error<IoError>([&] { (void)read_png(path); },
                        path + ": not a readable PNG: invalid signature");
  expect_refused("", "not a readable PNG: the file is empty");
  expect_refused("GIF89a, which is another kind of picture",
                 "not a readable PNG: invalid signature");
}

// A header that claims a size above the limit, or above what the file can contain. The checksum of
// the header is correct, so that only the size is wrong.
std::string with_size(std::uint32_t width, std::uint32_t height) {
  std::string bytes = png(1, 1, SPNG_COLOR_TYPE_GRAYSCALE, 8, "x");
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> (24 - 8 * i));
  };
  put(16, width);
  put(20, height);
  std::uint32_t crc = 0xffffffffU;
  for (std::size_t i = 12; i < 29; ++i) {
    crc ^= static_cast<unsigned char>(bytes[i]);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) ? 0xedb88320U : 0U);
  }
  put(29, ~crc);
  return bytes;
}

TEST(Png, RefusesSizesBeforeTakingMemory) {
  EXPECT_EQ(read(with_size(1, 1)).size(), 1);  // the unmodified header is valid
  expect_refused(with_size(16385, 1),
                 "not a readable PNG: image width exceeds user limit; at most 16384 x 16384 pixels "
                 "are supported");
  expect_refused(with_size(1, 16385),
                 "not a readable PNG: image height exceeds user limit; at most 16384 x 16384 "
                 "pixels are supported");
  const std::string bomb = with_size(16384, 16384);
  expect_refused(
      bomb, "16384 x 16384 pixels do not fit a PNG of " + std::to_string(bomb.size()) + " bytes");
}

std::string blank(std::uint32_t side) {
  return png(side, side, SPNG_COLOR_TYPE_GRAYSCALE, 1, std::string(side * (side / 8), '\0'));
}

TEST(Png, NeedsAByteForEveryPixel) {
  if (!can_limit_memory) GTEST_SKIP() << "the address space cannot be limited here";
  const std::string large = blank(8192);
  EXPECT_LT(large.size(), 20'000U);
  EXPECT_EQ(outcome_within(std::size_t{72} << 20U, [&] { (void)read(large); }), "done");
}

// 40 kB that expand to 268 million pixels
TEST(Png, RefusesBombs) {
  if (!can_limit_memory) GTEST_SKIP() << "the address space cannot be limited here";
  const std::string bomb = blank(16384);
  EXPECT_LT(bomb.size(), 50'000U);
  EXPECT_EQ(outcome_within(std::size_t{32} << 20U, [&] { (void)read(bomb); }),
            "a.png: 16384 x 16384 pixels in " + std::to_string(bomb.size()) +
                " bytes, expected at most 1000 pixels for each byte if there are more than "
                "67108864; scale the picture down");
  const std::string interlaced =
      png(4097, 4096, SPNG_COLOR_TYPE_GRAYSCALE, 1, std::string(4096 * 513, '\0'), {}, {}, true);
  EXPECT_EQ(outcome_within(std::size_t{32} << 20U, [&] { (void)read(interlaced); }),
            "a.png: 4097 x 4096 pixels, expected at most 16777216 in an interlaced PNG; save it "
            "without interlacing");
}

// 67 million pixels, and noise of a bit for every hundred of them, which cannot be compressed
TEST(Png, ReadsMorePixelsIfThereIsAByteForEveryThousand) {
  constexpr std::uint32_t side = 8208;
  std::string pixels(side * (side / 8), '\0');
  Random random(14);
  for (std::size_t i = 0; i < 100'000; ++i) pixels[i] = static_cast<char>(random.below(256));
  const GrayImage image = read(png(side, side, SPNG_COLOR_TYPE_GRAYSCALE, 1, pixels));
  EXPECT_EQ(image.size(), Index{side} * side);
  for (Index i = 0; i < 800'000; i += 997) {
    const int bit = pixels[static_cast<std::size_t>(i / 8)] >> (7 - i % 8) & 1;
    EXPECT_EQ(image.data()[i], 255 * bit) << i;
  }
}

TEST(Png, RefusesEveryTruncation) {
  const std::string whole = png(16, 16, SPNG_COLOR_TYPE_GRAYSCALE, 8, std::string(256, 'x'));
  EXPECT_EQ(read(whole).size(), 256);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW((void)read(whole.substr(0, length)), IoError) << length;
  }
}

TEST(Png, SurvivesDamage) {
  std::string pixels;
  Random random(13);
  for (int i = 0; i < 1024; ++i) pixels += static_cast<char>(random.below(256));
  const std::string whole = png(16, 16, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, pixels);
  int n_refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = whole;
    damaged[random.below(damaged.size())] ^= static_cast<char>(1 + random.below(255));
    try {
      (void)read(damaged);
    } catch (const IoError&) {
      ++n_refused;
    }
  }
  EXPECT_GT(n_refused, 2900);  // checksums detect nearly all damage
}

TEST(Png, RefusesToWriteWhatItCouldNotRead) {
  const TemporaryFolder folder;
  expect_error<InvalidArgument>(
      [&] { write_png(folder / "a.png", GrayImage(0, 5)); },
      "write_png: image is 5 x 0 pixels, expected 1 x 1 to 16384 x 16384");
  expect_error<InvalidArgument>(
      [&] { write_png(folder / "a.png", GrayImage(1, 16385)); },
      "write_png: image is 16385 x 1 pixels, expected 1 x 1 to 16384 x 16384");
  RgbImage image = RgbImage::filled(2, 2, {0, 0, 0});
  image.pixels.pop_back();
  expect_error<InvalidArgument>([&] { write_png(folder / "a.png", image); },
                                "write_png: image has 11 bytes, expected 12 for 2 x 2 pixels");
  expect_error<InvalidArgument>(
      [] {
        (void)RgbImage::filled(-1, 2, {0, 0, 0});
      },
      "RgbImage::filled: -1 x 2 pixels, expected sides >= 0");
}

}  // namespace
}  // namespace lbw
