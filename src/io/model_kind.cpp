// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <lbw/tensor_file.hpp>
#include <lbw/version.hpp>

#include "io/excerpt.hpp"
#include "io/metadata_reader.hpp"

namespace lbw {

namespace {

struct ModelKind {
  std::string_view name;
  std::string_view words;    ///< behind "holds"
  std::string_view readers;  ///< before "read it"
};

constexpr std::array<ModelKind, 3> model_kinds = {{
    {"transport", "a transport model",
     "load_model, and LocalTransport.load or GroupRepair.load of the Python package,"},
    {"mixture", "a Gaussian mixture",
     "load_mixture, lbw inspect, and GaussianMixture.load of the Python package"},
    {"scores", "a repair of a classifier's scores", "ScoreRepair.load of the Python package can"},
}};

const ModelKind* find_kind(std::string_view name) {
  const auto* const found = std::ranges::find(model_kinds, name, &ModelKind::name);
  return found == model_kinds.end() ? nullptr : found;
}

}  // namespace

Metadata model_metadata(std::string_view kind) {
  return {{"format", "lbw"},
          {"format_version", "1"},
          {"lbw_version", version},
          {"kind", std::string(kind)}};
}

std::string model_kind(const Metadata& metadata, const std::string& name) {
  const MetadataReader reader(metadata, name);
  if (reader.text("format") != "lbw") {
    throw IoError(message(reader.what("format"), " is '", excerpt(reader.text("format")),
                          "', expected 'lbw'"));
  }
  const std::string& format_version = reader.text("format_version");
  if (format_version != "1") {
    throw IoError(message(name, ": written by a newer version of lbw (format ",
                          excerpt(format_version), "; this version supports format 1)"));
  }
  return reader.text("kind");
}

void check_model_kind(const Metadata& metadata, std::string_view expected,
                      const std::string& name) {
  const std::string kind = model_kind(metadata, name);
  if (kind == expected) return;
  const ModelKind* const other = find_kind(kind);
  const ModelKind* const own = find_kind(expected);
  if (other == nullptr || own == nullptr) {
    throw IoError(
        message(name, ": metadata 'kind' is '", excerpt(kind), "', expected '", expected, "'"));
  }
  throw IoError(message(name, " holds ", other->words, ", expected ", own->words, "; ",
                        other->readers, " read it"));
}

}  // namespace lbw
