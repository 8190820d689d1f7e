// SPDX-License-Identifier: MIT
#include "io/model_metadata.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <lbw/version.hpp>
#include <limits>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/excerpt.hpp"
#include "io/json_text.hpp"

namespace lbw {

namespace {

constexpr int largest_int = std::numeric_limits<int>::max();
constexpr Index largest_index = std::numeric_limits<Index>::max();

void check_text(const std::string& text, const char* what) {
  try {
    (void)OrderedJson(text).dump();
  } catch (const OrderedJson::exception&) {
    throw InvalidArgument(message("save_model: ", what, " '", excerpt(text),
                                  "' is not UTF-8, which model files require"));
  }
}

void check_number(double value, const char* what) {
  require(std::isfinite(value), "save_model: ", what, " is ", value, ", expected a finite number");
}

void check_count(Index value, const char* what) {
  require(value >= 0, "save_model: ", what, " is ", value, ", expected >= 0");
}

void check_writable(const TransportModel& model) {
  for (const std::string& group : model.group_names) check_text(group, "group name");
  for (const std::string& feature : model.feature_names) check_text(feature, "feature name");
  for (const auto& [name, text] : model.notes) {
    check_text(name, "note");
    check_text(text, "note");
  }
  check_options(options_of(model.mixture_options), "save_model");
  for (const GroupReport& report : model.reports) {
    check_count(report.n_samples, "a report's n_samples");
    check_number(report.mean_log_likelihood, "a report's mean_log_likelihood");
    check_count(report.iterations, "a report's iterations");
    check_count(report.replaced_components, "a report's replaced_components");
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
    list.push_back(json);
  }
  return list;
}

/// The entries of one file, and its name for messages.
class MetadataReader {
 public:
  MetadataReader(const Metadata& metadata, const std::string& name)
      : metadata_(metadata), name_(name) {}

  [[nodiscard]] const std::string& text(const char* key) const {
    if (const std::string* const found = find(key)) return *found;
    throw IoError(message(name_, ": __metadata__ has no entry '", key, "'; is it an lbw model?"));
  }

  /// Null if there is no such entry.
  [[nodiscard]] const std::string* find(const char* key) const {
    const auto found = std::find_if(metadata_.begin(), metadata_.end(),
                                    [key](const auto& entry) { return entry.first == key; });
    return found == metadata_.end() ? nullptr : &found->second;
  }

  /// The entry, or the value implied by older files without it.
  [[nodiscard]] std::string text_or(const char* key, std::string_view otherwise) const {
    const std::string* found = find(key);
    return found != nullptr ? *found : std::string(otherwise);
  }

  [[nodiscard]] Json json(const char* key) const { return parse_json(text(key), what(key)); }

  [[nodiscard]] std::string what(const char* key) const {
    return message(name_, ": metadata '", key, "'");
  }

  [[nodiscard]] std::vector<std::string> names(const char* key) const {
    const Json list = json(key);
    const auto is_string = [](const Json& value) { return value.is_string(); };
    if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_string)) {
      throw IoError(message(what(key), " is not a list of strings"));
    }
    return list.get<std::vector<std::string>>();
  }

  /// The result of `from` for a text. Its InvalidArgument is rethrown as an IoError about the file.
  template <typename From>
  [[nodiscard]] auto converted(const char* key, const std::string& value, const From& from) const {
    try {
      return from(value);
    } catch (const InvalidArgument& error) {
      throw IoError(message(what(key), ": ", error.what()));
    }
  }

 private:
  const Metadata& metadata_;
  const std::string& name_;
};

void check_format(const MetadataReader& reader, const std::string& name) {
  if (reader.text("format") != "lbw") {
    throw IoError(message(reader.what("format"), " is '", excerpt(reader.text("format")),
                          "', expected 'lbw'"));
  }
  const std::string& format_version = reader.text("format_version");
  if (format_version != "1") {
    throw IoError(message(name, ": written by a newer version of lbw (format ",
                          excerpt(format_version), "; this version supports format 1)"));
  }
  if (reader.text("kind") != "transport") {
    throw IoError(message(reader.what("kind"), " is '", excerpt(reader.text("kind")),
                          "', expected 'transport'"));
  }
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

std::map<std::string, std::string> read_notes(const MetadataReader& reader) {
  if (!reader.find("notes")) return {};
  const Json json = reader.json("notes");
  const auto is_string = [](const Json& value) { return value.is_string(); };
  if (!json.is_object() || !std::all_of(json.begin(), json.end(), is_string)) {
    throw IoError(message(reader.what("notes"), " is not an object of strings"));
  }
  return json.get<std::map<std::string, std::string>>();
}

}  // namespace

Metadata metadata_of(const TransportModel& model) {
  check_writable(model);
  const auto reference = to_size(model.coupling.reference);
  Metadata metadata{
      {"format", "lbw"},
      {"format_version", "1"},
      {"lbw_version", version},
      {"kind", "transport"},
      {"group_names", OrderedJson(model.group_names).dump()},
      {"feature_names", OrderedJson(model.feature_names).dump()},
      {"covariance_type", std::string(to_string(model.mixtures.front().covariance_type))},
      {"coupling", std::string(to_string(model.coupling.method))},
      {"cost", std::string(to_string(model.coupling.cost))},
      {"map", std::string(to_string(model.map))},
      {"reference", model.group_names[reference]},
      {"options", options_json(model.mixture_options).dump()},
      {"reports", reports_json(model.reports).dump()}};
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
  check_format(reader, name);
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
  model.notes = read_notes(reader);
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
