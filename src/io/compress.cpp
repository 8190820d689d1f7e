// SPDX-License-Identifier: MIT
#include "io/compress.hpp"

#include <zlib.h>
#include <zstd.h>

#include <lbw/types.hpp>
#include <new>

#include "core/message.hpp"

namespace lbw {

namespace {

constexpr std::size_t output_part = 1U << 16U;

class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() {
    constexpr int with_gzip_header = 16 + MAX_WBITS;  // without a time
    const int result = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, with_gzip_header,
                                    MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY);
    if (result != Z_OK) throw std::bad_alloc();
  }
  ~GzipCompressor() override { deflateEnd(&stream_); }

  std::string add(std::string_view text, bool is_last) override {
    std::string bytes;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    do {  // a full part means that more may follow
      const std::size_t filled = bytes.size();
      bytes.resize(filled + output_part);
      stream_.next_out = reinterpret_cast<Bytef*>(bytes.data() + filled);
      stream_.avail_out = static_cast<uInt>(output_part);
      deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH);
      bytes.erase(bytes.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return bytes;
  }

 private:
  z_stream stream_{};
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : stream_(ZSTD_createCStream()) {
    if (!stream_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }

  std::string add(std::string_view text, bool is_last) override {
    std::string bytes;
    ZSTD_inBuffer input{text.data(), text.size(), 0};
    std::size_t remaining = 0;
    do {
      const std::size_t filled = bytes.size();
      bytes.resize(filled + output_part);
      ZSTD_outBuffer output{bytes.data() + filled, output_part, 0};
      remaining = ZSTD_compressStream2(stream_.get(), &output, &input,
                                       is_last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(remaining)) {
        throw IoError(message("cannot compress by zstd: ", ZSTD_getErrorName(remaining)));
      }
      bytes.resize(filled + output.pos);
    } while (input.pos < input.size || (is_last && remaining > 0));
    return bytes;
  }

 private:
  struct Freer {
    void operator()(ZSTD_CStream* stream) const { ZSTD_freeCStream(stream); }
  };

  std::unique_ptr<ZSTD_CStream, Freer> stream_;
};

}  // namespace

std::unique_ptr<Compressor> compressor_for(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (extension == ".gz") return std::make_unique<GzipCompressor>();
  if (extension == ".zst") return std::make_unique<ZstdCompressor>();
  return nullptr;
}

}  // namespace lbw
