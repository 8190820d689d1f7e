// SPDX-License-Identifier: MIT
// The groups of a table, and messages of the library about them in terms of the page.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const test = require("node:test");

const script = (name) => require(path.resolve(process.env.LBW_PLAYGROUND, name));
const [Csv, Groups, Terms] = ["csv.js", "groups.js", "terms.js"].map(script);
const { loadLbw } = script("lbw.js");

const groupsOf = (...names) => Groups.rows(Csv.parse(["g,x", ...names.map((name) => `${name},1`)].join("\n")), 0, 3);
const rowsOf = (count) => Array.from({ length: count }, (_, i) => i);

test("spaces belong to the names of groups", () => {
  const groups = groupsOf("A", "A ", "B", "A");
  assert.deepEqual([...groups], [["A", [0, 3]], ["A ", [1]], ["B", [2]]]);
  assert.equal(Groups.notes(groups)[0], 'The group "A " begins or ends with spaces, which belong to its name.');
});

test("groups of less than ten rows are named", () => {
  assert.deepEqual(Groups.notes(new Map([["A", rowsOf(10)], ["B", rowsOf(11)]])), []);
  assert.deepEqual(Groups.notes(new Map([["A", rowsOf(9)], ["B", rowsOf(10)], ["C", rowsOf(3)]])), [
    'Warning: groups of few rows: "A" (9), "C" (3). Their transport follows sampling noise; add rows, ' +
    "or join groups.",
  ]);
});

test("a missing group is an error", () => {
  assert.throws(() => groupsOf("A", " "), {
    message: "line 3 has no group in the column g; add it or remove the row",
  });
});

test("too many groups are an error", () => {
  assert.throws(() => groupsOf("A", "B", "C", "D"), {
    message: "the column g has 4 different values, expected at most 3 groups for so many rows; choose " +
      "another column of groups",
  });
});

const square = Float64Array.of(0, 0, 0, 1, 1, 0, 1, 1, 0.5, 0.25);
const line = Float64Array.from(square, (value, i) => (i % 2 === 0 ? 1e12 * value : 1e12 * square[i - 1]));
const fit = (lbw, samples, options) => lbw.fit([{ name: "A", samples: square }, { name: "B", samples }], 2, options);

const cases = [
  ["a group of one row", (lbw) => fit(lbw, Float64Array.of(1, 2)),
    "group 'B' has 1 sample, expected 2 or more: the spread of one sample is unknown; merge the " +
    "group with another or remove it"],
  ["too many components", (lbw) => fit(lbw, square, { n_components: 6 }),
    "group 'A': Components = 6 exceeds the number of samples (5). Reduce Components or provide more samples"],
  ["no components", (lbw) => fit(lbw, square, { n_components: 0 }),
    "Components is '0', expected a whole number >= 1"],
  ["a negative seed", (lbw) => fit(lbw, square, { seed: -1 }),
    "Seed is '-1', expected a whole number from 0 to 2^64 - 1"],
  ["one group", (lbw) => lbw.fit([{ name: "A", samples: square }], 2), "1 group given, expected 2 or more"],
  ["columns that repeat each other", (lbw) => fit(lbw, line),
    "group 'B': the samples do not span their 2 features in double precision: their covariance is " +
    "singular; drop constant or repeated features, fit clusters that are more than 1e7 standard " +
    "deviations apart as separate groups"],
];

for (const [name, act, message] of cases) {
  test(`${name} is an error in terms of the page`, async () => {
    const lbw = await loadLbw();
    assert.throws(() => act(lbw), (error) => {
      assert.equal(Terms.ofThePage(error.message), message);
      return true;
    });
  });
}

test("names of groups stay in messages as they are", () => {
  const message = "fit_transport: two groups are named 'n_components is x'";
  assert.equal(Terms.ofThePage(message), "two groups are named 'n_components is x'");
});
