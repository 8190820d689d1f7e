// SPDX-License-Identifier: MIT
// lbw transport keeps the columns of a table that are not features.
#include <gtest/gtest.h>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

class CliOtherColumns : public testing::Test {
 protected:
  CliOtherColumns() {
    bench_.fit_model();
    bench_.write("people.csv", "name,y,born,x,site\n\"Doe, J\",2,1990-01-31,1,A\nRoe,1,,3,B\n");
  }

  [[nodiscard]] std::string transported(std::vector<std::string> options) const {
    options.insert(options.begin(),
                   {"transport", "model.safetensors", "people.csv", "--amount", "0", "--to", "B"});
    const ProgramResult result = bench_.lbw(options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  Workbench bench_;
};

TEST_F(CliOtherColumns, StayInTheirPlaces) {
  EXPECT_EQ(transported({"--group-column", "site"}),
            "name,y,born,x,site\n\"Doe, J\",2,1990-01-31,1,A\nRoe,1,,3,B\n");
  EXPECT_EQ(transported({"--from", "A"}),
            "name,y,born,x,site\n\"Doe, J\",2,1990-01-31,1,A\nRoe,1,,3,B\n");
}

TEST_F(CliOtherColumns, AreDroppedByKeepNone) {
  EXPECT_EQ(transported({"--group-column", "site", "--keep", "none"}), "x,y,site\n1,2,A\n3,1,B\n");
  EXPECT_EQ(transported({"--from", "A", "--keep", "none"}), "x,y\n1,2\n3,1\n");
}

TEST_F(CliOtherColumns, ArePartOfJson) {
  const nlohmann::json json = nlohmann::json::parse(transported({"--from", "A", "--json"}));
  EXPECT_EQ(json["feature_names"], (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(json["other_columns"]["born"], (std::vector<std::string>{"1990-01-31", ""}));
  EXPECT_EQ(json["other_columns"].size(), 3U);
}

TEST_F(CliOtherColumns, IncludeTheKey) {
  EXPECT_EQ(transported({"--from", "A", "--key", "name"}),
            "name,y,born,x,site\n\"Doe, J\",2,1990-01-31,1,A\nRoe,1,,3,B\n");
}

TEST_F(CliOtherColumns, DoNotHideAMissingFeature) {
  bench_.write("lacking.csv", "name,x\nDoe,1\n");
  const ProgramResult result =
      bench_.lbw({"transport", "model.safetensors", "lacking.csv", "--from", "A", "--to", "B"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "lbw transport: lacking.csv does not have the column 'y' of the model among its "
            "feature columns 'x', 'name'\n");
}

}  // namespace
}  // namespace lbw
