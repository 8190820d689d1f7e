// SPDX-License-Identifier: MIT
// Joint couplings of three groups: marginals, and the dual solution on all tuples.
#include "matching/multimarginal.hpp"

#include <array>

#include "fuzz/fuzz_input.hpp"
#include "matching/glue_plans.hpp"

using namespace lbw;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzInput input(data, size);
  constexpr std::size_t n_groups = 3;
  std::array<Vector, n_groups> weights;
  for (Vector& own : weights) {
    own = input.weights(input.whole(1, 4));
    if (!(own.sum() > 0.0)) own(0) = 1.0;
    own /= own.sum();
  }
  std::array<RowMatrix, 9> costs;
  for (std::size_t a = 0; a < n_groups; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      costs[3 * a + b] = input.numbers(weights[a].size(), weights[b].size()).cwiseAbs();
      if (!fuzz::is_moderate(costs[3 * a + b])) return 0;
      costs[3 * b + a] = costs[3 * a + b].transpose();
    }
  }
  const auto cost = [&](Index a, Index b) { return costs[static_cast<std::size_t>(3 * a + b)]; };
  const std::vector<MassTuple> start = glue_plans(weights, input.whole(0, 2), cost);
  const MultimarginalPlan plan = multimarginal_plan(weights, cost, start);

  std::array<Vector, n_groups> sums;
  for (std::size_t g = 0; g < n_groups; ++g) sums[g] = Vector::Zero(weights[g].size());
  const auto cost_of = [&](int i, int j, int k) {
    return costs[3](j, i) + costs[6](k, i) + costs[7](k, j);
  };
  const auto slack = [&](int i, int j, int k) {
    const auto& u = plan.potentials;
    return cost_of(i, j, k) - u[0](i) - u[1](j) - u[2](k);
  };
  for (const MassTuple& tuple : plan.tuples) {
    fuzz::require(tuple.mass > 0.0, "masses are positive");
    for (std::size_t g = 0; g < n_groups; ++g) sums[g](tuple.components[g]) += tuple.mass;
    fuzz::require(
        std::abs(slack(tuple.components[0], tuple.components[1], tuple.components[2])) <= 1e-6,
        "tuples with mass cost their potentials");
  }
  for (std::size_t g = 0; g < n_groups; ++g) {
    fuzz::require((sums[g] - weights[g]).cwiseAbs().maxCoeff() <= 1e-9,
                  "marginals are the weights");
  }
  for (int i = 0; i < weights[0].size(); ++i) {
    for (int j = 0; j < weights[1].size(); ++j) {
      for (int k = 0; k < weights[2].size(); ++k) {
        fuzz::require(slack(i, j, k) >= -1e-6, "no tuple costs less than its potentials");
      }
    }
  }
  return 0;
}
