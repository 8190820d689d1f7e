// SPDX-License-Identifier: MIT
// The module does what the program does: the same fit, coupling and transport for the same seed.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const test = require("node:test");
const { Program } = require("./native.js");

const [folder, program] = [process.env.LBW_PLAYGROUND, process.env.LBW_PROGRAM];
const { loadLbw } = require(path.resolve(folder, "lbw.js"));

// The program adds numbers in vectors of 4 or 8 doubles, and the module in vectors of 2, so sums
// differ in their last bits, by about 1e-16 of their terms. Some tens of steps of EM and inverses of
// covariances with a condition below 1e3 multiply that by less than 1e6.
const tolerance = 1e-9;

/** Samples of a ring or of an oval, from a plain generator of random numbers. */
function ring(count, [x, y], [width, height], seed) {
  let state = BigInt(seed);
  const uniform = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 11n) / 2 ** 53;
  };
  const samples = new Float64Array(2 * count);
  for (let i = 0; i < count; ++i) {
    const angle = 2 * Math.PI * uniform(), radius = 1 + 0.3 * (uniform() - 0.5);
    samples[2 * i] = x + width * radius * Math.cos(angle);
    samples[2 * i + 1] = y + height * radius * Math.sin(angle);
  }
  return samples;
}

const groups = [
  { name: "ring", samples: ring(1500, [0, 0], [1, 1], 1) },
  { name: "oval", samples: ring(1200, [9, 0], [3, 1], 2) },
];
const weights = [1, 3];

function assertClose(received, expected, what) {
  assert.equal(received.length, expected.length, `number of values of ${what}`);
  received.forEach((value, i) => {
    const difference = Math.abs(value - expected[i]);
    assert.ok(difference <= tolerance * Math.max(1, Math.abs(expected[i])),
      `${what}[${i}] is ${value}, expected ${expected[i]}, difference ${difference}`);
  });
}

function compare(lbw, native, options) {
  native.run("fit", "ring.csv", "oval.csv", "-o", "model.safetensors", "--components", "6",
    "--seed", "3", "--map", options.map, "--coupling", options.coupling);
  native.run("transport", "model.safetensors", "ring.csv", "--from", "ring", "--to", "oval",
    "-o", "there.csv");
  native.run("transport", "model.safetensors", "oval.csv", "--from", "oval", "--to", "barycenter",
    "--weights", "ring=1,oval=3", "-o", "between.csv");
  const expected = native.tensors("model.safetensors");
  const model = lbw.fit(groups, 2, { n_components: 6, seed: 3, ...options });
  groups.forEach(({ name }, g) => {
    const mixture = model.mixture(name);
    assertClose(mixture.weights, expected[`groups.${g}.weights`], `weights of ${name}`);
    assertClose(mixture.means, expected[`groups.${g}.means`], `means of ${name}`);
    assertClose(mixture.covariances.flatMap((matrix) => Array.from(matrix)),
      expected[`groups.${g}.covariances`], `covariances of ${name}`);
  });
  const coupling = model.coupling();
  assert.deepEqual(Array.from(coupling.tuples), expected["coupling.tuples"]);
  if (options.coupling !== "matching") assertClose(coupling.masses, expected["coupling.masses"], "masses");
  const [ringSamples, ovalSamples] = groups.map(({ samples }) => samples);
  assertClose(model.transport("ring", "oval", ringSamples), native.read("there.csv"), "there");
  assertClose(model.toBarycenter("oval", weights, ovalSamples), native.read("between.csv"), "between");
  model.delete();
}

test("fits and transports agree with the program", async (t) => {
  const lbw = await loadLbw();
  const native = new Program(program);
  t.after(() => native.remove());
  for (const { name, samples } of groups) native.write(`${name}.csv`, samples, 2);
  for (const [map, coupling] of [["hard", "matching"], ["soft", "plan"], ["random", "plan"]]) {
    await t.test(`${map}, ${coupling}`, () => compare(lbw, native, { map, coupling }));
  }
});

/** Three groups of three columns in different units. */
function threeGroups() {
  return [[0, 0, 5], [4, 10, 6], [1, -20, 7]].map(([x, y, seed], g) => {
    const flat = ring(300, [x, y], [1, 30], seed), third = ring(300, [0, 0], [1 + g, 1], seed + 10);
    const samples = Array.from({ length: 300 }, (_, i) => [flat[2 * i], flat[2 * i + 1], 1000 * third[2 * i]]);
    return { name: `group ${g}`, samples: Float64Array.from(samples.flat()) };
  });
}

test("a table of three groups is transported as by the program", async (t) => {
  const lbw = await loadLbw();
  const native = new Program(program);
  t.after(() => native.remove());
  const table = threeGroups();
  const rows = table.flatMap(({ name, samples }) =>
    Array.from({ length: 300 }, (_, i) => [name, ...samples.subarray(3 * i, 3 * i + 3)].join()));
  native.writeText("table.csv", ["site,a,b,c", ...rows, ""].join("\n"));
  native.run("fit", "table.csv", "--group-column", "site", "-o", "model.safetensors",
    "--components", "2", "--map", "soft", "--scale-features", "--seed", "1");
  native.run("transport", "model.safetensors", "table.csv", "--group-column", "site",
    "--to", "barycenter", "-o", "moved.csv");
  const expected = native.readText("moved.csv").trim().split("\n").slice(1).flatMap((line) =>
    line.split(",").map(Number).filter(Number.isFinite));
  const model = lbw.fit(table, 3, { n_components: 2, map: "soft", scale_features: true, seed: 1 });
  const moved = table.flatMap(({ name, samples }) =>
    Array.from(model.toBarycenter(name, [1, 1, 1], samples)));
  assertClose(moved, expected, "moved");
  model.delete();
});

test("an amount moves points on the straight line to their image", async () => {
  const lbw = await loadLbw();
  const model = lbw.fit(groups, 2, { n_components: 4, map: "hard" });
  const { samples } = groups[0];
  const there = model.transport("ring", "oval", samples);
  const line = samples.map((value, i) => value + 0.25 * (there[i] - value));
  assertClose(model.transport("ring", "oval", samples, 0.25), line, "quarter");
  assertClose(model.transport("ring", "oval", samples, 0), samples, "start");
  model.delete();
});

test("the barycenter of one group is its mixture", async () => {
  const lbw = await loadLbw();
  const model = lbw.fit(groups, 2, { n_components: 3, coupling: "matching" });
  const mixture = model.mixture("ring");
  const order = Array.from(model.coupling().tuples).filter((_, i) => i % 2 === 0);
  const expected = order.flatMap((i) => Array.from(mixture.means.subarray(2 * i, 2 * i + 2)));
  assertClose(model.barycenter([1, 0]).means, expected, "means");
  model.delete();
});

test("memory grows with the data, and models can be deleted", async () => {
  const lbw = await loadLbw();
  const many = [
    { name: "A", samples: ring(400000, [0, 0], [1, 1], 3) },
    { name: "B", samples: ring(400000, [5, 0], [1, 2], 4) },
  ];
  const model = lbw.fit(many, 2, { n_components: 1 });
  assert.equal(model.report("A").n_samples, 400000);
  model.delete();
});
