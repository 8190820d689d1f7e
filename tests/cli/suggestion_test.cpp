// SPDX-License-Identifier: MIT
// Misspelt commands, options and groups are answered with what was probably meant.
#include <gtest/gtest.h>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

TEST(CliSuggestion, NamesTheNearestCommand) {
  const Workbench bench;
  const std::string known =
      ", expected fit, transport, barycenter, select, inspect, morph or options";
  expect_refused(
      bench,
      {{{"fti"}, 2, "unknown command 'fti'" + known + "; did you mean 'fit'?"},
       {{"Transprot"}, 2, "unknown command 'Transprot'" + known + "; did you mean 'transport'?"},
       {{"draw"}, 2, "unknown command 'draw'" + known}});
}

TEST(CliSuggestion, NamesTheNearestOption) {
  const Workbench bench;
  expect_refused(
      bench, {{{"fit", "A.csv", "B.csv", "-o", "m", "--component", "3"},
               2,
               "unknown option '--component'; did you mean '--components'?"},
              {{"fit", "A.csv", "B.csv", "-o", "m", "--componets=3"},
               2,
               "unknown option '--componets=3'; did you mean '--components'?"},
              {{"fit", "A.csv", "B.csv", "-o", "m", "--wibble"}, 2, "unknown option '--wibble'"}});
}

TEST(CliSuggestion, NamesTheNearestGroup) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "north=A.csv", "south=B.csv", "-k", "1", "-o", "m"}).exit_code, 0);
  const std::string known = "one of the groups of the model: 'north', 'south'";
  expect_refused(bench, {{{"transport", "m", "A.csv", "--from", "North", "--to", "south"},
                          1,
                          "--from is 'North', expected " + known + "; did you mean 'north'?"},
                         {{"transport", "m", "A.csv", "--from", "north", "--to", "barycentre"},
                          1,
                          "--to is 'barycentre', expected barycenter or " + known +
                              "; did you mean 'barycenter'?"},
                         {{"transport", "m", "A.csv", "--from", "west", "--to", "south"},
                          1,
                          "--from is 'west', expected " + known}});
}

}  // namespace
}  // namespace lbw
