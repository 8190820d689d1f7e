// SPDX-License-Identifier: MIT
#include "io/file_kind.hpp"

#include <algorithm>
#include <lbw/types.hpp>

#include "core/message.hpp"
#include "io/byte_source.hpp"
#include "io/little_endian.hpp"

namespace lbw {

namespace {

using namespace std::string_view_literals;

struct FileKind {
  std::string_view magic;   ///< the first bytes
  std::string_view words;   ///< behind "is"
  std::string_view advice;  ///< behind "; "
};

constexpr std::string_view by_python = "the Python package of lbw reads it with pyarrow";
constexpr std::string_view by_pandas = "save the table as CSV, for example with pandas";
constexpr std::string_view from_sheet = "save the sheet as CSV";

constexpr FileKind kinds[] = {
    {gzip_magic, "compressed by gzip", "decompress it first, for example with gunzip"},
    {zstd_magic, "compressed by zstd", "decompress it first, for example with zstd -d"},
    {"\xfd"
     "7zXZ"sv,
     "compressed by xz", "decompress it first, for example with unxz"},
    {"BZh"sv, "compressed by bzip2", "decompress it first, for example with bunzip2"},
    {"\x04\x22\x4d\x18"sv, "compressed by lz4", "decompress it first, for example with lz4 -d"},
    {"PAR1"sv, "a Parquet file", by_python},
    {"ARROW1"sv, "an Arrow file (Feather)", by_python},
    {"\xff\xff\xff\xff"sv, "an Arrow stream", by_python},
    {"FEA1"sv, "a Feather file of version 1", by_python},
    {"ORC"sv, "an ORC file", by_pandas},
    {"Obj\x01"sv, "an Avro file", by_pandas},
    {"\x89HDF\r\n"sv, "an HDF5 file", by_pandas},
    {"SQLite format 3"sv, "an SQLite database", by_pandas},
    {"\xd0\xcf\x11\xe0"sv, "an old Office file, such as .xls", from_sheet},
    {"\x93NUMPY"sv, "a NumPy file (.npy)", "decompress it if it is compressed, and name it .npy"},
    {"\x80\x02"sv, "a Python pickle", by_pandas},
    {"\x80\x03"sv, "a Python pickle", by_pandas},
    {"\x80\x04"sv, "a Python pickle", by_pandas},
    {"\x80\x05"sv, "a Python pickle", by_pandas},
    {"\x89PNG"sv, "a PNG picture", "lbw morph reads pictures"},
    {"\xff\xd8\xff"sv, "a JPEG picture", "convert it to PNG for lbw morph"},
    {"%PDF-"sv, "a PDF document", "save its table as CSV"},
    {"\xff\xfe"sv, "text in UTF-16", "convert it, for example with iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff"sv, "text in UTF-16", "convert it, for example with iconv -f UTF-16 -t UTF-8"},
};

/// The name of the first file in a zip file begins at byte 30.
FileKind zip_kind(std::string_view bytes) {
  const std::string_view first = bytes.substr(std::min<std::size_t>(bytes.size(), 30), 64);
  const auto begins = [&](std::string_view name) { return first.starts_with(name); };
  if (begins("[Content_Types].xml") || begins("_rels/") || begins("xl/") || begins("docProps/")) {
    return {"", "an Office file, such as .xlsx", from_sheet};
  }
  if (begins("mimetype")) return {"", "an OpenDocument file, such as .ods", from_sheet};
  if (first.find(".npy") != std::string_view::npos) {
    return {"", "a NumPy archive (.npz)", "save the array with numpy.save"};
  }
  return {"", "a zip file", "extract the table first, for example with unzip"};
}

/// The length of the header in 8 bytes, then a JSON object.
bool is_safetensors(std::string_view bytes) {
  constexpr std::uint64_t longest_header = 100'000'000;  // as in the format's own library
  return bytes.size() > 9 && bytes[8] == '{' &&
         read_little_endian<std::uint64_t>(bytes.data()) <= longest_header;
}

/// Every second byte is NUL.
bool is_utf16(std::string_view bytes) {
  const std::string_view begin = bytes.substr(0, 64);
  std::size_t n_nul[2] = {0, 0};
  for (std::size_t i = 0; i < begin.size(); ++i) n_nul[i % 2] += begin[i] == '\0' ? 1 : 0;
  const std::size_t half = begin.size() / 2;
  return half > 1 && ((n_nul[0] == 0 && n_nul[1] == half) || (n_nul[1] == 0 && n_nul[0] >= half));
}

/// Lines of printable characters.
bool is_text(std::string_view bytes) {
  const std::string_view begin = bytes.substr(0, 4096);
  const auto is_printed = [](char c) {
    return c == '\n' || c == '\r' || c == '\t' || static_cast<unsigned char>(c) >= ' ';
  };
  return begin.find('\n') != std::string_view::npos && std::ranges::all_of(begin, is_printed);
}

/// A kind of text that is not CSV; no words if it may be CSV.
FileKind kind_of_text(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  std::string begin;  // without white space
  for (const char c : bytes.substr(0, 256)) {
    if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
      begin += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  const auto begins = [&](std::string_view word) { return begin.starts_with(word); };
  if (begins("{\"") || begins("[{") || begins("[[")) return {"", "a JSON file", by_pandas};
  if (begins("<!doctypehtml") || begins("<html")) {
    return {"", "an HTML page", "was a download page saved in place of the file?"};
  }
  if (begins("<?xml")) return {"", "an XML file", by_pandas};
  return {};
}

FileKind kind_of(std::string_view bytes, bool text) {
  const FileKind other_text = kind_of_text(bytes);
  if (!other_text.words.empty()) return other_text;
  if (text && !bytes.starts_with("%PDF-")) {
    return {"", "a text file, such as CSV",
            "give it where a table is expected, with another extension"};
  }
  // first, because the length of its header may have the bytes of another kind
  if (is_safetensors(bytes)) {
    return {"", "a model file (safetensors)", "give it where a model is expected"};
  }
  if (bytes.starts_with("PK\x03\x04")) return zip_kind(bytes);
  // the length of an Arrow message follows its mark, and is not -1
  const bool is_length = bytes.starts_with("\xff\xff\xff\xff\xff\xff\xff\xff"sv);
  const auto has_magic = [&](const FileKind& kind) {
    return !is_length && bytes.starts_with(kind.magic);
  };
  const auto found = std::ranges::find_if(kinds, has_magic);
  if (found != std::end(kinds)) return *found;
  if (is_utf16(bytes)) return {"", "text in UTF-16", std::end(kinds)[-1].advice};
  return {};
}

}  // namespace

void refuse_other_kinds(std::string_view bytes, const std::string& name,
                        std::string_view expected) {
  const bool text = is_text(bytes);
  const FileKind kind = kind_of(bytes, text);
  if (kind.words.empty() || kind.words == expected) return;
  if (expected == "CSV" && kind.words.starts_with("a text file")) return;
  throw IoError(message(name, " is ", kind.words, ", expected ", expected, "; ", kind.advice));
}

}  // namespace lbw
