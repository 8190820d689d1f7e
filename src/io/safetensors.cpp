// SPDX-License-Identifier: MIT
#include "io/safetensors.hpp"

#include <algorithm>

#include "core/message.hpp"
#include "io/excerpt.hpp"
#include "io/file_kind.hpp"
#include "io/json_text.hpp"
#include "io/little_endian.hpp"

namespace lbw {

namespace {

constexpr std::size_t length_size = 8;
constexpr std::uint64_t longest_header = std::uint64_t{64} << 20U;
constexpr std::uint64_t number_size = 8;  // of F64 and I64

/// A tensor as described by the header, with offsets from the start of the data.
struct Claim {
  Tensor tensor;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

std::string_view header_of(std::string_view bytes, const std::string& name) {
  if (bytes.size() < length_size) {
    throw IoError(message(name, ": ", counted(bytes.size(), "byte"),
                          " are too few for a model file (safetensors)"));
  }
  refuse_other_kinds(bytes, name, "a model file (safetensors)");
  const auto length = read_little_endian<std::uint64_t>(bytes.data());
  const std::uint64_t most = std::min<std::uint64_t>(bytes.size() - length_size, longest_header);
  if (length > most) {
    throw IoError(message(
        name, ": not a model file (safetensors), or truncated: the first 8 bytes give a header of ",
        counted(length, "byte"), ", expected at most ", most));
  }
  const std::string_view header = bytes.substr(length_size, length);
  if (!header.starts_with('{')) {
    throw IoError(
        message(name, ": not a model file (safetensors): the header does not start with '{'"));
  }
  return header;
}

std::vector<std::uint64_t> unsigned_list(const Json& object, const char* key,
                                         const std::string& what) {
  const Json& list = entry(object, key, what);
  const auto is_unsigned = [](const Json& value) { return value.is_number_unsigned(); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_unsigned)) {
    throw IoError(message(what, " has an entry '", key, "' that is not a list of integers >= 0"));
  }
  return list.get<std::vector<std::uint64_t>>();
}

// The offsets must span exactly the product of the shape times the size of a number.
void check_length(const Claim& claim, const std::string& what) {
  std::uint64_t length = number_size;
  bool overflows = false;
  for (const std::uint64_t side : claim.tensor.shape) {
    overflows = overflows || __builtin_mul_overflow(length, side, &length);
  }
  if (!overflows && claim.end - claim.begin == length) return;
  throw IoError(message(what, " has ", counted(claim.end - claim.begin, "byte"),
                        ", which does not match its shape ",
                        tensor_shape_text(claim.tensor.shape)));
}

Claim read_claim(const std::string& tensor_name, const Json& description, std::uint64_t data_size,
                 const std::string& name) {
  const std::string what = message(name, ": tensor '", excerpt(tensor_name), "'");
  Claim claim;
  claim.tensor.name = tensor_name;
  claim.tensor.dtype = string_entry(description, "dtype", what);
  if (claim.tensor.dtype != "F64" && claim.tensor.dtype != "I64") {
    throw IoError(
        message(what, " is of type ", excerpt(claim.tensor.dtype), ", expected F64 or I64"));
  }
  claim.tensor.shape = unsigned_list(description, "shape", what);
  const std::vector<std::uint64_t> offsets = unsigned_list(description, "data_offsets", what);
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_size) {
    throw IoError(message(what, " has data_offsets ", tensor_shape_text(offsets),
                          ", expected two within the ", counted(data_size, "byte"), " of data"));
  }
  claim.begin = offsets[0];
  claim.end = offsets[1];
  check_length(claim, what);
  return claim;
}

std::vector<std::pair<std::string, std::string>> read_metadata(const Json& metadata,
                                                               const std::string& name) {
  const std::string what = message(name, ": __metadata__");
  if (!metadata.is_object()) throw IoError(message(what, " is not an object"));
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [key, value] : metadata.items()) {
    if (!value.is_string()) {
      throw IoError(message(what, " has an entry '", excerpt(key), "' that is not a string"));
    }
    entries.emplace_back(key, value.get<std::string>());
  }
  return entries;
}

// Every byte of the data must belong to exactly one tensor.
void check_layout(const std::vector<Claim>& claims, std::uint64_t data_size,
                  const std::string& name) {
  std::uint64_t next = 0;
  for (const Claim& claim : claims) {
    if (claim.begin != next) {
      throw IoError(message(name, ": tensor '", excerpt(claim.tensor.name), "' starts at byte ",
                            claim.begin, " of the data, expected ", next,
                            ": tensors must neither overlap nor leave gaps"));
    }
    next = claim.end;
  }
  if (next != data_size) {
    throw IoError(message(name, ": ", counted(data_size - next, "byte"),
                          " after the last tensor, expected none"));
  }
}

OrderedJson described(const TensorFile& file) {
  OrderedJson header = OrderedJson::object();
  OrderedJson& metadata = header["__metadata__"] = OrderedJson::object();
  for (const auto& [key, value] : file.metadata) metadata[key] = value;
  std::uint64_t offset = 0;
  for (const Tensor& tensor : file.tensors) {
    OrderedJson& description = header[tensor.name] = OrderedJson::object();
    description["dtype"] = tensor.dtype;
    description["shape"] = tensor.shape;
    description["data_offsets"] = {offset, offset + tensor.data.size()};
    offset += tensor.data.size();
  }
  return header;
}

}  // namespace

std::string tensor_file_to_bytes(const TensorFile& file) {
  std::string header = described(file).dump();
  header.append((number_size - header.size() % number_size) % number_size, ' ');
  std::string bytes;
  append_little_endian(bytes, std::uint64_t{header.size()});
  bytes += header;
  for (const Tensor& tensor : file.tensors) bytes += tensor.data;
  return bytes;
}

TensorFile tensor_file_from_bytes(std::string_view bytes, const std::string& name) {
  const std::string_view header_text = header_of(bytes, name);
  const std::string_view data = bytes.substr(length_size + header_text.size());
  const Json header = parse_json(header_text, message(name, ": the header"));
  TensorFile file;
  std::vector<Claim> claims;
  for (const auto& [key, value] : header.items()) {
    if (key == "__metadata__") {
      file.metadata = read_metadata(value, name);
    } else {
      claims.push_back(read_claim(key, value, data.size(), name));
    }
  }
  std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  check_layout(claims, data.size(), name);
  for (Claim& claim : claims) {
    claim.tensor.data = data.substr(claim.begin, claim.end - claim.begin);
    file.tensors.push_back(std::move(claim.tensor));
  }
  return file;
}

std::string tensor_shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t side : shape) text += message(text.empty() ? "" : ", ", side);
  return "(" + text + ")";
}

}  // namespace lbw
