// SPDX-License-Identifier: MIT
#include "io/refinement_tensors.hpp"

#include "core/message.hpp"

namespace lbw {

namespace {

void add_weights(ModelTensors& out, const Refinement& refinement) {
  std::string weights;
  for (const double weight : refinement.barycentric_weights) append_little_endian(weights, weight);
  add_tensor(out, "refinement.weights", {refinement.barycentric_weights.size()},
             std::move(weights));
}

void add_rotations(ModelTensors& out, const Refinement& refinement, std::uint64_t n_features) {
  std::string rotations;
  for (const RefinementStep& step : refinement.steps) append_row_major(rotations, step.rotation);
  add_tensor(out, "refinement.rotations", {refinement.steps.size(), n_features, n_features},
             std::move(rotations));
}

void add_tables(ModelTensors& out, const Refinement& refinement, std::uint64_t n_features) {
  const auto& first = refinement.steps.front().tables;
  std::string tables;
  for (const RefinementStep& step : refinement.steps) {
    for (const auto& group : step.tables) {
      for (const QuantileTable& table : group) append_row_major(tables, table.values);
    }
  }
  add_tensor(out, "refinement.tables",
             {refinement.steps.size(), first.size(), n_features,
              static_cast<std::uint64_t>(first.front().front().n_levels())},
             std::move(tables));
}

/// Tensors that files of earlier versions do not have.
void add_shrinkage(ModelTensors& out, const Refinement& refinement) {
  if (refinement.scales.size() > 0) {
    std::string scales;
    append_row_major(scales, refinement.scales);
    add_tensor(out, "refinement.scales", {static_cast<std::uint64_t>(refinement.scales.size())},
               std::move(scales));
  }
  if (refinement.sample_counts.empty()) return;
  std::string counts;
  for (const double count : refinement.sample_counts) append_little_endian(counts, count);
  add_tensor(out, "refinement.sample_counts", {refinement.sample_counts.size()}, std::move(counts));
  std::string shrinkage;
  for (const RefinementStep& step : refinement.steps) {
    for (const double amount : step.shrinkage) append_little_endian(shrinkage, amount);
  }
  add_tensor(out, "refinement.shrinkage",
             {refinement.steps.size(), refinement.sample_counts.size()}, std::move(shrinkage));
}

std::vector<double> read_weights(TensorShelf& shelf, std::uint64_t n_groups) {
  const Tensor& tensor = shelf.take("refinement.weights", "F64");
  shelf.check_shape(tensor, tensor.shape == Shape{n_groups},
                    message("(", n_groups, "), one per group"));
  const Vector weights = NumberCursor(tensor).matrix<Vector>(static_cast<Index>(n_groups), 1);
  return {weights.begin(), weights.end()};
}

void read_rotations(TensorShelf& shelf, Index n_features, std::vector<RefinementStep>& steps) {
  const Tensor& tensor = shelf.take("refinement.rotations", "F64");
  const auto d = static_cast<std::uint64_t>(n_features);
  shelf.check_shape(tensor,
                    tensor.shape.size() == 3 && tensor.shape[0] >= 1 && tensor.shape[1] == d &&
                        tensor.shape[2] == d,
                    message("(n_steps, ", d, ", ", d, "), at least 1 step"));
  NumberCursor numbers(tensor);
  for (std::uint64_t s = 0; s < tensor.shape[0]; ++s) {
    steps.push_back({numbers.matrix<Matrix>(n_features, n_features), {}});
  }
}

void read_tables(TensorShelf& shelf, std::uint64_t n_groups, std::uint64_t n_features,
                 std::vector<RefinementStep>& steps) {
  const Tensor& tensor = shelf.take("refinement.tables", "F64");
  const Shape& shape = tensor.shape;
  shelf.check_shape(tensor,
                    shape.size() == 4 && shape[3] >= 2 &&
                        shape == Shape{steps.size(), n_groups, n_features, shape[3]},
                    message("(", steps.size(), ", ", n_groups, ", ", n_features,
                            ", n_levels), at least 2 levels"));
  NumberCursor numbers(tensor);
  for (RefinementStep& step : steps) {
    step.tables.resize(n_groups);
    for (auto& group : step.tables) {
      for (std::uint64_t f = 0; f < n_features; ++f) {
        group.push_back({numbers.matrix<Vector>(static_cast<Index>(shape[3]), 1)});
      }
    }
  }
}

void read_shrinkage(TensorShelf& shelf, std::uint64_t n_groups, Index n_features,
                    Refinement& refinement) {
  if (shelf.has("refinement.scales")) {
    const Tensor& tensor = shelf.take("refinement.scales", "F64");
    const auto d = static_cast<std::uint64_t>(n_features);
    shelf.check_shape(tensor, tensor.shape == Shape{d}, message("(", d, "), one per feature"));
    refinement.scales = NumberCursor(tensor).matrix<Vector>(n_features, 1);
  }
  if (!shelf.has("refinement.shrinkage")) return;
  const Tensor& counts = shelf.take("refinement.sample_counts", "F64");
  shelf.check_shape(counts, counts.shape == Shape{n_groups},
                    message("(", n_groups, "), one per group"));
  const auto g = static_cast<Index>(n_groups);
  const Vector of_groups = NumberCursor(counts).matrix<Vector>(g, 1);
  refinement.sample_counts.assign(of_groups.begin(), of_groups.end());
  const Tensor& amounts = shelf.take("refinement.shrinkage", "F64");
  const std::uint64_t n_steps = refinement.steps.size();
  shelf.check_shape(amounts, amounts.shape == Shape{n_steps, n_groups},
                    message("(", n_steps, ", ", n_groups, ")"));
  NumberCursor numbers(amounts);
  for (RefinementStep& step : refinement.steps) {
    const Vector of_step = numbers.matrix<Vector>(g, 1);
    step.shrinkage.assign(of_step.begin(), of_step.end());
  }
}

}  // namespace

void add_refinement(ModelTensors& out, const TransportModel& model) {
  if (model.refinement.empty()) return;
  const auto n_features = static_cast<std::uint64_t>(model.n_features());
  add_weights(out, model.refinement);
  add_rotations(out, model.refinement, n_features);
  add_tables(out, model.refinement, n_features);
  add_shrinkage(out, model.refinement);
}

void read_refinement(TensorShelf& shelf, TransportModel& model) {
  if (!shelf.has("refinement.rotations")) return;
  const auto n_groups = static_cast<std::uint64_t>(model.n_groups());
  Refinement& refinement = model.refinement;
  refinement.barycentric_weights = read_weights(shelf, n_groups);
  read_rotations(shelf, model.n_features(), refinement.steps);
  read_tables(shelf, n_groups, static_cast<std::uint64_t>(model.n_features()), refinement.steps);
  read_shrinkage(shelf, n_groups, model.n_features(), refinement);
}

}  // namespace lbw
