// SPDX-License-Identifier: MIT
// The decimal mark of a table is decided once, and other notations are refused.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const test = require("node:test");

const Csv = require(path.resolve(process.env.LBW_PLAYGROUND, "csv.js"));
const Columns = require(path.resolve(process.env.LBW_PLAYGROUND, "columns.js"));

/** Return the table of two columns of numbers, separated by semicolons. */
const tableOf = (...rows) => Csv.parse(["g;x;y", ...rows.map((row) => `A;${row}`)].join("\n"));
const numbersOf = (table) => [1, 2].map((column) => Columns.numbers(table, column));

test("commas are decimal marks if a cell shows it", () => {
  assert.deepEqual(numbersOf(tableOf("1,5;1,050", "2;950")), [[1.5, 2], [1.05, 950]]);
  assert.deepEqual(numbersOf(tableOf("0,065;1", "-,5;2e-1")), [[0.065, -0.5], [1, 0.2]]);
});

test("points are decimal marks if no cell needs a comma", () => {
  assert.deepEqual(numbersOf(tableOf("1.5;1.050", "2;950")), [[1.5, 2], [1.05, 950]]);
});

test("columns of text do not decide the mark", () => {
  const table = Csv.parse("g;x;note\nA;1,5;1.5\nA;2,5;none\nB;3,5;Doe\n");
  assert.deepEqual(Columns.numbers(table, 1), [1.5, 2.5, 3.5]);
});

const cases = [
  ["thousands among whole numbers", ["1;950", "2;1,050", "3;12,300"],
    'line 3, column y: the comma in "1,050" may separate thousands or be a decimal mark; remove ' +
    "thousands separators, write decimal points, or leave the column out"],
  ["thousands beside decimal points", ["1.5;1,050", "2.5;2,300"],
    'line 2, column y: the comma in "1,050" may separate thousands or be a decimal mark; remove ' +
    "thousands separators, write decimal points, or leave the column out"],
  ["points of thousands beside decimal commas", ["1.017;2,25", "1.034;3,25"],
    'line 2, column x: the point in "1.017" may separate thousands or be a decimal mark; remove ' +
    "thousands separators, write decimal commas, or leave the column out"],
  ["both marks", ["1.5;2,25", "2.5;3,25"],
    'line 2, column y: "2,25" has a decimal comma, expected a decimal point; use one decimal mark ' +
    "in the table, or leave the column out"],
  ["both marks in a column", ["1;2.25", "2;3,25"],
    'line 3, column y: "3,25" has a decimal comma, expected a decimal point; use one decimal mark ' +
    "in the table, or leave the column out"],
  ["two kinds of marks in a number", ["1;11.883,43", "2;950"],
    'line 2, column y: "11.883,43" has thousands separators; remove them, or leave the column out'],
  ["apostrophes", ["1;11'883", "2;950"],
    'line 2, column y: "11\'883" has thousands separators; remove them, or leave the column out'],
  ["no-break spaces", ["1;11\u00a0883", "2;950"],
    'line 2, column y: "11\u00a0883" has thousands separators; remove them, or leave the column out'],
  ["several points", ["1;1.234.567", "2;950"],
    'line 2, column y: "1.234.567" has thousands separators; remove them, or leave the column out'],
];

for (const [name, rows, message] of cases) {
  test(`${name} are refused`, () => {
    const table = tableOf(...rows);
    assert.ok(Columns.choices(table).slice(1).every(({ isChosen }) => isChosen));  // not left out
    assert.throws(() => numbersOf(table), { message });
  });
}

test("decimal commas in quotes are refused between commas", () => {
  const table = Csv.parse('g,x\nA,"2,5"\nB,"3,5"\n');
  assert.ok(Columns.choices(table)[1].isChosen);
  assert.throws(() => Columns.numbers(table, 1), {
    message: 'line 2, column x: "2,5" has a decimal comma, expected a decimal point; use one ' +
      "decimal mark in the table, or leave the column out",
  });
});
