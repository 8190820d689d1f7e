// SPDX-License-Identifier: MIT
#include "io/model_tensors.hpp"

#include <limits>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/mixture_tensors.hpp"
#include "io/refinement_tensors.hpp"
#include "io/tensor_shelf.hpp"

namespace lbw {

namespace {

std::string prefix_of(std::size_t group) { return message("groups.", group, "."); }

void add_coupling(ModelTensors& out, const Coupling& coupling) {
  std::string tuples;
  append_row_major(tuples, coupling.tuples.cast<std::int64_t>());
  add_tensor(out, "coupling.tuples",
             {static_cast<std::uint64_t>(coupling.tuples.rows()),
              static_cast<std::uint64_t>(coupling.tuples.cols())},
             std::move(tuples), "I64");
  if (coupling.method == CouplingMethod::matching) return;  // masses follow from the weights
  std::string masses;
  append_row_major(masses, coupling.masses);
  add_tensor(out, "coupling.masses", {static_cast<std::uint64_t>(coupling.masses.size())},
             std::move(masses));
}

void read_tuples(TensorShelf& shelf, Index n_groups, Coupling& coupling) {
  const Tensor& tensor = shelf.take("coupling.tuples", "I64");
  shelf.check_shape(tensor,
                    tensor.shape.size() == 2 && tensor.shape[0] >= 1 &&
                        tensor.shape[1] == static_cast<std::uint64_t>(n_groups),
                    message("(n_tuples, ", n_groups, "), at least 1 tuple"));
  coupling.tuples.resize(static_cast<Index>(tensor.shape[0]), n_groups);
  NumberCursor numbers(tensor);
  for (Index tuple = 0; tuple < coupling.tuples.rows(); ++tuple) {
    for (Index group = 0; group < n_groups; ++group) {
      const auto component = numbers.next<std::int64_t>();
      if (component < 0 || component > std::numeric_limits<int>::max()) {
        throw IoError(message(shelf.name(), ": tensor 'coupling.tuples' refers to component ",
                              component, ", expected 0 or more"));
      }
      coupling.tuples(tuple, group) = static_cast<int>(component);
    }
  }
}

/// Whether every tuple refers to existing components.
bool names_components(const TransportModel& model) {
  for (Index g = 0; g < model.n_groups(); ++g) {
    const Index k = at(model.mixtures, g).n_components();
    if (model.coupling.tuples.col(g).maxCoeff() >= k) return false;
  }
  return true;
}

void read_masses(TensorShelf& shelf, TransportModel& model) {
  Coupling& coupling = model.coupling;
  if (coupling.method == CouplingMethod::matching) {
    // check_model rejects invalid tuples
    coupling.masses = names_components(model) ? matching_masses(model.mixtures, coupling)
                                              : Vector(Vector::Zero(coupling.tuples.rows()));
    return;
  }
  const Tensor& tensor = shelf.take("coupling.masses", "F64");
  const Index n_tuples = coupling.tuples.rows();
  shelf.check_shape(
      tensor, tensor.shape.size() == 1 && tensor.shape[0] == static_cast<std::uint64_t>(n_tuples),
      message("(", n_tuples, "), one per tuple"));
  coupling.masses = NumberCursor(tensor).matrix<Vector>(n_tuples, 1);
}

std::string cells_name(std::size_t feature) { return message("dither.cells.", feature); }

void add_dither(ModelTensors& out, const TransportModel& model) {
  if (model.dither.size() > 0) {
    std::string widths;
    append_row_major(widths, model.dither);
    add_tensor(out, "dither", {static_cast<std::uint64_t>(model.dither.size())}, std::move(widths));
  }
  for (std::size_t f = 0; f < model.dither_cells.size(); ++f) {
    const auto& [lower, upper] = model.dither_cells[f];
    if (lower.empty()) continue;
    std::string bounds;
    for (std::size_t i = 0; i < lower.size(); ++i) {
      append_little_endian(bounds, lower[i]);
      append_little_endian(bounds, upper[i]);
    }
    add_tensor(out, cells_name(f), {lower.size(), 2}, std::move(bounds));
  }
}

void read_cells(TensorShelf& shelf, TransportModel& model) {
  const auto n_features = to_size(model.n_features());
  for (std::size_t f = 0; f < n_features; ++f) {
    if (!shelf.has(cells_name(f))) continue;
    const Tensor& tensor = shelf.take(cells_name(f), "F64");
    shelf.check_shape(tensor,
                      tensor.shape.size() == 2 && tensor.shape[0] >= 1 && tensor.shape[1] == 2,
                      "(n_cells, 2), at least 1 cell");
    model.dither_cells.resize(n_features);
    NumberCursor numbers(tensor);
    for (std::uint64_t i = 0; i < tensor.shape[0]; ++i) {
      model.dither_cells[f].lower.push_back(numbers.next<double>());
      model.dither_cells[f].upper.push_back(numbers.next<double>());
    }
  }
}

void add_scales(ModelTensors& out, const Vector& scales) {
  if (scales.size() == 0) return;
  std::string numbers;
  append_row_major(numbers, scales);
  add_tensor(out, "scales", {static_cast<std::uint64_t>(scales.size())}, std::move(numbers));
}

/// A tensor with one number per feature; empty if there is no tensor of that name.
Vector read_per_feature(TensorShelf& shelf, const char* name, Index n_features) {
  if (!shelf.has(name)) return {};
  const Tensor& tensor = shelf.take(name, "F64");
  shelf.check_shape(tensor, tensor.shape == Shape{static_cast<std::uint64_t>(n_features)},
                    message("(", n_features, "), one per feature"));
  return NumberCursor(tensor).matrix<Vector>(n_features, 1);
}

void read_dither(TensorShelf& shelf, TransportModel& model) {
  read_cells(shelf, model);
  model.dither = read_per_feature(shelf, "dither", model.n_features());
}

}  // namespace

ModelTensors tensors_of(const TransportModel& model) {
  ModelTensors out;
  for (std::size_t g = 0; g < model.mixtures.size(); ++g) {
    add_mixture(out, prefix_of(g), model.mixtures[g]);
  }
  add_coupling(out, model.coupling);
  add_scales(out, model.scales);
  add_dither(out, model);
  add_refinement(out, model);
  return out;
}

void read_tensors(const std::vector<Tensor>& tensors, const std::string& name,
                  TransportModel& model) {
  TensorShelf shelf(tensors, name);
  for (std::size_t g = 0; g < model.mixtures.size(); ++g) {
    read_mixture(shelf, prefix_of(g), model.mixtures[g]);
  }
  read_tuples(shelf, model.n_groups(), model.coupling);
  read_masses(shelf, model);
  model.scales = read_per_feature(shelf, "scales", model.n_features());
  read_dither(shelf, model);
  read_refinement(shelf, model);
  shelf.check_empty();
}

}  // namespace lbw
