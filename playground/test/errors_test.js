// SPDX-License-Identifier: MIT
// Errors of the library arrive in JavaScript with their messages.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const test = require("node:test");

const { loadLbw } = require(path.resolve(process.env.LBW_PLAYGROUND, "lbw.js"));

const square = Float64Array.of(0, 0, 0, 1, 1, 0, 1, 1, 0.5, 0.25);
const groups = [{ name: "A", samples: square }, { name: "B", samples: square.map((x) => 2 * x) }];

const cases = [
  ["an unknown option", (lbw) => lbw.fit(groups, 2, { maps: "hard" }),
    "option: 'maps' is unknown, expected 'n_components', 'covariance_type', 'covariance_floor', " +
    "'relative_covariance_floor', 'shrinkage', 'tolerance', 'max_iterations', 'n_init', 'start', " +
    "'start_samples', 'precision', 'seed', 'coupling', 'cost', 'map', 'scale_features', 'dither', " +
    "'refine', 'group_shrinkage' or 'small_groups'"],
  ["an unknown word", (lbw) => lbw.fit(groups, 2, { map: "sharp" }),
    "map is 'sharp', expected hard, soft or random"],
  ["a number out of bounds", (lbw) => lbw.fit(groups, 2, { n_components: 0 }),
    "n_components is '0', expected a whole number >= 1"],
  ["a fraction instead of a whole number", (lbw) => lbw.fit(groups, 2, { n_components: 1.5 }),
    "n_components is '1.5', expected a whole number >= 1"],
  ["a text instead of a number", (lbw) => lbw.fit(groups, 2, { tolerance: "0x10" }),
    "tolerance is '0x10', expected a number >= 0"],
  ["too many components", (lbw) => lbw.fit(groups, 2, { n_components: 6 }),
    "group 'A': fit_mixture: n_components = 6 exceeds the number of samples (5). Reduce " +
    "n_components or provide more samples"],
  ["one group", (lbw) => lbw.fit(groups.slice(1), 2),
    "fit_transport: 1 group given, expected 2 or more"],
  ["no samples", (lbw) => lbw.fit([groups[0], { name: "B", samples: new Float64Array(0) }], 2),
    "fit_transport: samples of group 'B' has no rows"],
  ["a value that is not finite",
    (lbw) => lbw.fit([groups[0], { name: "B", samples: Float64Array.of(1, 2, 3, NaN) }], 2),
    "group 'B': fit_mixture: samples contains nan at row 1, column 1 (counted from 0), expected " +
    "finite values"],
  ["an incomplete row", (lbw) => lbw.fit(groups, 3),
    "samples: an array of 10 numbers has no rows of 3 features; pass n_features >= 1 numbers for " +
    "every sample"],
  ["an unknown group", (lbw) => lbw.fit(groups, 2).transport("A", "C", square),
    "group 'C' is not in the model, expected one of 'A', 'B'"],
];

// Numbers in messages have the shortest text that reads back to the same number.
for (const [number, text] of [
  [-0.25, "-0.25"], [-1e-7, "-1e-07"], [-0.0001, "-1e-04"], [-0.001, "-0.001"], [-1 / 3, "-0.3333333333333333"],
  [-123456.75, "-123456.75"], [-1e5, "-1e+05"], [-10000, "-10000"], [-1.5e300, "-1.5e+300"], [-Infinity, "-inf"],
]) {
  cases.push([`the negative weight ${text}`, (lbw) => lbw.fit(groups, 2).barycenter([1, number]),
    `barycenter: barycentric_weights[1] is ${text}, expected a number >= 0`]);
}

for (const [name, act, message] of cases) {
  test(name, async () => {
    const lbw = await loadLbw();
    assert.throws(() => act(lbw), (error) => {
      assert.ok(error instanceof Error);
      assert.equal(error.message, message);
      return true;
    });
  });
}
