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
  ["an unknown option", (lbw) => lbw.fit(groups, 2, { maps: "hard" }), "?"],
  ["an unknown word", (lbw) => lbw.fit(groups, 2, { map: "sharp" }), "?"],
  ["a number out of bounds", (lbw) => lbw.fit(groups, 2, { n_components: 0 }), "?"],
  ["too many components", (lbw) => lbw.fit(groups, 2, { n_components: 6 }), "?"],
  ["one group", (lbw) => lbw.fit(groups.slice(1), 2), "?"],
  ["no samples", (lbw) => lbw.fit([groups[0], { name: "B", samples: new Float64Array(0) }], 2), "?"],
  ["a value that is not finite",
    (lbw) => lbw.fit([groups[0], { name: "B", samples: Float64Array.of(1, 2, 3, NaN) }], 2), "?"],
  ["an incomplete row", (lbw) => lbw.fit(groups, 3), "?"],
  ["an unknown group", (lbw) => lbw.fit(groups, 2).transport("A", "C", square), "?"],
  ["a negative weight", (lbw) => lbw.fit(groups, 2).barycenter([1, -0.25]), "?"],
  ["an amount out of bounds", (lbw) => lbw.fit(groups, 2).transport("A", "B", square, 1e-7 - 1), "?"],
];

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
