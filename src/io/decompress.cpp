// SPDX-License-Identifier: MIT
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <lbw/types.hpp>
#include <new>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "io/byte_source.hpp"

namespace lbw {

namespace {

constexpr std::size_t compressed_part = 1U << 16U;
// Tables of numbers shrink by a factor of 2 to 50. A small file that expands without end must not
// fill the memory.
constexpr std::uint64_t largest_expansion = 200;
constexpr std::uint64_t harmless_size = std::uint64_t{64} << 20U;

/// A source with a part of it in memory.
class Parts {
 public:
  Parts(std::unique_ptr<ByteSource> source, std::string name)
      : name_(std::move(name)), source_(std::move(source)), part_(compressed_part) {
    refill();
  }

  /// The bytes of the current part that are not used yet; empty only at the end.
  [[nodiscard]] std::span<char> left() {
    if (used_ == filled_ && !at_end_) refill();
    return std::span(part_).subspan(used_, filled_ - used_);
  }
  void use(std::size_t count) {
    used_ += count;
    n_used_ += count;
  }
  /// Counts decompressed bytes.
  void add_expanded(std::size_t count, const char* kind) {
    n_expanded_ += count;
    if (n_expanded_ <= harmless_size || n_expanded_ / largest_expansion <= n_used_) return;
    throw IoError(message(name_, " is compressed by ", kind, " and expands to more than ",
                          largest_expansion,
                          " times its size, as no table of measurements does; decompress it first "
                          "if it is one"));
  }
  [[nodiscard]] bool starts_with(std::string_view magic) {
    const std::span<char> bytes = left();
    return std::string_view(bytes.data(), bytes.size()).starts_with(magic);
  }

  [[noreturn]] void fail_truncated(const char* kind) const {
    throw IoError(message(name_, " is compressed by ", kind,
                          " and truncated: it ends within the compressed data; create or copy the "
                          "file again"));
  }
  [[noreturn]] void fail_damaged(const char* kind, const char* reason) const {
    throw IoError(message(name_, " is compressed by ", kind, " and damaged (", reason,
                          "); create or copy the file again"));
  }

 private:
  void refill() {
    filled_ = source_->read(part_);
    at_end_ = filled_ < part_.size();
    used_ = 0;
  }

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> part_;
  std::size_t filled_ = 0;
  std::size_t used_ = 0;
  std::uint64_t n_used_ = 0;  // of all parts
  std::uint64_t n_expanded_ = 0;
  bool at_end_ = false;
};

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(Parts parts) : parts_(std::move(parts)) {}

  std::size_t read(std::span<char> bytes) override {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const std::span<char> part = parts_.left();
      if (part.empty()) break;
      const std::size_t count = std::min(part.size(), bytes.size() - filled);
      std::copy_n(part.begin(), count, bytes.begin() + static_cast<std::ptrdiff_t>(filled));
      parts_.use(count);
      filled += count;
    }
    return filled;
  }

 private:
  Parts parts_;
};

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(Parts parts) : parts_(std::move(parts)) {
    constexpr int only_gzip = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, only_gzip) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> bytes) override {
    stream_.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_out = static_cast<uInt>(bytes.size());
    while (stream_.avail_out > 0 && !(at_member_end_ && !begin_member())) step();
    const std::size_t count = bytes.size() - stream_.avail_out;
    parts_.add_expanded(count, "gzip");
    return count;
  }

 private:
  void step() {
    const std::span<char> part = parts_.left();
    if (part.empty()) parts_.fail_truncated("gzip");
    stream_.next_in = reinterpret_cast<Bytef*>(part.data());
    stream_.avail_in = static_cast<uInt>(part.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    parts_.use(part.size() - stream_.avail_in);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      parts_.fail_damaged("gzip", stream_.msg != nullptr ? stream_.msg : "invalid data");
    }
    at_member_end_ = result == Z_STREAM_END;
  }

  /// Begins the next member if there is one. Zeros may follow the last, as on tapes.
  bool begin_member() {
    for (std::span<char> part = parts_.left(); !part.empty(); part = parts_.left()) {
      if (part.front() != '\0') {
        if (part.front() != gzip_magic.front()) {
          parts_.fail_damaged("gzip", "other bytes follow the compressed data");
        }
        inflateReset(&stream_);
        at_member_end_ = false;
        return true;
      }
      parts_.use(1);
    }
    return false;
  }

  Parts parts_;
  z_stream stream_{};
  bool at_member_end_ = false;
};

class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(Parts parts) : parts_(std::move(parts)), stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }

  std::size_t read(std::span<char> bytes) override {
    ZSTD_outBuffer output{bytes.data(), bytes.size(), 0};
    while (output.pos < output.size) {
      const std::span<char> part = parts_.left();
      if (part.empty() && is_frame_end_) break;
      ZSTD_inBuffer input{part.data(), part.size(), 0};
      const std::size_t before = output.pos;
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &output, &input);
      if (ZSTD_isError(result)) parts_.fail_damaged("zstd", ZSTD_getErrorName(result));
      // without input, bytes that were decompressed before may still come
      if (part.empty() && output.pos == before) parts_.fail_truncated("zstd");
      parts_.use(input.pos);
      is_frame_end_ = result == 0;
    }
    parts_.add_expanded(output.pos, "zstd");
    return output.pos;
  }

 private:
  struct Freer {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };

  Parts parts_;
  std::unique_ptr<ZSTD_DStream, Freer> stream_;
  bool is_frame_end_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                         const std::string& name) {
  Parts parts(std::move(source), name);
  if (parts.starts_with(gzip_magic)) return std::make_unique<GzipSource>(std::move(parts));
  if (parts.starts_with(zstd_magic)) return std::make_unique<ZstdSource>(std::move(parts));
  return std::make_unique<PlainSource>(std::move(parts));
}

}  // namespace lbw
