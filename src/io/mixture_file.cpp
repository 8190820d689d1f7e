// SPDX-License-Identifier: MIT
#include <lbw/io.hpp>
#include <lbw/tensor_file.hpp>
#include <limits>

#include "io/atomic_file.hpp"
#include "io/metadata_reader.hpp"
#include "io/mixture_tensors.hpp"

namespace lbw {

namespace {

constexpr const char* save_function = "save_mixture";

void check_names(const MixtureModel& model, const char* function) {
  const Index n_names = std::ssize(model.feature_names);
  require(n_names == 0 || n_names == model.mixture.n_features(), function, ": ",
          counted(n_names, "feature name"), " for ",
          counted(model.mixture.n_features(), "feature"));
}

void check_writable(const MixtureModel& model) {
  check_mixture(model.mixture, save_function, "mixture");
  check_names(model, save_function);
  for (const std::string& name : model.feature_names) {
    check_name(name, save_function, "feature name");
  }
  check_notes(model.notes, save_function);
  if (!model.statistics) return;
  check_number(model.statistics->mean_log_likelihood, save_function, "mean_log_likelihood");
  check_count(model.statistics->iterations, save_function, "iterations");
}

OrderedJson statistics_json(const MixtureStatistics& statistics) {
  OrderedJson json;
  json["mean_log_likelihood"] = statistics.mean_log_likelihood;
  json["iterations"] = statistics.iterations;
  json["converged"] = statistics.converged;
  return json;
}

std::optional<MixtureStatistics> read_statistics(const MetadataReader& reader) {
  if (!reader.find("report")) return std::nullopt;
  const Json json = reader.json("report");
  const std::string what = reader.what("report");
  MixtureStatistics statistics;
  statistics.mean_log_likelihood = number_entry(json, "mean_log_likelihood", what);
  statistics.iterations =
      static_cast<int>(integer_entry(json, "iterations", 0, std::numeric_limits<int>::max(), what));
  statistics.converged = bool_entry(json, "converged", what);
  return statistics;
}

Metadata mixture_metadata(const MixtureModel& model) {
  Metadata metadata = model_metadata("mixture");
  metadata.emplace_back("feature_names", OrderedJson(model.feature_names).dump());
  metadata.emplace_back("covariance_type", to_string(model.mixture.covariance_type));
  if (model.statistics) metadata.emplace_back("report", statistics_json(*model.statistics).dump());
  if (!model.notes.empty()) metadata.emplace_back("notes", OrderedJson(model.notes).dump());
  return metadata;
}

MixtureModel mixture_from_file(const TensorFile& file, const std::string& name) {
  check_model_kind(file.metadata, "mixture", name);
  const MetadataReader reader(file.metadata, name);
  MixtureModel model;
  model.feature_names = reader.names("feature_names");
  model.mixture.covariance_type = reader.converted(
      "covariance_type", reader.text("covariance_type"), enum_from<CovarianceType>);
  model.statistics = read_statistics(reader);
  model.notes = reader.notes();
  TensorShelf shelf(file.tensors, name);
  read_mixture(shelf, "", model.mixture);
  shelf.check_empty();
  try {
    check_mixture(model.mixture, name.c_str(), "mixture");
    check_names(model, name.c_str());
  } catch (const InvalidArgument& error) {
    throw IoError(error.what());
  }
  return model;
}

}  // namespace

std::string mixture_model_to_bytes(const MixtureModel& model) {
  check_writable(model);
  ModelTensors arrays;
  add_mixture(arrays, "", model.mixture);
  return tensor_file_to_bytes({mixture_metadata(model), arrays.tensors});
}

MixtureModel mixture_model_from_bytes(std::string_view bytes, const std::string& name) {
  return mixture_from_file(tensor_file_from_bytes(bytes, name), name);
}

void save_mixture(const std::filesystem::path& path, const MixtureModel& model) {
  write_file(path, mixture_model_to_bytes(model));
}

MixtureModel load_mixture(const std::filesystem::path& path) {
  return mixture_model_from_bytes(read_file(path), path.string());
}

AnyModel any_model_from_bytes(std::string_view bytes, const std::string& name) {
  const TensorFile file = tensor_file_from_bytes(bytes, name);
  if (model_kind(file.metadata, name) == "mixture") return mixture_from_file(file, name);
  return model_from_bytes(bytes, name);
}

AnyModel load_any_model(const std::filesystem::path& path) {
  return any_model_from_bytes(read_file(path), path.string());
}

}  // namespace lbw
