// SPDX-License-Identifier: MIT
#include "report/verdict.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/models.hpp"

namespace lbw {
namespace {

/// A model and its report without problems.
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
    for (GroupReport& fit : model.reports) fit.n_samples = 1000;
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
        carry.after_limit = 0.1;
      }
      carry.n_target_samples = 100;
      carry.target_log_likelihood_deviation = 1.0;
      report.carries.push_back(carry);
    }
    const PermutationNull by_chance{199, 0.5, 0.54, 0.4};
    report.separations.push_back({"a",
                                  "b",
                                  {1.2, null},
                                  {0.06, null},
                                  {0.9, 14, by_chance},
                                  {0.52, 14, by_chance},
                                  0.1,
                                  0.54});
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

TEST(Verdict, FindsNoProblemsInAGoodModel) {
  const Case made;
  const std::vector<Finding> findings = made.verdict();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_FALSE(findings[0].warning);
  EXPECT_EQ(findings[0].text, "No problems found.");
}

TEST(Verdict, DescribesHeldOutSamples) {
  Case made;
  made.hold_out();
  const std::vector<Finding> findings = made.verdict();
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].text,
            "Transported samples agree with their targets: those of 'a' are 0.06 from those of 'b' "
            "(sliced distance; 1.2 before), and sampling noise explains up to 0.1.");
  EXPECT_EQ(findings[1].text,
            "At the barycenter, a classifier separates 'a' from 'b' with an AUC of 0.52 (0.9 "
            "before), where sampling noise explains up to 0.54.");
  EXPECT_EQ(findings[2].text, "No problems found.");
}

TEST(Verdict, SaysThatSamplesOfASingleGroupWereNotCompared) {
  Case made;
  made.hold_out();
  std::erase_if(made.report.carries,
                [](const CarryReport& carry) { return carry.from != "a" || !carry.to.empty(); });
  made.report.separations.clear();
  const std::vector<Finding> findings = made.verdict();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].text,
            "The samples belong to a single group, so transported samples were not compared with "
            "those of another group.");
  EXPECT_EQ(findings[1].text, "No problems found.");
}

TEST(Verdict, WarnsOfAFitThatHasNotConverged) {
  Case made;
  made.model.reports[1].converged = false;
  made.model.reports[1].iterations = 100;
  expect_warning(made,
                 "The fit of 'b' did not converge in 100 iterations: increase max_iterations "
                 "(100) or tolerance (0.001).");
}

TEST(Verdict, WarnsOfComponentsOnFewSamples) {
  Case made;
  made.report.components[1].n_samples = 6.25;
  made.report.components[2].n_samples = 9.0;
  expect_warning(made,
                 "2 of 4 components have fewer than 10 samples; component 1 of 'a' has 6.25. Use "
                 "fewer components, or set shrinkage to auto.");
}

TEST(Verdict, WarnsOfNearSingularCovariances) {
  Case made;
  made.report.components[3].condition = 2e6;
  expect_warning(
      made,
      "The covariance of component 1 of 'b' has condition number 2e+06: it has a direction of "
      "almost no variance, or features of very different units. Standardize the features, or "
      "increase relative_covariance_floor (0).");
}

TEST(Verdict, WarnsOfMassThatAMatchingMisplaces) {
  Case made;
  made.report.pairs[0].matching->misplaced_mass = 0.12;
  made.report.pairs[0].matching->remaining_distance = 0.7;
  expect_warning(made,
                 "The matching moves 12 % of the mass of 'a' to where 'b' has none, which leaves a "
                 "distance of up to 0.7 of 1.5, even if the mixtures fit perfectly. A plan has no "
                 "such error: set coupling to plan and map to random.");
  made.report.pairs[0].matching->is_coupling = false;  // the best matching for a plan
  EXPECT_FALSE(made.verdict()[0].warning);
}

// the weights of 100 samples differ as much by sampling noise
TEST(Verdict, DoesNotWarnOfMassThatNoiseMisplaces) {
  Case made;
  made.report.pairs[0].matching->misplaced_mass = 0.12;
  for (Mixture& mixture : made.model.mixtures) mixture.weights.setConstant(0.5);
  EXPECT_TRUE(made.verdict()[0].warning);
  for (GroupReport& fit : made.model.reports) fit.n_samples = 100;
  EXPECT_FALSE(made.verdict()[0].warning);
}

// for mixtures that were coupled without a fit
TEST(Verdict, IsSilentAboutFitsThatWereNotRun) {
  Case made;
  made.hold_out();
  for (GroupReport& fit : made.model.reports) fit = {.converged = true};
  for (ComponentReport& component : made.report.components) component.n_samples = 0.0;
  EXPECT_FALSE(made.verdict()[0].warning);
}

TEST(Verdict, ReportsAnAmbiguousMatching) {
  Case made;
  made.report.pairs[0].matching->gap = 0.01;
  const std::vector<Finding> findings = made.verdict();
  EXPECT_FALSE(findings[0].warning);
  EXPECT_EQ(findings[0].text,
            "Two matchings of the components of 'a' and 'b' cost nearly the same: the second best "
            "costs 0.01 more, 0.5 % of the average cost of a pair. The choice is clearer with "
            "coupling=plan, cost=bures or fewer components.");
}

TEST(Verdict, ReportsTwoMatchingsOfEqualCostAsAmbiguous) {
  Case made;
  made.report.pairs[0].matching->gap = 0.0;
  EXPECT_EQ(made.verdict()[0].text.find("Two matchings of the components of 'a' and 'b' cost "
                                        "nearly the same: the second best costs 0 more, 0 % of"),
            0U)
      << made.verdict()[0].text;
}

TEST(Verdict, ReportsAMatchingThatIsNotTheBest) {
  Case made;
  made.report.pairs[0].matching->gap = -0.5;
  EXPECT_EQ(made.verdict()[0].text,
            "Matched through the reference 'a', the components of 'a' and 'b' are not matched "
            "optimally: another matching costs 0.5 less than the current cost of 4. To couple "
            "all groups at once, set coupling to multimarginal.");
}

TEST(Verdict, OneComponentIsNotAmbiguous) {
  Case made;
  made.report.pairs[0].matching->gap = std::numeric_limits<double>::infinity();
  EXPECT_EQ(made.verdict()[0].text, "No problems found.");
}

TEST(Verdict, WarnsOfLargeDisplacements) {
  Case made;
  made.hold_out();
  made.report.carries[2].displacement = {100, 124.0, 1800.0, 4.0, 9.0};
  made.report.components[0].condition = 1e9;  // the cause follows the effect
  expect_warning(
      made,
      "Samples of 'a' are moved too far in the transport to the barycenter: the root mean square "
      "displacement is 124 and the largest 1.8e+03, where 4 and 9 would be in proportion to the "
      "distance and spread of the groups. The cause "
      "is components with almost no variance in some direction: increase "
      "relative_covariance_floor (0) or covariance_floor (1e-06), set shrinkage to auto, or use "
      "fewer than 2 components. The distance of the mixtures is 1.5.");
}

TEST(Verdict, WarnsOfOverfitting) {
  Case made;
  made.hold_out();
  made.report.carries[0].target_log_likelihood = -1.9;
  made.report.carries[0].log_likelihood = -2.0;
  expect_warning(made,
                 "The mixture of 'b' fits its own samples better than new ones: the mean "
                 "log-likelihood is -1 in the fit and -1.9 on held-out samples. Use fewer "
                 "components, or set shrinkage to auto.");
  // noise explains this for few samples whose likelihoods vary much
  made.report.carries[0].target_log_likelihood_deviation = 3.0;
  EXPECT_FALSE(made.verdict()[0].warning);
}

TEST(Verdict, WarnsOfSamplesThatMissTheirTarget) {
  Case made;
  made.hold_out();
  made.report.carries[1].after->distance = 0.5;
  expect_warning(made,
                 "Transported samples of 'b' are 0.5 from those of 'a' (sliced distance; 1.2 "
                 "before), where sampling noise explains up to 0.1. Try coupling=plan, map=random "
                 "or more components.");
  // most of the distance is removed: reported without a warning
  made.report.carries[1].after->distance = 0.2;
  EXPECT_FALSE(made.verdict()[0].warning);
  EXPECT_EQ(made.verdict()[0].text,
            "Transported samples of 'b' are 0.2 from those of 'a' (sliced distance; 1.2 before), "
            "where sampling noise explains up to 0.1.");
  // another group exceeds its limit by more, but most of its distance is removed
  made.report.carries[0].after->distance = 0.29;
  made.report.carries[1].after->distance = 0.15;
  made.report.carries[1].before->distance = 0.3;
  EXPECT_TRUE(made.verdict()[0].warning);
}

TEST(Verdict, WarnsOfSamplesThatAreUnlikelyInTheirTarget) {
  Case made;
  made.hold_out();
  made.report.carries[3].log_likelihood = -8.0;
  expect_warning(made,
                 "Transported samples of 'b' are unlikely under the barycenter: their mean "
                 "log-likelihood is -8, that of its own samples -1. Some are moved to where it has "
                 "no mass: try coupling=plan, map=random or more components.");
  made.report.carries[3].log_likelihood = -1.8;  // noise explains 0.40 in addition to the 0.5
  EXPECT_FALSE(made.verdict()[0].warning);
  made.report.carries[3].log_likelihood = -2.0;
  EXPECT_TRUE(made.verdict()[0].warning);
}

TEST(Verdict, WarnsOfGroupsThatCanStillBeSeparated) {
  Case made;
  made.hold_out();
  made.report.separations[0].after.auc = 0.7;
  made.model.coupling.method = CouplingMethod::plan;
  made.model.map = MapKind::random;
  const std::string figures =
      "At the barycenter, a classifier separates 'a' from 'b' with an AUC of 0.7 (0.9 before), "
      "where sampling noise explains up to 0.54. ";
  expect_warning(
      made,
      figures +
          "To reduce the difference, try some refinement steps (refine), or more components.");
  // too many components for the samples, so no more are recommended
  made.report.components[0].n_samples = 3.0;
  made.model.refinement.steps.emplace_back();
  EXPECT_EQ(
      made.verdict()[1].text,
      figures +
          "To reduce the difference, try more refinement steps (refine), or fewer components.");
}

TEST(Verdict, AdvisesDitherWhereGroupsDifferOnTheFinestScale) {
  Case made;
  made.hold_out();
  made.report.separations[0].after.auc = 0.9;
  made.report.separations[0].after.n_neighbors = 5;
  const std::string figures =
      "At the barycenter, a classifier separates 'a' from 'b' with an AUC of 0.9 (0.9 before), "
      "where sampling noise explains up to 0.54. ";
  expect_warning(made, figures +
                           "The groups differ on a fine scale, for example because discrete values "
                           "are moved to different places in each group: set dither to auto.");
  made.model.dither = Vector::Ones(2);  // already used
  expect_warning(made, figures +
                           "To reduce the difference, try some refinement steps (refine), or "
                           "coupling=plan, map=random or more components.");
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
