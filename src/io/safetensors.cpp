// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/tensor_file.hpp>
#include <lbw/types.hpp>

#include "core/message.hpp"
#include "io/atomic_file.hpp"
#include "io/excerpt.hpp"
#include "io/file_kind.hpp"
#include "io/json_text.hpp"
#include "io/little_endian.hpp"

namespace lbw {

namespace {

constexpr std::size_t length_size = 8;
constexpr std::uint64_t longest_header = std::uint64_t{64} << 20U;
constexpr std::size_t alignment = 8;

/// The bytes of one element; 0 for types that model files do not use.
std::uint64_t element_size(std::string_view dtype) {
  if (dtype == "U8") return 1;
  return dtype == "F64" || dtype == "I64" ? 8 : 0;
}

/// Readers of other languages view the data in place, which requires aligned numbers.
bool is_aligned(const Tensor& tensor, std::uint64_t begin) {
  return begin % element_size(tensor.dtype) == 0;
}

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

/// Whether the data is exactly the product of the shape times the size of an element.
bool has_length(const Tensor& tensor, std::uint64_t n_bytes) {
  std::uint64_t length = element_size(tensor.dtype);
  bool overflows = false;
  for (const std::uint64_t side : tensor.shape) {
    overflows = overflows || __builtin_mul_overflow(length, side, &length);
  }
  return !overflows && n_bytes == length;
}

void check_length(const Claim& claim, const std::string& what) {
  if (has_length(claim.tensor, claim.end - claim.begin)) return;
  throw IoError(message(what, " has ", counted(claim.end - claim.begin, "byte"),
                        ", which does not match its shape ",
                        tensor_shape_text(claim.tensor.shape)));
}

void check_alignment(const Claim& claim, const std::string& what) {
  if (is_aligned(claim.tensor, claim.begin)) return;
  throw IoError(message(what, " of type ", claim.tensor.dtype, " starts at byte ", claim.begin,
                        " of the data, expected a multiple of ", element_size(claim.tensor.dtype),
                        ": the file is damaged, or another program wrote it with misaligned "
                        "tensors"));
}

Claim read_claim(const std::string& tensor_name, const Json& description, std::uint64_t data_size,
                 const std::string& name) {
  const std::string what = message(name, ": tensor '", excerpt(tensor_name), "'");
  Claim claim;
  claim.tensor.name = tensor_name;
  claim.tensor.dtype = string_entry(description, "dtype", what);
  if (element_size(claim.tensor.dtype) == 0) {
    throw IoError(
        message(what, " is of type ", excerpt(claim.tensor.dtype), ", expected F64, I64 or U8"));
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
  check_alignment(claim, what);
  return claim;
}

Metadata read_metadata(const Json& metadata, const std::string& name) {
  const std::string what = message(name, ": __metadata__");
  if (!metadata.is_object()) throw IoError(message(what, " is not an object"));
  Metadata entries;
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

void check_tensors(const std::vector<Tensor>& tensors) {
  std::uint64_t begin = 0;
  for (const Tensor& tensor : tensors) {
    require(has_length(tensor, tensor.data.size()), "tensor_file_to_bytes: tensor '", tensor.name,
            "' of type ", tensor.dtype, " has ", counted(tensor.data.size(), "byte"),
            ", which does not match its shape ", tensor_shape_text(tensor.shape));
    require(is_aligned(tensor, begin), "tensor_file_to_bytes: tensor '", tensor.name, "' of type ",
            tensor.dtype, " would start at byte ", begin, " of the data, expected a multiple of ",
            element_size(tensor.dtype), "; put the tensors of type U8 last");
    begin += tensor.data.size();
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

std::string header_text(const TensorFile& file) {
  try {
    return described(file).dump();
  } catch (const OrderedJson::exception&) {
    throw InvalidArgument("tensor_file_to_bytes: a text is not UTF-8, which model files require");
  }
}

}  // namespace

void save_tensor_file(const std::filesystem::path& path, const TensorFile& file) {
  write_file(path, tensor_file_to_bytes(file));
}

std::string tensor_file_to_bytes(const TensorFile& file) {
  check_tensors(file.tensors);
  std::string header = header_text(file);
  header.append((alignment - header.size() % alignment) % alignment, ' ');
  std::string bytes;
  append_little_endian(bytes, std::uint64_t{header.size()});
  bytes += header;
  for (const Tensor& tensor : file.tensors) bytes += tensor.data;
  return bytes;
}

TensorFile tensor_file_from_bytes(std::string_view bytes, const std::string& name) {
  const std::string_view header_bytes = header_of(bytes, name);
  const std::string_view data = bytes.substr(length_size + header_bytes.size());
  const Json header = parse_json(header_bytes, message(name, ": the header"));
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
  constexpr std::size_t most_sides = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(shape.size(), most_sides); ++i) {
    text += message(i == 0 ? "" : ", ", shape[i]);
  }
  if (shape.size() > most_sides) text += message(" and ", shape.size() - most_sides, " more");
  return "(" + text + ")";
}

}  // namespace lbw
