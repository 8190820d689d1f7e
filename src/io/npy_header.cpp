// SPDX-License-Identifier: MIT
#include "io/npy_header.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/excerpt.hpp"
#include "io/file_kind.hpp"
#include "io/little_endian.hpp"

namespace lbw {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// Parses the dictionary from left to right and rejects anything that NumPy does not write.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    expect('{');
    while (!next_is('}')) {
      parse_entry(header);
      if (!next_is(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (!rest_.empty()) fail("unexpected text after the dictionary");
    for (const char* key : {"descr", "fortran_order", "shape"}) {
      if (!has(key)) fail(message("no entry '", key, "'"));
    }
    return header;
  }

 private:
  void parse_entry(NpyHeader& header) {
    const std::string key = parse_string("a quoted key");
    if (has(key)) fail(message("two entries '", key, "'"));
    expect(':');
    if (key == "descr") {
      header.descr = parse_descr();
    } else if (key == "fortran_order") {
      header.fortran_order = parse_bool();
    } else if (key == "shape") {
      header.shape = parse_shape();
    } else {
      fail(message("unknown entry '", excerpt(key), "'"));
    }
    keys_.push_back(key);
  }

  std::string parse_descr() {
    skip_spaces();
    if (rest_.starts_with('[')) {
      throw IoError(message(name_,
                            ": contains records of several fields, expected one array of "
                            "numbers; save the fields as columns"));
    }
    return parse_string("a quoted type");
  }

  std::string parse_string(const char* expected) {
    skip_spaces();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') fail(message("expected ", expected));
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("a quote is not closed");
    const std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool parse_bool() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    fail("expected True or False after 'fortran_order'");
  }

  std::vector<std::uint64_t> parse_shape() {
    std::vector<std::uint64_t> shape;
    expect('(');
    while (!next_is(')')) {
      shape.push_back(parse_length());
      if (!next_is(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  std::uint64_t parse_length() {
    skip_spaces();
    std::uint64_t length = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
    if (error != std::errc()) fail("expected lengths from 0 to 2^64 - 1 in 'shape'");
    rest_.remove_prefix(to_size(end - rest_.data()));
    return length;
  }

  [[nodiscard]] bool has(const std::string& key) const {
    for (const std::string& seen : keys_) {
      if (seen == key) return true;
    }
    return false;
  }

  void skip_spaces() {
    while (rest_.starts_with(' ') || rest_.starts_with('\n')) rest_.remove_prefix(1);
  }

  bool next_is(char c) {
    skip_spaces();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!next_is(c)) fail(message("expected '", c, "'"));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(message(name_, ": the NumPy header is malformed: ", what));
  }

  std::string_view rest_;
  const std::string& name_;
  std::vector<std::string> keys_;
};

/// The position of the dictionary.
struct Extent {
  std::size_t begin = 0;
  std::size_t length = 0;
};

Extent dictionary_extent(std::string_view bytes, const std::string& name) {
  refuse_other_kinds(bytes, name, "a NumPy file (.npy)");
  if (!bytes.starts_with(magic)) throw IoError(message(name, ": not a NumPy file"));
  const std::size_t version_end = magic.size() + 2;
  if (bytes.size() < version_end)
    throw IoError(message(name, ": the file ends within the NumPy header"));
  const int major = static_cast<unsigned char>(bytes[magic.size()]);
  const int minor = static_cast<unsigned char>(bytes[magic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    throw IoError(message(name, ": NumPy format ", major, ".", minor,
                          " is not supported, expected 1.0, 2.0 or 3.0"));
  }
  const std::size_t length_size = major == 1 ? 2 : 4;
  const std::size_t begin = version_end + length_size;
  if (bytes.size() < begin) throw IoError(message(name, ": the file ends within the NumPy header"));
  const char* at = bytes.data() + version_end;
  const std::size_t length =
      major == 1 ? read_little_endian<std::uint16_t>(at) : read_little_endian<std::uint32_t>(at);
  if (length > bytes.size() - begin) {
    throw IoError(message(name, ": the file ends within the NumPy header"));
  }
  return {begin, length};
}

bool is_number_type(const std::string& descr) {
  if (descr.size() != 3 || std::string_view("<>=|").find(descr[0]) == std::string_view::npos)
    return false;
  const std::string_view type = std::string_view(descr).substr(1);
  for (const std::string_view known : {"i1", "u1", "b1"}) {
    if (type == known) return true;
  }
  if (descr[0] == '|') return false;  // several bytes need a byte order
  for (const std::string_view known : {"f8", "f4", "i2", "i4", "i8", "u2", "u4", "u8"}) {
    if (type == known) return true;
  }
  return false;
}

void check_type(const NpyHeader& header, const std::string& name) {
  if (is_number_type(header.descr)) return;
  throw IoError(message(name, ": contains values of type '", excerpt(header.descr),
                        "', expected float64, float32, integers or bool"));
}

// Also false if the size claimed by the shape overflows 64 bits.
bool claims_exactly(const NpyHeader& header, std::size_t available) {
  std::uint64_t bytes = static_cast<std::uint64_t>(header.descr[2] - '0');
  for (const std::uint64_t length : header.shape) {
    if (__builtin_mul_overflow(bytes, length, &bytes)) return false;
  }
  return bytes == available;
}

void check_length(const NpyHeader& header, std::size_t available, const std::string& name) {
  if (std::find(header.shape.begin(), header.shape.end(), 0U) != header.shape.end()) {
    throw IoError(message(name, ": shape ", shape_text(header.shape), " contains no values"));
  }
  if (!claims_exactly(header, available)) {
    throw IoError(message(name, ": shape ", shape_text(header.shape), " of '", header.descr,
                          "' does not match the ", counted(available, "byte"),
                          " after the header"));
  }
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, const std::string& name) {
  const Extent extent = dictionary_extent(bytes, name);
  NpyHeader header = DictionaryParser(bytes.substr(extent.begin, extent.length), name).parse();
  header.data_begin = extent.begin + extent.length;
  check_type(header, name);
  if (header.shape.size() != 1 && header.shape.size() != 2) {
    throw IoError(message(name, ": contains an array of ",
                          counted(header.shape.size(), "dimension"), ", expected 1 or 2"));
  }
  check_length(header, bytes.size() - header.data_begin, name);
  return header;
}

void refuse_npy_value(const std::string& name, const std::string& value, Index row, Index column,
                      const char* condition) {
  throw IoError(message(name, ": contains ", value, " at row ", row, ", column ", column,
                        " (counted from 0), ", condition));
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += message(i > 0 ? " " : "", shape[i], i + 1 < shape.size() || i == 0 ? "," : "");
  }
  return text + ")";
}

}  // namespace lbw
