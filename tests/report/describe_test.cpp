// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/report.hpp>
#include <limits>

namespace lbw {
namespace {

Report made_report() {
  Report report;
  report.components = {{"north", 0, 0.25, 75.0, 12.345}, {"north", 1, 0.75, 225.0, 1e7}};
  MatchingReport matching;
  matching.misplaced_mass = 0.125;
  matching.remaining_distance = 0.75;
  matching.cost = 2.5;
  matching.gap = std::numeric_limits<double>::infinity();
  report.pairs = {{"north", "south", 1.5, 2.0, 2.25, matching},
                  {"north", "west", 3.0, 9.0, 9.0, std::nullopt}};
  report.verdict = {{true, "Bad."}, {false, "Good."}};
  return report;
}

TEST(Describe, ShowsTablesAndVerdict) {
  EXPECT_EQ(
      describe(made_report()),
      "group  component  mass  n_samples  condition\n"
      "north          0  0.25         75       12.3\n"
      "north          1  0.75        225      1e+07\n"
      "\n"
      "first  second  mixture_distance  coupling_cost  plan_cost  matching_cost  misplaced_mass  "
      "remaining_distance  runner_up_gap\n"
      "north  south                1.5           2.25          2            2.5           0.125  "
      "              0.75           none\n"
      "north  west                   3              9          9           none            none  "
      "              none           none\n"
      "\n"
      "verdict\n"
      "  ! Bad.\n"
      "  - Good.\n");
}

TEST(Describe, ShowsHeldOutSamples) {
  Report report = made_report();
  const PermutationNull null{99, 0.04, 0.07, 0.3};
  CarryReport carry;
  carry.from = "north";
  carry.to = "south";
  carry.mixture_distance = 1.5;
  carry.displacement = {100, 1.4, 3.25, 4.0, 9.0};
  carry.log_likelihood = -2.5;
  carry.target_log_likelihood = -2.25;
  carry.before = SlicedDistance{1.2, null};
  carry.after = SlicedDistance{0.06, null};
  carry.after_limit = 0.11;
  report.carries = {carry};
  carry.to = "";
  carry.before = carry.after = std::nullopt;
  carry.after_limit = std::nullopt;
  report.carries.push_back(carry);
  report.separations = {
      {"north", "south", {1.2, null}, {0.06, null}, {0.9, 14, null}, {0.52, 14, null}, 0.12, 0.58}};
  const std::string text = describe(report, 1);
  EXPECT_NE(text.find("\n\nfrom   to            mixture_distance  rms_displacement  "
                      "largest_displacement  log_likelihood  target_log_likelihood  "
                      "sliced_before  sliced_after  sliced_after_limit\n"
                      "north  south                      1.5               1.4  "
                      "                3.25            -2.5                  -2.25  "
                      "          1.2          0.06                0.11\n"
                      "... and 1 more\n\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("first  second  auc_before  auc_after  auc_after_limit  sliced_before  "
                      "sliced_after  sliced_after_limit\n"
                      "north  south          0.9       0.52             0.58            1.2  "
                      "        0.06                0.12\n"),
            std::string::npos)
      << text;
  EXPECT_NE(describe(report).find("\nnorth  (barycenter)"), std::string::npos);
}

}  // namespace
}  // namespace lbw
