// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/refined_groups.hpp"

namespace lbw {
namespace {

TransportOptions keeping(int refine) {
  TransportOptions options;
  options.small_groups = SmallGroups::keep;
  options.refine = refine;
  return options;
}

const std::vector<double> thirds(3, 1.0 / 3.0);

/// Two groups and a single sample far away.
struct WithSingle {
  RowMatrix a = normals(300, 2, 1);
  RowMatrix b = (2.0 * normals(200, 2, 2)).array() + 1.0;
  RowMatrix single = RowMatrix::Constant(1, 2, 50.0);

  [[nodiscard]] std::vector<Group> pair() const { return {{"a", a}, {"b", b}}; }
  [[nodiscard]] std::vector<Group> all() const { return {{"s", single}, {"a", a}, {"b", b}}; }
};

TEST(SmallGroups, HaveNames) {
  for (const SmallGroups choice : {SmallGroups::error, SmallGroups::keep}) {
    EXPECT_EQ(enum_from<SmallGroups>(to_string(choice)), choice);
  }
  expect_error<InvalidArgument>([] { (void)enum_from<SmallGroups>("drop"); },
                                "small_groups: 'drop' is unknown, expected 'error' or 'keep'");
}

TEST(SmallGroups, AreRefusedByDefault) {
  const WithSingle data;
  const char* expected =
      "fit_transport: group 's' has 1 sample, expected 2 or more: the spread of one sample is "
      "unknown; merge the group with another, remove it, or set small_groups to keep";
  expect_error<InvalidArgument>([&] { (void)fit_transport(data.all(), {}); }, expected);
  std::vector<Group> groups = data.all();
  const std::vector<double> half = {0.5};
  groups[0].sample_weights = half;
  expect_error<InvalidArgument>(
      [&] { (void)fit_transport(groups, {}); },
      "fit_transport: group 's' has 1 sample with a weight above 0, expected 2 or more: the spread "
      "of one sample is unknown; merge the group with another, remove it, or set small_groups to "
      "keep");
  const std::vector<double> two = {2.0};  // counts as the sample twice
  groups[0].sample_weights = two;
  EXPECT_NO_THROW((void)fit_transport(groups, {}));
}

TEST(SmallGroups, AreNotMovedAndDoNotAffectTheOthers) {
  const WithSingle data;
  for (const int refine : {0, 3}) {
    const TransportModel pair = fit_transport(data.pair(), keeping(refine));
    const TransportModel all = fit_transport(data.all(), keeping(refine));
    EXPECT_EQ(all.kept_groups, std::vector<std::string>{"s"});
    EXPECT_EQ(pair.kept_groups, std::vector<std::string>{});
    const RowMatrix fresh = 40.0 * normals(20, 2, 3);
    EXPECT_EQ(transport(map_to_barycenter(all, "s", thirds), fresh), fresh);
    for (const char* name : {"a", "b"}) {
      const RowMatrix expected = transport(map_to_barycenter(pair, name, halves), data.a);
      const RowMatrix moved = transport(map_to_barycenter(all, name, thirds), data.a);
      EXPECT_LT((moved - expected).cwiseAbs().maxCoeff(), 1e-10) << name << refine;
    }
  }
}

TEST(SmallGroups, AreKeptInFiles) {
  const WithSingle data;
  const TransportModel model = fit_transport(data.all(), keeping(2));
  const TransportModel read = model_from_bytes(model_to_bytes(model), "model");
  EXPECT_EQ(read.kept_groups, model.kept_groups);
  EXPECT_EQ(model_to_bytes(read), model_to_bytes(model));
  EXPECT_EQ(transport(map_to_barycenter(read, "a", thirds), data.a),
            transport(map_to_barycenter(model, "a", thirds), data.a));
}

TEST(SmallGroups, HaveNoMapsToOthersAndNoWeight) {
  const WithSingle data;
  const TransportModel model = fit_transport(data.all(), keeping(0));
  const char* expected =
      "map_between: group 's' was too small to fit, so it has no maps to other groups";
  expect_error<InvalidArgument>([&] { (void)map_between(model, "s", "a"); }, expected);
  expect_error<InvalidArgument>([&] { (void)map_between(model, "a", "s"); }, expected);
  expect_error<InvalidArgument>(
      [&] {
        (void)barycenter(model, std::vector<double>{1.0, 0.0, 0.0});
      },
      "barycenter: barycentric_weights are 0 for all groups except those too small to fit ('s'); "
      "set a positive weight for another group");
}

TEST(SmallGroups, NeedTwoOthers) {
  const RowMatrix one = RowMatrix::Zero(1, 2);
  const RowMatrix many = normals(30, 2, 4);
  const std::vector<Group> groups = {{"a", one}, {"b", many}};
  expect_error<InvalidArgument>(
      [&] { (void)fit_transport(groups, keeping(0)); },
      "fit_transport: 1 group has 2 samples or more, expected at least 2 such groups");
}

TEST(SmallGroups, OfAModelAreChecked) {
  const WithSingle data;
  const TransportModel fitted = fit_transport(data.all(), keeping(0));
  const auto refused = [&](std::vector<std::string> kept, const char* expected_message) {
    TransportModel model = fitted;
    model.kept_groups = std::move(kept);
    expect_error<InvalidArgument>([&] { check_model(model, "f"); }, expected_message);
  };
  refused({"x"}, "f: kept group 'x' is not in the model, expected one of 's', 'a', 'b'");
  refused({"s", "s"}, "f: group 's' is listed twice in kept_groups");
  refused({"s", "a", "b"},
          "f: all groups of the model are kept, expected at least one fitted group");
}

}  // namespace
}  // namespace lbw
