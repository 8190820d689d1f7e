// SPDX-License-Identifier: MIT
#include "io/file_kind.hpp"

#include <algorithm>
#include <lbw/types.hpp>

#include "core/message.hpp"
#include "io/little_endian.hpp"

namespace lbw {

namespace {

using namespace std::string_view_literals;

struct FileKind {
  std::string_view magic;   ///< the first bytes
  std::string_view words;   ///< behind "is"
  std::string_view advice;  ///< behind "; "
};

constexpr FileKind kinds[] = {
    {"\x1f\x8b"sv, "compressed by gzip", "decompress it first, for example with gunzip"},
    {"\x28\xb5\x2f\xfd"sv, "compressed by zstd", "decompress it first, for example with zstd -d"},
    {"\xfd"
     "7zXZ"sv,
     "compressed by xz", "decompress it first, for example with unxz"},
    {"BZh"sv, "compressed by bzip2", "decompress it first, for example with bunzip2"},
    {"PAR1"sv, "a Parquet file", "lbw.io.read_parquet of the Python package reads it"},
    {"ARROW1"sv, "an Arrow file", "the Python package reads it as a pyarrow.dataset"},
    {"PK\x03\x04"sv, "a zip file, such as .xlsx or .npz", "save the table as CSV or .npy"},
    {"\x93NUMPY"sv, "a NumPy file (.npy)", "name it with the extension .npy"},
    {"\x89PNG"sv, "a PNG picture", "lbw morph reads pictures"},
};

/// The length of the header in 8 bytes, then a JSON object.
bool is_safetensors(std::string_view bytes) {
  return bytes.size() > 9 && bytes[8] == '{' &&
         read_little_endian<std::uint64_t>(bytes.data()) <= bytes.size();
}

/// Lines of printable characters.
bool is_text(std::string_view bytes) {
  const std::string_view begin = bytes.substr(0, 4096);
  const auto is_printed = [](char c) {
    return c == '\n' || c == '\r' || c == '\t' || static_cast<unsigned char>(c) >= ' ';
  };
  return begin.find('\n') != std::string_view::npos && std::ranges::all_of(begin, is_printed);
}

}  // namespace

void refuse_other_kinds(std::string_view bytes, const std::string& name,
                        std::string_view expected) {
  const auto refuse = [&](std::string_view words, std::string_view advice) {
    if (words == expected) return;
    throw IoError(message(name, " is ", words, ", expected ", expected, "; ", advice));
  };
  if (is_text(bytes)) {
    if (expected == "CSV") return;
    refuse("a text file, such as CSV", "give it where a table is expected, with another extension");
  }
  for (const FileKind& kind : kinds) {
    if (bytes.starts_with(kind.magic)) return refuse(kind.words, kind.advice);
  }
  if (is_safetensors(bytes)) {
    refuse("a model file (safetensors)", "give it where a model is expected");
  }
}

}  // namespace lbw
