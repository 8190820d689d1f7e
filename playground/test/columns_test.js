// SPDX-License-Identifier: MIT
// Which columns are transported by default, and what the page says about the others.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const test = require("node:test");

const Csv = require(path.resolve(process.env.LBW_PLAYGROUND, "csv.js"));
const Columns = require(path.resolve(process.env.LBW_PLAYGROUND, "columns.js"));

/** Return a table of a column of groups and one of these cells, which are repeated for 50 rows or as many as given. */
function tableOf(cells, nRows = 50) {
  const rows = Array.from({ length: nRows }, (_, i) => `${"AB"[i % 2]},${cells[i % cells.length]}`);
  return Csv.parse(["g,x", ...rows].join("\n"));
}

const column = (cells, nRows) => Columns.choices(tableOf(cells, nRows))[1];
const wholeNumbers = Array.from({ length: 50 }, (_, i) => 7 * i);

const cases = [
  ["fractions", ["1.5", "-2", "3e4"], "numbers", ""],
  ["repeated whole numbers", ["1", "2", "0"], "numbers", ""],
  ["booleans", ["True", "false"], "numbers", ""],
  ["words", ["high", "low"], "text", "text"],
  ["percentages", ["none", "17%"], "text", 'text, for example "17%"'],
  ["distinct whole numbers", wholeNumbers, "identifier", "a different whole number in every row"],
  ["leading zeros", ["459", "00459"], "codes", "leading zeros, such as 00459"],
  ["whole numbers of 2^53", ["1", "9007199254740992"], "large",
    "whole numbers of 2^53 or more, such as 9007199254740992"],
  ["whole numbers below 2^53", ["1", "9007199254740991"], "numbers", ""],
  ["large fractions", ["1.5", "9007199254740992"], "numbers", ""],
];

for (const [name, cells, kind, reason] of cases) {
  test(`${name} are ${kind}`, () => {
    assert.deepEqual(column(cells), { name: "x", kind, reason, isChosen: kind === "numbers" });
  });
}

test("less than 50 distinct whole numbers are not identifiers", () => {
  assert.equal(column(wholeNumbers, 49).kind, "numbers");
});

test("True and False are 1 and 0", () => {
  const words = ["True", "true", "TRUE", "False", " false", "FALSE"];
  assert.deepEqual(Columns.numbers(tableOf(words, 6), 1), [1, 1, 1, 0, 0, 0]);
});

test("whole numbers of 2^53 are refused if they are chosen", () => {
  assert.throws(() => Columns.numbers(tableOf(["-9007199254740993"]), 1), {
    message: "column x has whole numbers of 2^53 or more, such as -9007199254740993, which double " +
      "precision rounds, and looks like an identifier; leave the column out",
  });
});

test("choices are kept while names and kinds stay the same", () => {
  const chosen = Columns.choices(tableOf(["1.5"]));
  chosen[1].isChosen = false;
  assert.equal(Columns.choices(tableOf(["2.5"]), chosen)[1].isChosen, false);
  const otherNames = Csv.parse("h,x\nA,1.5\n");
  assert.equal(Columns.choices(otherNames, chosen)[1].isChosen, true);
});

test("a corrected column is transported", () => {
  const wrong = Columns.choices(tableOf(["12%"]));
  assert.equal(wrong[1].isChosen, false);
  assert.equal(Columns.choices(tableOf(["12"]), wrong)[1].isChosen, true);
});

test("columns that are left out are named with the reason", () => {
  const table = Csv.parse("g,x,y,name,town\nA,1,2,Ann,\nB,3,4,Bob,\n");
  const choices = Columns.choices(table);
  assert.equal(Columns.leftOut(choices, 0), "Columns left as they are: name (text), town (text).");
  choices[1].isChosen = false;
  assert.equal(Columns.leftOut(choices, 3), "Columns left as they are: g (text), x, town (text).");
  assert.equal(Columns.leftOut(choices.slice(0, 1), 0), "");
});

test("the groups are the first text of few values, or the fewest values", () => {
  const groupOf = (text) => {
    const table = Csv.parse(text);
    return Columns.groupColumn(table, Columns.choices(table), 2);
  };
  assert.equal(groupOf("name,x,site\na,1,N\nb,2,S\nc,3,N\n"), 2);
  assert.equal(groupOf("x,s,one\n1,0,7\n2,1,7\n3,0,7\n"), 1);
});
