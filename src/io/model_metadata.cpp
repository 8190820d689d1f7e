// SPDX-License-Identifier: MIT
#include "io/model_metadata.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/excerpt.hpp"
#include "io/metadata_reader.hpp"

namespace lbw {

namespace {

constexpr int largest_int = std::numeric_limits<int>::max();
constexpr Index largest_index = std::numeric_limits<Index>::max();

void check_writable(const TransportModel& model) {
  constexpr const char* function = "save_model";
  for (const std::string& group : model.group_names) check_name(group, function, "group name");
  for (const std::string& name : model.feature_names) check_name(name, function, "feature name");
  check_notes(model.notes, function);
  check_options(options_of(model.mixture_options), function);
  for (const GroupReport& report : model.reports) {
    check_count(report.n_samples, function, "a report's n_samples");
    check_number(report.mean_log_likelihood, function, "a report's mean_log_likelihood");
    check_count(report.iterations, function, "a report's iterations");
    if (report.weighted_count) {
      check_number(*report.weighted_count, function, "a report's weighted_count");
    }
    check_count(report.replaced_components, function, "a report's replaced_components");
    check_count(report.unestimated_components, function, "a report's unestimated_components");
  }
}

// Entries that every reader of the format expects. Other options are written only if they differ
// from their default, so that files with the paper's settings do not change. The covariance type
// has a separate entry.
constexpr std::array<std::string_view, 8> always_written = {
    "n_components", "covariance_floor", "tolerance", "max_iterations", "n_init",
    "start",        "precision",        "seed"};

/// Words are written as text, and seeds too, because many readers keep only 53 bits of a number.
bool is_written_as_text(const Option& option) {
  return option.type == OptionType::choice || option.name == "seed" ||
         (option.type == OptionType::number && !option.words.empty());
}

OrderedJson value_json(const Option& option) {
  const std::string text = option.text();
  if (is_written_as_text(option)) return text;
  return OrderedJson::parse(text);
}

OrderedJson options_json(const MixtureOptions& options) {
  const MixtureOptions defaults;
  const std::vector<Option> default_options = options_of(defaults);
  OrderedJson json;
  for (const Option& option : options_of(options)) {
    if (option.name == "covariance_type") continue;
    const bool is_default = option.text() == find_option(default_options, option.name).text();
    const bool always = std::ranges::find(always_written, option.name) != always_written.end();
    if (always || !is_default) json[std::string(option.name)] = value_json(option);
  }
  return json;
}

OrderedJson reports_json(const std::vector<GroupReport>& reports) {
  OrderedJson list = OrderedJson::array();
  for (const GroupReport& report : reports) {
    OrderedJson json;
    json["n_samples"] = report.n_samples;
    json["mean_log_likelihood"] = report.mean_log_likelihood;
    json["iterations"] = report.iterations;
    json["converged"] = report.converged;
    json["replaced_components"] = report.replaced_components;
    if (report.weighted_count) json["weighted_count"] = *report.weighted_count;
    if (report.unestimated_components > 0) {
      json["unestimated_components"] = report.unestimated_components;
    }
    list.push_back(json);
  }
  return list;
}

std::string option_text(const Json& json, const Option& option, const std::string& what) {
  const std::string key(option.name);
  if (is_written_as_text(option)) return string_entry(json, key.c_str(), what);
  if (option.type == OptionType::number) return to_text(number_entry(json, key.c_str(), what));
  const auto least = static_cast<std::int64_t>(option.least);
  const std::int64_t most = option.most > largest_int ? largest_index : largest_int;
  return std::to_string(integer_entry(json, key.c_str(), least, most, what));
}

MixtureOptions read_options(const MetadataReader& reader) {
  const Json json = reader.json("options");
  const std::string what = reader.what("options");
  MixtureOptions options;
  for (const Option& option : options_of(options)) {
    const std::string key(option.name);
    const bool always = std::ranges::find(always_written, option.name) != always_written.end() &&
                        option.name != "precision";  // absent in files of the first version
    if (option.name == "covariance_type" || (!always && !json.contains(key))) continue;
    const std::string text = option_text(json, option, what);
    if (!option.accepts(text)) {
      throw IoError(
          message(what, " has ", key, " '", excerpt(text), "', expected ", option.expected()));
    }
    option.set(text);
  }
  return options;
}

GroupReport read_report(const Json& json, const std::string& what) {
  const auto count = [&](const char* key) {
    return static_cast<int>(integer_entry(json, key, 0, largest_int, what));
  };
  GroupReport report;
  report.n_samples = static_cast<Index>(integer_entry(json, "n_samples", 0, largest_index, what));
  report.mean_log_likelihood = number_entry(json, "mean_log_likelihood", what);
  report.iterations = count("iterations");
  report.converged = bool_entry(json, "converged", what);
  report.replaced_components = count("replaced_components");
  if (json.contains("unestimated_components")) {
    report.unestimated_components = count("unestimated_components");
  }
  if (json.contains("weighted_count")) {
    report.weighted_count = number_entry(json, "weighted_count", what);
    if (!(*report.weighted_count >= 0.0)) {
      throw IoError(message(what, " has weighted_count ", *report.weighted_count,
                            ", expected a number >= 0"));
    }
  }
  return report;
}

/// Everything except its tensors.
Coupling read_coupling(const MetadataReader& reader, const TransportModel& model) {
  Coupling coupling;
  coupling.method =
      reader.converted("coupling", reader.text_or("coupling", to_string(coupling.method)),
                       enum_from<CouplingMethod>);
  coupling.cost = reader.converted("cost", reader.text_or("cost", to_string(coupling.cost)),
                                   enum_from<ComponentCost>);
  coupling.reference =
      reader.converted("reference", reader.text("reference"),
                       [&](const std::string& group) { return model.group_index(group); });
  return coupling;
}

std::vector<GroupReport> read_reports(const MetadataReader& reader) {
  const Json list = reader.json("reports");
  if (!list.is_array()) throw IoError(message(reader.what("reports"), " is not a list"));
  std::vector<GroupReport> reports;
  for (std::size_t g = 0; g < list.size(); ++g) {
    reports.push_back(read_report(list[g], message(reader.what("reports"), " of group ", g)));
  }
  return reports;
}

}  // namespace

Metadata metadata_of(const TransportModel& model) {
  check_writable(model);
  const auto reference = to_size(model.coupling.reference);
  Metadata metadata = model_metadata("transport");
  const Metadata own = {
      {"group_names", OrderedJson(model.group_names).dump()},
      {"feature_names", OrderedJson(model.feature_names).dump()},
      {"covariance_type", std::string(to_string(model.mixtures.front().covariance_type))},
      {"coupling", std::string(to_string(model.coupling.method))},
      {"cost", std::string(to_string(model.coupling.cost))},
      {"map", std::string(to_string(model.map))},
      {"reference", model.group_names[reference]},
      {"options", options_json(model.mixture_options).dump()},
      {"reports", reports_json(model.reports).dump()}};
  metadata.insert(metadata.end(), own.begin(), own.end());
  const std::size_t n_steps = model.refinement.steps.size();
  if (n_steps > 0) metadata.emplace_back("refine", std::to_string(n_steps));
  if (!model.kept_groups.empty()) {
    metadata.emplace_back("kept_groups", OrderedJson(model.kept_groups).dump());
  }
  if (!model.notes.empty()) metadata.emplace_back("notes", OrderedJson(model.notes).dump());
  return metadata;
}

TransportModel model_from_metadata(const Metadata& metadata, const std::string& name) {
  const MetadataReader reader(metadata, name);
  check_model_kind(metadata, "transport", name);
  TransportModel model;
  model.group_names = reader.names("group_names");
  model.feature_names = reader.names("feature_names");
  if (reader.find("kept_groups")) model.kept_groups = reader.names("kept_groups");
  model.mixture_options = read_options(reader);
  model.mixture_options.covariance_type = reader.converted(
      "covariance_type", reader.text("covariance_type"), enum_from<CovarianceType>);
  model.mixtures.resize(model.group_names.size());
  for (Mixture& mixture : model.mixtures) {
    mixture.covariance_type = model.mixture_options.covariance_type;
  }
  model.coupling = read_coupling(reader, model);
  model.map =
      reader.converted("map", reader.text_or("map", to_string(model.map)), enum_from<MapKind>);
  model.reports = read_reports(reader);
  model.notes = reader.notes();
  return model;
}

void check_refine_entry(const Metadata& metadata, const std::string& name, std::size_t n_steps) {
  const MetadataReader reader(metadata, name);
  const std::string refine = reader.text_or("refine", "0");
  if (refine == std::to_string(n_steps)) return;
  throw IoError(message(reader.what("refine"), " is '", excerpt(refine), "', but the tensors have ",
                        counted(n_steps, "step")));
}

}  // namespace lbw
