// SPDX-License-Identifier: MIT
// The functions of the WebAssembly module. They take and return plain objects and typed arrays.
// Exceptions of C++ have no text in JavaScript, so every function returns {value} or {error}, and
// page/lbw.js turns an error into an exception with the same message.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <lbw/fit_transport.hpp>
#include <lbw/mixture.hpp>
#include <lbw/options.hpp>
#include <lbw/transport.hpp>
#include <string>
#include <vector>

namespace {

using emscripten::typed_memory_view;
using emscripten::val;

const lbw::Execution one_thread{.n_threads = 1};

template <typename Function>
val result_of(const Function& function) {
  val result = val::object();
  try {
    result.set("value", function());
  } catch (const std::bad_alloc&) {
    result.set("error", val("not enough memory: use fewer samples or columns"));
  } catch (const std::exception& error) {
    result.set("error", val(std::string(error.what())));
  }
  return result;
}

/// A Float64Array of its own: a view of the memory becomes invalid when the memory grows.
template <typename Matrix>
val array_of(const Matrix& values) {
  return val::global("Float64Array")
      .new_(typed_memory_view(static_cast<std::size_t>(values.size()), values.data()));
}

/// @param values  row by row
lbw::RowMatrix matrix_of(const val& values, int n_features) {
  const auto size = values["length"].as<int>();
  if (n_features < 1 || size % n_features != 0) {
    throw lbw::InvalidArgument("samples: an array of " + std::to_string(size) +
                               " numbers has no rows of " + std::to_string(n_features) +
                               " features; pass n_features >= 1 numbers for every sample");
  }
  lbw::RowMatrix matrix(size / n_features, n_features);
  val(typed_memory_view(static_cast<std::size_t>(size), matrix.data())).call<void>("set", values);
  return matrix;
}

std::vector<double> numbers_of(const val& values) {
  return emscripten::convertJSArrayToNumberVector<double>(values);
}

val object_of(const lbw::Mixture& mixture) {
  val covariances = val::array();
  for (lbw::Index i = 0; i < mixture.n_components(); ++i) {
    covariances.call<void>("push", array_of(mixture.component(i).covariance));
  }
  val object = val::object();
  object.set("weights", array_of(mixture.weights));
  object.set("means", array_of(mixture.means));
  object.set("covariances", covariances);
  return object;
}

/// Sets options by the names that the program and Python use too.
void set_options(lbw::TransportOptions& options, const val& values) {
  std::vector<lbw::Option> known = options_of(options.mixture);
  for (lbw::Option& option : options_of(options)) known.push_back(std::move(option));
  const val names = val::global("Object").call<val>("keys", values);
  for (int i = 0; i < names["length"].as<int>(); ++i) {
    const auto name = names[i].as<std::string>();
    find_option(known, name).set(val::global("String")(values[name]).as<std::string>());
  }
}

}  // namespace

/// A fitted model. JavaScript must delete() it.
class Model {
 public:
  /// @param groups  [{name, samples}], with samples row by row
  static val fit(val groups, int n_features, val options) {
    return result_of([&] {
      lbw::TransportOptions chosen;
      set_options(chosen, options);
      chosen.mixture.execution = one_thread;
      std::vector<lbw::Group> all;
      for (int i = 0; i < groups["length"].as<int>(); ++i) {
        all.push_back(
            {groups[i]["name"].as<std::string>(), matrix_of(groups[i]["samples"], n_features)});
      }
      return val(Model(lbw::fit_transport(all, chosen)));
    });
  }

  val transport(std::string from, std::string to, val samples, double amount) const {
    return result_of(
        [&] { return transported(map_between(model_, from, to, amount, one_thread), samples); });
  }

  val to_barycenter(std::string from, val weights, val samples, double amount) const {
    return result_of([&] {
      const std::vector<double> numbers = numbers_of(weights);
      return transported(map_to_barycenter(model_, from, numbers, amount, one_thread), samples);
    });
  }

  /// {weights, means, covariances} of the barycenter, one component per tuple of the coupling.
  val barycenter(val weights) const {
    return result_of(
        [&] { return object_of(lbw::barycenter(model_, numbers_of(weights), one_thread)); });
  }

  val mixture(std::string group) const {
    return result_of([&] {
      return object_of(model_.mixtures[static_cast<std::size_t>(model_.group_index(group))]);
    });
  }

  /// {tuples, masses}: the component of every group, tuple by tuple, and the mass of each tuple.
  val coupling() const {
    return result_of([&] {
      val object = val::object();
      object.set("tuples", val::global("Int32Array")
                               .new_(typed_memory_view(
                                   static_cast<std::size_t>(model_.coupling.tuples.size()),
                                   model_.coupling.tuples.data())));
      object.set("masses", array_of(model_.coupling.masses));
      return object;
    });
  }

  /// {n_samples, iterations, converged, mean_log_likelihood} of the fit of one group.
  val report(std::string group) const {
    return result_of([&] {
      const lbw::GroupReport& report =
          model_.reports[static_cast<std::size_t>(model_.group_index(group))];
      val object = val::object();
      object.set("n_samples", static_cast<double>(report.n_samples));
      object.set("iterations", report.iterations);
      object.set("converged", report.converged);
      object.set("mean_log_likelihood", report.mean_log_likelihood);
      return object;
    });
  }

 private:
  explicit Model(lbw::TransportModel model) : model_(std::move(model)) {}

  [[nodiscard]] val transported(const lbw::LocalMap& map, const val& samples) const {
    const auto n_features = static_cast<int>(model_.n_features());
    return array_of(lbw::transport(map, matrix_of(samples, n_features), one_thread));
  }

  lbw::TransportModel model_;
};

int max_groups(int n_rows) {
  return static_cast<int>(lbw::max_groups(lbw::LabelKind::text, n_rows));
}

EMSCRIPTEN_BINDINGS(lbw) {
  emscripten::function("max_groups", &max_groups);
  emscripten::class_<Model>("Model")
      .class_function("fit", &Model::fit)
      .function("transport", &Model::transport)
      .function("to_barycenter", &Model::to_barycenter)
      .function("barycenter", &Model::barycenter)
      .function("mixture", &Model::mixture)
      .function("coupling", &Model::coupling)
      .function("report", &Model::report);
}
