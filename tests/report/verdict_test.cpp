// SPDX-License-Identifier: MIT
#include "report/verdict.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/models.hpp"

namespace lbw {
namespace {

/// A model and a report of it in which nothing is wrong.
struct Case {
  TransportModel model = random_model({.n_components = 2});
  Report report;

  Case() {
    for (const char* group : {"a", "b"}) {
      for (int i = 0; i < 2; ++i) report.components.push_back({group, i, 0.5, 50.0, 3.0});
    }
    MatchingReport matching;
    matching.is_coupling = true;
    matching.matching = Labels::LinSpaced(2, 0, 1);
    matching.misplaced_mass = 0.01;
    matching.cost = 2.0;
    matching.total = 4.0;
    matching.gap = 1.0;
    report.pairs.push_back({"a", "b", 1.5, 1.9, 2.0, matching});
  }

  void hold_out() {
    const PermutationNull null{199, 0.05, 0.1, 0.4};
    for (const auto& [from, to] : {std::pair{"a", "b"}, {"b", "a"}, {"a", ""}, {"b", ""}}) {
      CarryReport carry;
      carry.from = from;
      carry.to = to;
      carry.mixture_distance = 1.5;
      carry.displacement = {100, 1.4, 3.0, 4.0, 9.0};
      carry.log_likelihood = -1.1;
      carry.target_log_likelihood = -1.0;
      if (!carry.to.empty()) {
        carry.before = SlicedDistance{1.2, null};
        carry.after = SlicedDistance{0.06, null};
      }
      report.carries.push_back(carry);
    }
    const PermutationNull by_chance{199, 0.5, 0.54, 0.4};
    report.separations.push_back(
        {"a", "b", {1.2, null}, {0.06, null}, {0.9, 14, by_chance}, {0.52, 14, by_chance}});
  }

  [[nodiscard]] std::vector<Finding> verdict() const { return verdict_of(model, report); }
};

/// The first sentence is this warning.
void expect_warning(const Case& made, const std::string& text) {
  const std::vector<Finding> findings = made.verdict();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].text, text);
  EXPECT_TRUE(findings[0].warning);
}

TEST(Verdict, PraisesAModelWithoutFault) {
  const Case made;
  const std::vector<Finding> findings = made.verdict();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_FALSE(findings[0].warning);
  EXPECT_EQ(findings[0].text, "Nothing to object to in the model.");
}

TEST(Verdict, TellsWhatHeldOutSamplesShow) {
  Case made;
  made.hold_out();
  const std::vector<Finding> findings = made.verdict();
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].text,
            "Carried samples lie on their targets, as far as can be told: those of 'a' are 0.06 "
            "from those of 'b' (sliced distance; 1.2 before), where chance gives up to 0.1.");
  EXPECT_EQ(findings[1].text,
            "At the barycenter a classifier tells 'a' from 'b' with an AUC of 0.52 (0.9 before; "
            "chance gives up to 0.54): no better than chance.");
  EXPECT_EQ(findings[2].text,
            "Nothing to object to in the model and in what it does to the held-out samples.");
}

TEST(Verdict, WarnsOfAFitThatHasNotConverged) {
  Case made;
  made.model.reports[1].converged = false;
  made.model.reports[1].iterations = 100;
  expect_warning(made,
                 "The fit of 'b' has not converged after 100 iterations: raise max_iterations "
                 "(100) or tolerance (0.001).");
}

TEST(Verdict, WarnsOfComponentsOnFewSamples) {
  Case made;
  made.report.components[1].n_samples = 6.25;
  made.report.components[2].n_samples = 9.0;
  expect_warning(made,
                 "2 of 4 components rest on fewer than 10 samples, component 1 of 'a' on 6.25: use "
                 "fewer components, or shrinkage.");
}

TEST(Verdict, WarnsOfNearSingularCovariances) {
  Case made;
  made.report.components[3].condition = 2e6;
  expect_warning(
      made,
      "Component 1 of 'b' has a covariance of condition 2e+06: a direction of next to no "
      "variance, or features of very different units. Standardize the features, or "
      "raise relative_covariance_floor (0).");
}

TEST(Verdict, WarnsOfMassThatAMatchingMisplaces) {
  Case made;
  made.report.pairs[0].matching->misplaced_mass = 0.12;
  made.report.pairs[0].matching->remaining_distance = 0.7;
  expect_warning(
      made,
      "The matching takes 12 % of the mass of 'a' elsewhere than 'b' has it, which leaves "
      "a distance of up to 0.7 of 1.5 even between mixtures that fit perfectly; a plan "
      "leaves none: use coupling plan, and map random.");
  made.report.pairs[0].matching->is_coupling = false;  // of a plan: what a matching would do
  EXPECT_FALSE(made.verdict()[0].warning);
}

TEST(Verdict, TellsOfATossUp) {
  Case made;
  made.report.pairs[0].matching->gap = 0.01;
  const std::vector<Finding> findings = made.verdict();
  EXPECT_FALSE(findings[0].warning);
  EXPECT_EQ(findings[0].text,
            "Which components of 'a' and 'b' belong together is all but a toss-up: another "
            "matching costs 0.01 more, 0.5 % of what a pair costs. Coupling plan, cost bures or "
            "fewer components decide more clearly.");
}

TEST(Verdict, TellsOfAMatchingThatIsNotTheBest) {
  Case made;
  made.report.pairs[0].matching->gap = -0.5;
  EXPECT_EQ(made.verdict()[0].text,
            "Matched by way of 'a', the components of 'a' and 'b' are not matched best: another "
            "matching costs 0.5 less of 4. Coupling multimarginal looks at all groups at once.");
}

TEST(Verdict, OneComponentIsNoTossUp) {
  Case made;
  made.report.pairs[0].matching->gap = std::numeric_limits<double>::infinity();
  EXPECT_EQ(made.verdict()[0].text, "Nothing to object to in the model.");
}

TEST(Verdict, WarnsOfPointsThrownAway) {
  Case made;
  made.hold_out();
  made.report.carries[2].displacement = {100, 124.0, 1800.0, 4.0, 9.0};
  made.report.components[0].condition = 1e9;  // the cause comes after what it does
  expect_warning(made,
                 "Samples of 'a' are thrown away on their way to the barycenter: they move by 124 "
                 "in the root mean square and by 1.8e+03 at most, where 4 and 9 would be in "
                 "proportion. Components with directions of next to no variance do that: raise "
                 "relative_covariance_floor (0) or covariance_floor (1e-06), set shrinkage, or use "
                 "fewer components than 2. The mixtures are 1.5 apart.");
}

TEST(Verdict, WarnsOfAMixtureThatKnowsItsOwnSamplesOnly) {
  Case made;
  made.hold_out();
  made.report.carries[0].target_log_likelihood = -1.9;
  made.report.carries[0].log_likelihood = -2.0;
  expect_warning(made,
                 "The mixture of 'b' knows its own samples better than new ones: mean "
                 "log-likelihood -1 in the fit, -1.9 of held-out samples. Use fewer components, or "
                 "shrinkage.");
}

TEST(Verdict, WarnsOfSamplesThatMissTheirTarget) {
  Case made;
  made.hold_out();
  made.report.carries[1].after->distance = 0.5;
  expect_warning(made,
                 "Carried samples of 'b' are 0.5 from those of 'a' (sliced distance; 1.2 before), "
                 "where chance gives up to 0.1. Try coupling plan, map random or more "
                 "components.");
  // most of the way is done: told, not warned of
  made.report.carries[1].after->distance = 0.2;
  EXPECT_FALSE(made.verdict()[0].warning);
  EXPECT_EQ(made.verdict()[0].text,
            "Carried samples of 'b' are 0.2 from those of 'a' (sliced distance; 1.2 before), where "
            "chance gives up to 0.1.");
}

TEST(Verdict, WarnsOfSamplesThatAreUnlikelyInTheirTarget) {
  Case made;
  made.hold_out();
  made.report.carries[3].log_likelihood = -8.0;
  expect_warning(made,
                 "Carried samples of 'b' are not what the barycenter is made of: mean "
                 "log-likelihood -8 under its mixture, where its own have -1. Some land where it "
                 "has nothing: try coupling plan, map random or more components.");
}

TEST(Verdict, WarnsOfGroupsThatCanStillBeToldApart) {
  Case made;
  made.hold_out();
  made.report.separations[0].after.auc = 0.7;
  made.model.coupling.method = CouplingMethod::plan;
  made.model.map = MapKind::random;
  const std::string figures =
      "At the barycenter a classifier tells 'a' from 'b' with an AUC of 0.7 (0.9 before; chance "
      "gives up to 0.54). ";
  expect_warning(made, figures + "To bring groups closer, try refine, or more components.");
  // too many for their samples: no more of them are advised
  made.report.components[0].n_samples = 3.0;
  made.model.refinement.steps.emplace_back();
  EXPECT_EQ(made.verdict()[1].text,
            figures + "To bring groups closer, try more steps of refine, or fewer components.");
}

TEST(Verdict, PutsWarningsFirst) {
  Case made;
  made.report.pairs[0].matching->gap = 0.01;
  made.model.reports[0].converged = false;
  made.report.components[0].condition = 1e9;
  const std::vector<Finding> findings = made.verdict();
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_TRUE(findings[0].warning);
  EXPECT_TRUE(findings[1].warning);
  EXPECT_FALSE(findings[2].warning);
}

}  // namespace
}  // namespace lbw
