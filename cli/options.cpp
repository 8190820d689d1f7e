// SPDX-License-Identifier: MIT
#include "cli/options.hpp"

#include <lbw/error.hpp>

namespace lbw::cli {

namespace {

char delimiter_from(const std::string& text) {
  if (text == "," || text == "comma") return ',';
  if (text == ";" || text == "semicolon") return ';';
  if (text == "\t" || text == "\\t" || text == "tab") return '\t';
  throw UsageError("--delimiter is '" + text + "', expected comma, semicolon or tab");
}

std::vector<std::string> columns_from(const std::string& text) {
  std::vector<std::string> columns = split(text, ',');
  for (const std::string& column : columns) {
    if (column.empty()) {
      throw UsageError("--columns is '" + text + "', expected names or numbers between commas");
    }
  }
  return columns;
}

GroupNumbers<double> weights_from(const std::string& text, const std::string& name) {
  const std::optional<GroupNumbers<double>> weights = group_numbers_from<double>(text);
  if (weights) return *weights;
  throw UsageError(name + " is '" + text +
                   "', expected numbers between commas, as in .5,.5, or a number for every group "
                   "by name, as in a=.5,b=.5");
}

std::optional<Index> start_samples_from(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "all") return std::numeric_limits<Index>::max();
  const std::optional<Index> number = number_from<Index>(text);
  if (!number || *number < 1) {
    throw UsageError("--start-samples is '" + text + "', expected a number >= 1, auto or all");
  }
  return number;
}

void add_shrinkage_option(CLI::App& verb, const std::string& name, Shrinkage& shrinkage,
                          const char* help) {
  const auto set = [&shrinkage, name](const std::string& text) {
    try {
      shrinkage = shrinkage_from(text);
    } catch (const InvalidArgument&) {
      throw UsageError(name + " is '" + text + "', expected auto or a number from 0 to 1");
    }
  };
  verb.add_option_function<std::string>(name, set, help)
      ->type_name("N")
      ->default_str(to_string(shrinkage));
}

void add_dither_option(CLI::App& verb, Dither& dither) {
  const auto set = [&dither](const std::string& text) {
    try {
      dither = dither_from(text);
    } catch (const InvalidArgument&) {
      throw UsageError("--dither is '" + text + "', expected auto or a number from 0 to 1");
    }
  };
  verb.add_option_function<std::string>(
          "--dither", set,
          "Spread the values of columns that take few, such as whole numbers or 0 and 1: auto over "
          "the gaps between neighbouring values, a number over this fraction of equal steps; 0 is "
          "off")
      ->type_name("N")
      ->default_str(to_string(dither));
}

}  // namespace

std::string long_name(const std::string& names) {
  const std::size_t at = names.find("--");
  return at == std::string::npos ? names : names.substr(at, names.find(',', at) - at);
}

void add_common_options(CLI::App& verb, CommonOptions& options, const std::string& json_text) {
  verb.add_flag("-q,--quiet", options.quiet, "Say nothing on standard error but errors");
  verb.add_flag("--json", options.json, json_text);
  add_number<int>(verb, "--threads", options.execution.n_threads,
                  "Threads used at most; 0 means one per core. Results are the same at any number",
                  {.least = 0, .most = 4096});
}

void add_csv_options(CLI::App& verb, CsvOptions& options, const std::string& group_text) {
  verb.add_option_function<std::string>(
          "--delimiter",
          [&options](const std::string& text) { options.delimiter = delimiter_from(text); },
          "Between the cells: comma, semicolon or tab; found from the first line by default")
      ->type_name("NAME");
  CLI::Option* present = verb.add_flag_callback(
      "--header", [&options] { options.header = CsvHeader::present; },
      "The first line holds names, also where all of them are numbers");
  CLI::Option* absent = verb.add_flag_callback(
      "--no-header", [&options] { options.header = CsvHeader::absent; },
      "The first line is data; columns are then numbered from 1");
  present->excludes(absent);
  verb.add_option_function<std::string>(
          "--columns",
          [&options](const std::string& text) { options.columns = columns_from(text); },
          "Feature columns to use, in this order, by name or by number from 1")
      ->type_name("A,B,...");
  verb.add_option("--group-column", options.group_column, group_text)->type_name("NAME");
}

void add_key_option(CLI::App& verb, CsvOptions& options) {
  verb.add_option("--key", options.key_column,
                  "Column that identifies each row, such as a customer's number. Random draws "
                  "depend on it besides the values, and it is dropped; without it, equal rows are "
                  "numbered")
      ->type_name("NAME");
}

void add_components_option(CLI::App& verb, MixtureOptions& options) {
  add_number<int>(verb, "-k,--components", options.n_components, "Components of every mixture",
                  {.least = 1});
}

void add_coupling_options(CLI::App& verb, TransportOptions& options) {
  add_choice(
      verb, "--coupling", options.coupling,
      "How components are coupled: one to one, by a transport plan that keeps mass, or by one plan "
      "for all groups",
      {CouplingMethod::matching, CouplingMethod::plan, CouplingMethod::multimarginal});
  add_choice(verb, "--cost", options.cost,
             "Cost of coupling two components: the distance of their means, or of the Gaussians",
             {ComponentCost::means, ComponentCost::bures});
  add_choice(
      verb, "--map", options.map,
      "How a point of several components is transported: by the likeliest, to the average, or "
      "by one drawn by probability (and --seed)",
      {MapKind::hard, MapKind::soft, MapKind::random});
  verb.add_flag("--scale-features", options.scale_features,
                "Measure distances between components in standard deviations of every feature, so "
                "that units do not matter");
}

void add_refine_options(CLI::App& verb, TransportOptions& options,
                        GroupNumbers<double>& refine_weights) {
  add_dither_option(verb, options.dither);
  add_number<int>(verb, "--refine", options.refine,
                  "Steps after the local map to the barycenter: each turns the points at random "
                  "(by --seed) and brings the groups together on every axis",
                  {.least = 0});
  verb.add_option_function<std::string>(
          "--refine-weights",
          [&refine_weights](const std::string& text) {
            refine_weights = weights_from(text, "--refine-weights");
          },
          "Weight of each group in the barycenter that --refine is for, by name or in the order of "
          "the groups, divided by their sum; equal by default")
      ->type_name("A=W1,B=W2,...");
}

void add_small_group_options(CLI::App& verb, TransportOptions& options) {
  add_shrinkage_option(
      verb, "--group-shrinkage", options.group_shrinkage,
      "How far mean and covariance of every group are shrunk towards those of all samples: a "
      "number from 0 (not at all) to 1, or auto, by the sampling noise; for small groups");
  add_choice(verb, "--small-groups", options.small_groups,
             "Whether groups of a single sample are refused or left where they are",
             {SmallGroups::error, SmallGroups::keep});
}

void add_mixture_options(CLI::App& verb, MixtureOptions& options) {
  add_choice(verb, "--covariance", options.covariance_type, "Shape of the covariances",
             {CovarianceType::full, CovarianceType::tied, CovarianceType::diagonal,
              CovarianceType::spherical});
  add_number<double>(verb, "--covariance-floor", options.covariance_floor,
                     "Added to every variance, in squared units of the data", {.least = 0.0});
  add_number<double>(
      verb, "--relative-covariance-floor", options.relative_covariance_floor,
      "Regularization relative to each feature's variance: this fraction of it is added to "
      "every variance too, as in 0.01",
      {.least = 0.0});
  add_shrinkage_option(
      verb, "--shrinkage", options.shrinkage,
      "How far covariances are shrunk towards equal variances: a number from 0 (not at all) to "
      "1, or auto, by the number of samples; for many features");
  add_number<double>(verb, "--tolerance", options.tolerance,
                     "Stop once a step changes the mean log-likelihood by less", {.least = 0.0});
  add_number<int>(verb, "--max-iterations", options.max_iterations,
                  "EM steps allowed; running out gives exit code 3", {.least = 1});
  add_number<int>(verb, "--n-init", options.n_init,
                  "Independent starts; the one with the best likelihood is kept", {.least = 1});
  add_choice(verb, "--start", options.start, "Where EM starts",
             {MixtureStart::kmeans, MixtureStart::kmeans_plusplus, MixtureStart::random_points,
              MixtureStart::random_responsibilities});
  verb.add_option_function<std::string>(
          "--start-samples",
          [&options](const std::string& text) { options.start_samples = start_samples_from(text); },
          "Samples that a fit starts on before it uses all: a number, auto, or all for every "
          "sample from the first step on")
      ->type_name("N")
      ->default_str("auto");
  add_choice(verb, "--precision", options.precision,
             "Precision of EM; sums are always in double precision",
             {Precision::f64, Precision::f32});
  add_seed_option(verb, options.seed, "Seed of the starts");
}

void add_seed_option(CLI::App& verb, std::uint64_t& seed, const std::string& description) {
  add_number<std::uint64_t>(verb, "--seed", seed, description, {.least = 0});
}

void add_weights_option(CLI::App& verb, GroupNumbers<double>& weights) {
  verb.add_option_function<std::string>(
          "-w,--weights",
          [&weights](const std::string& text) { weights = weights_from(text, "--weights"); },
          "Weight of each group in the barycenter, by name or in the model's order, divided by "
          "their sum; by default equal, or those that the model was refined for")
      ->type_name("A=W1,B=W2,...");
}

std::vector<double> weights_or_default(const GroupNumbers<double>& weights,
                                       const TransportModel& model) {
  if (!weights.empty()) return in_order_of_groups(weights, "--weights", model.group_names);
  if (!model.refinement.empty()) return model.refinement.barycentric_weights;
  return std::vector<double>(model.group_names.size(), 1.0 / static_cast<double>(model.n_groups()));
}

}  // namespace lbw::cli
