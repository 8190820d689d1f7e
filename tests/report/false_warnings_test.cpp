// SPDX-License-Identifier: MIT
// How often a verdict warns, over many fits: rarely for correct models, and always for wrong ones.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <lbw/report.hpp>
#include <lbw/types.hpp>
#include <numbers>

namespace lbw {
namespace {

using Draw = std::function<void(Random&, int group, Eigen::Ref<Eigen::RowVectorXd>)>;

struct Setting {
  const char* name;
  TransportOptions options;
  int n_groups;
  Index n_features;
  Index n_fitted;
  Index n_held_out;
  Draw draw;
};

RowMatrix drawn(const Setting& setting, Random& random, int group, Index n_samples) {
  RowMatrix samples(n_samples, setting.n_features);
  for (Index i = 0; i < n_samples; ++i) {
    Eigen::RowVectorXd row(setting.n_features);
    setting.draw(random, group, row);
    samples.row(i) = row;
  }
  return samples;
}

/// The verdict on a model that is fitted to some samples and evaluated on others.
std::vector<Finding> verdict_on(const Setting& setting, std::uint64_t seed) {
  Random random(seed, 17);
  std::vector<RowMatrix> samples;
  for (int g = 0; g < setting.n_groups; ++g) {
    samples.push_back(drawn(setting, random, g, setting.n_fitted));
    samples.push_back(drawn(setting, random, g, setting.n_held_out));
  }
  std::vector<Group> fitted;
  std::vector<Group> held_out;
  for (std::size_t g = 0; g < samples.size() / 2; ++g) {
    const std::string name(1, static_cast<char>('a' + g));
    fitted.push_back({name, samples[2 * g]});
    held_out.push_back({name, samples[2 * g + 1]});
  }
  TransportOptions options = setting.options;
  options.mixture.seed = seed;
  ReportOptions reported;
  reported.seed = seed;
  reported.n_permutations = 49;
  reported.n_directions = 16;
  return report(fit_transport(fitted, options), held_out, reported).verdict;
}

int n_warned_of(const Setting& setting, int n_fits) {
  int n_warned = 0;
  for (int i = 0; i < n_fits; ++i) {
    const std::vector<Finding> findings = verdict_on(setting, static_cast<std::uint64_t>(i) + 1);
    n_warned += findings[0].warning ? 1 : 0;  // warnings come first
  }
  return n_warned;
}

TransportOptions of_components(int n_components) {
  TransportOptions options;
  options.mixture.n_components = n_components;
  return options;
}

/// The defaults of GroupRepair.
TransportOptions repair(int refine) {
  TransportOptions options = of_components(1);
  options.mixture.relative_covariance_floor = 0.1;
  options.refine = refine;
  return options;
}

TransportOptions dithered_repair() {
  TransportOptions options = repair(10);
  options.dither = 1.0;
  return options;
}

TransportOptions of_the_paper(int n_components) {
  TransportOptions options = of_components(n_components);
  options.coupling = CouplingMethod::matching;
  options.map = MapKind::hard;
  return options;
}

void draw_normal(Random& random, int /*group*/, Eigen::Ref<Eigen::RowVectorXd> row) {
  for (double& value : row) value = random.normal();
}

void draw_shifted(Random& random, int group, Eigen::Ref<Eigen::RowVectorXd> row) {
  for (double& value : row) value = (1.0 + 0.5 * group) * random.normal() + group;
}

/// Three clusters in a row. In every third group one cluster has more mass.
Draw clusters(double mass) {
  return [mass](Random& random, int group, Eigen::Ref<Eigen::RowVectorXd> row) {
    const double u = random.uniform();
    const double first = group == 1 ? mass : 0.4;
    row[0] = random.normal() + (u < first ? -5.0 : (u < 0.5 * (1.0 + first) ? 0.0 : 5.0));
    for (Index f = 1; f < row.size(); ++f) row[f] = random.normal() + 0.3 * group;
  };
}

/// Values from 0 to 10, values 0 and 1, and so on.
void draw_discrete(Random& random, int group, Eigen::Ref<Eigen::RowVectorXd> row) {
  for (Index f = 0; f < row.size(); ++f) {
    row[f] = 0.0;
    for (int i = 0; i < (f % 2 == 0 ? 10 : 1); ++i) {
      row[f] += random.uniform() < 0.3 + 0.15 * group ? 1.0 : 0.0;
    }
  }
}

void draw_ring(Random& random, int group, Eigen::Ref<Eigen::RowVectorXd> row) {
  for (double& value : row) value = random.normal();
  if (group == 0) return;
  const double angle = 2.0 * std::numbers::pi * random.uniform();
  row *= 0.15;
  row[0] += 2.0 * std::cos(angle);
  row[1] += 2.0 * std::sin(angle);
}

TEST(Verdict, WarnsInFivePercentOfFitsToCleanDataAtMost) {
  constexpr int n_fits = 12;
  const std::vector<Setting> settings = {
      {"repair, equal groups", repair(10), 2, 4, 200, 150, draw_normal},
      {"repair, three equal groups", repair(10), 3, 2, 150, 100, draw_normal},
      {"repair, few samples fitted", repair(10), 2, 3, 100, 300, draw_normal},
      {"repair, one feature", repair(10), 2, 1, 100, 100, draw_shifted},
      {"equal groups, k = 3", of_components(3), 2, 2, 200, 150, draw_normal},
      {"shifted groups, k = 3", of_components(3), 2, 2, 200, 150, draw_shifted},
      {"clusters of other masses, k = 3", of_components(3), 2, 2, 200, 150, clusters(0.2)},
      {"dithered discrete features", dithered_repair(), 2, 3, 200, 150, draw_discrete},
      {"equal groups, d = 10", of_components(1), 2, 10, 200, 100, draw_normal},
      {"matched clusters", of_the_paper(3), 2, 2, 150, 100, clusters(0.4)},
  };
  int n_warned = 0;
  for (const Setting& setting : settings) {
    const int own = n_warned_of(setting, n_fits);
    EXPECT_LE(own, 2) << setting.name;
    n_warned += own;
  }
  EXPECT_LE(n_warned, std::ssize(settings) * n_fits / 20);
}

TEST(Verdict, WarnsOfWrongModelsInAlmostEveryFit) {
  constexpr int n_fits = 10;
  const std::vector<Setting> settings = {
      {"one Gaussian for a ring", of_components(1), 2, 2, 300, 200, draw_ring},
      {"affine repair of a ring", repair(0), 2, 2, 300, 200, draw_ring},
      {"matched clusters of other masses", of_the_paper(3), 2, 2, 300, 200, clusters(0.1)},
      {"affine repair of discrete features", repair(0), 2, 3, 1500, 800, draw_discrete},
      {"too many components", of_components(12), 2, 4, 150, 100, draw_shifted},
  };
  int n_warned = 0;
  for (const Setting& setting : settings) {
    const int own = n_warned_of(setting, n_fits);
    EXPECT_GE(own, n_fits - 1) << setting.name;
    n_warned += own;
  }
  EXPECT_GE(20 * n_warned, 19 * n_fits * std::ssize(settings));
}

}  // namespace
}  // namespace lbw
