// SPDX-License-Identifier: MIT
// Model files of all kinds: containers, metadata and tensors. A model that is read can be used, and
// is written as it was read.
#include <lbw/io.hpp>
#include <lbw/tensor_file.hpp>
#include <lbw/transport.hpp>
#include <variant>

#include "fuzz/fuzz_input.hpp"

using namespace lbw;

namespace {

/// A container around a header, so that mutations of its text do not break its length.
std::string container(std::string_view text) {
  const std::size_t end = std::min(text.find('\0'), text.size());
  std::string header(text.substr(0, end));
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 255U);
  return bytes + header + std::string(text.substr(std::min(end + 1, text.size())));
}

void check_use(const TransportModel& model) {
  const RowMatrix point = RowMatrix::Ones(1, model.n_features());
  for (const std::string& to : model.group_names) {
    fuzz::accepts([&] {
      const RowMatrix moved = transport(map_between(model, model.group_names.front(), to), point);
      fuzz::require(moved.allFinite(), "points are transported to finite places");
    });
  }
}

void check_container(const std::string& bytes) {
  TensorFile file;
  if (!fuzz::accepts([&] { file = tensor_file_from_bytes(bytes, "m"); })) return;
  const std::string written = tensor_file_to_bytes(file);
  const TensorFile again = tensor_file_from_bytes(written, "again");
  fuzz::require(again.metadata == file.metadata, "metadata are read as they were written");
  fuzz::require(tensor_file_to_bytes(again) == written, "writing again gives the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzInput input(data, size);
  const bool is_container = input.byte() % 2 == 0;
  const std::string bytes = is_container ? std::string(input.rest()) : container(input.rest());
  check_container(bytes);
  AnyModel model;
  if (!fuzz::accepts([&] { model = any_model_from_bytes(bytes, "m"); })) return 0;
  if (const auto* transport = std::get_if<TransportModel>(&model)) {
    const std::string written = model_to_bytes(*transport);
    fuzz::require(model_to_bytes(model_from_bytes(written, "again")) == written,
                  "a model is read as it was written");
    check_use(*transport);
  } else if (const auto* mixture = std::get_if<MixtureModel>(&model)) {
    const std::string written = mixture_model_to_bytes(*mixture);
    fuzz::require(mixture_model_to_bytes(mixture_model_from_bytes(written, "again")) == written,
                  "a mixture is read as it was written");
  }
  return 0;
}
