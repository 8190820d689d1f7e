// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/fit_transport.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

const std::vector<int> candidate_numbers{1, 2, 3, 4, 5};

RowMatrix clusters(Index n_components, std::uint64_t seed) {
  return sample(random_mixture({.n_components = n_components, .spread = 30.0, .seed = seed}), 800,
                1)
      .samples;
}

TEST(SelectComponentsPerGroup, LetsEveryGroupChooseAsItWouldAlone) {
  const RowMatrix two = clusters(2, 4);
  const RowMatrix four = clusters(4, 2);
  const std::vector<Group> groups{{"two", two}, {"four", four}};
  for (const Criterion criterion : {Criterion::bic, Criterion::heldout}) {
    SelectionOptions options;
    options.criterion = criterion;
    options.mixture.n_init = 3;
    const GroupSelections selections =
        select_components_per_group(groups, candidate_numbers, options);
    ASSERT_EQ(selections.groups.size(), 2U);
    for (std::size_t g = 0; g < 2; ++g) {
      const SelectionResult alone =
          select_components(groups[g].samples, candidate_numbers, options);
      EXPECT_EQ(selections.groups[g].n_components, alone.n_components);
      EXPECT_EQ(selections.groups[g].fit.mixture.means, alone.fit.mixture.means);
      EXPECT_EQ(selections.n_components[g], alone.n_components);
    }
    if (criterion == Criterion::heldout) continue;
    EXPECT_EQ(selections.n_components, (std::vector<int>{2, 4}));
  }
}

TEST(SelectComponentsPerGroup, GivesNumbersThatATransportTakes) {
  const RowMatrix two = clusters(2, 4);
  const RowMatrix four = clusters(4, 2);
  const std::vector<Group> groups{{"two", two}, {"four", four}};
  SelectionOptions selection;
  selection.criterion = Criterion::bic;
  TransportOptions options;
  options.n_components_per_group =
      select_components_per_group(groups, candidate_numbers, selection).n_components;
  options.coupling = CouplingMethod::plan;
  const TransportModel model = fit_transport(groups, options);
  EXPECT_EQ(model.mixtures[0].n_components(), options.n_components_per_group[0]);
  EXPECT_EQ(model.mixtures[1].n_components(), options.n_components_per_group[1]);
}

TEST(SelectComponentsPerGroup, NamesTheGroupThatIsBad) {
  const RowMatrix good = clusters(2, 4);
  const RowMatrix few{{0.0, 1.0}, {1.0, 0.0}};
  expect_error<InvalidArgument>(
      [] { (void)select_components_per_group({}, candidate_numbers); },
      "select_components_per_group: groups is empty, expected one or more");
  expect_error<InvalidArgument>(
      [&] {
        (void)select_components_per_group(std::vector<Group>{{"good", good}, {"few", few}},
                                          candidate_numbers);
      },
      "group 'few': fit_mixture: n_components = 3 exceeds the number of samples (2). Reduce "
      "n_components or provide more samples");
  const std::vector<double> weights{1.0, -1.0};
  expect_error<InvalidArgument>(
      [&] {
        (void)select_components_per_group(std::vector<Group>{{"few", few, weights}},
                                          candidate_numbers);
      },
      "group 'few': select_components: sample_weights[1] is -1, expected a finite number >= 0");
}

}  // namespace
}  // namespace lbw
