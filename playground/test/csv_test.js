// SPDX-License-Identifier: MIT
// Tables that are pasted into the page.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const test = require("node:test");

const Csv = require(path.resolve(process.env.LBW_PLAYGROUND, "csv.js"));
const Columns = require(path.resolve(process.env.LBW_PLAYGROUND, "columns.js"));
const cellsOf = (table) => table.lines.map(({ cells }) => cells);

test("cells are separated by commas, semicolons or tabs", () => {
  for (const delimiter of [",", ";", "\t"]) {
    const text = ["g,x,y", "A,1,2", "", "B,3,4"].join("\r\n").replaceAll(",", delimiter);
    const table = Csv.parse(text);
    assert.deepEqual(table.names, ["g", "x", "y"]);
    assert.deepEqual(cellsOf(table), [["A", "1", "2"], ["B", "3", "4"]]);
    assert.deepEqual(Columns.numbers(table, 2), [2, 4]);
  }
});

test("the next lines decide if names in the first contain delimiters", () => {
  for (const delimiter of [";", "\t"]) {
    const text = "g;height, cm, rounded;mass, kg\n\nA;1;2\n\"B;\";3;4\n".replaceAll(";", delimiter);
    const table = Csv.parse(text);
    assert.deepEqual(table.names, ["g", "height, cm, rounded", "mass, kg"]);
    assert.deepEqual(cellsOf(table), [["A", "1", "2"], [`B${delimiter}`, "3", "4"]]);
  }
  assert.throws(() => Csv.parse("g,x\nA;1,2\nB,1,2\n"), /line 3 has 3 cells, expected 2/);
});

test("quotes keep delimiters, line ends and quotes", () => {
  const table = Csv.parse('g,"x, in m"\n"a ""b""\nc",1\n');
  assert.deepEqual(table.names, ["g", "x, in m"]);
  assert.deepEqual(cellsOf(table), [['a "b"\nc', "1"]]);
});

test("spaces around quotes do not belong to a cell, others do", () => {
  const table = Csv.parse('g,x\n "A" ,1\n" A",1\nA ,1\n');
  assert.deepEqual(cellsOf(table).map(([group]) => group), ["A", " A", "A "]);
});

test("a first line may name the delimiter", () => {
  for (const line of ["sep=;\r\n", "\ufeffsep=;\n", "SEP=;\n"]) {
    const table = Csv.parse(`${line}g;"x, in m"\nA;1\nB;high\nC;2\n`);
    assert.deepEqual(table.names, ["g", "x, in m"]);
    assert.deepEqual(cellsOf(table)[0], ["A", "1"]);
    assert.throws(() => Columns.numbers(table, 1), /^Error: line 4, column x, in m: "high"/);
  }
  const text = "sep=|\ng|x\na;b|1,5\n";
  const table = Csv.parse(text);
  assert.deepEqual(Columns.numbers(table, 1), [1.5]);
  assert.equal(Csv.format(table.names, [["a;b", 1.5]], table.notation), text);
});

test("a comma is a decimal mark between semicolons", () => {
  const table = Csv.parse("g;x\nA;1,5\nB;-2e-1\n");
  assert.deepEqual(Columns.numbers(table, 1), [1.5, -0.2]);
  assert.equal(Csv.format(["g", "x"], [["A", 1.5]], table.notation), "g;x\nA;1,5\n");
  const points = Csv.parse("g;x\nA;1.5\n");
  assert.equal(Csv.format(["g", "x"], [["A", 2.5]], points.notation), "g;x\nA;2.5\n");
});

test("what is written reads back to the same numbers", () => {
  const rows = [['say "x"', 0.1 + 0.2], ["a,b", -1.5e-300], ["", 12]];
  const table = Csv.parse(Csv.format(["g", "x"], rows, { delimiter: ",", decimal: "." }));
  assert.deepEqual(cellsOf(table).map(([group]) => group), rows.map(([group]) => group));
  assert.deepEqual(Columns.numbers(table, 1), rows.map(([, value]) => value));
});

test("columns of numbers are recognized although a cell is missing", () => {
  const table = Csv.parse("g,x\nA,1\nB,\nC,3\n");
  const kinds = Columns.choices(table).map(({ kind }) => kind);
  assert.deepEqual(kinds, ["text", "numbers"]);
});

const errors = [
  ["", "the table is empty; paste a line of column names and at least one row"],
  ["g,x\n", "the table is empty; paste a line of column names and at least one row"],
  ["g x\nA 1\n", "line 1 has one cell; separate cells by commas, semicolons or tabs"],
  ["g,x\nA,1\nB,2,3\n", "line 3 has 3 cells, expected 2 as in the first line"],
  ["sep=;\n\n1;2\n3;4\n", "line 3 contains numbers; add a line with the names of the columns above it"],
  ["1,2\n3,4\n", "line 1 contains numbers; add a line with the names of the columns above it"],
  ["x,x\n3,4\n", 'two columns are named "x"; rename one'],
  ["sep=;;\ng;x\n", "line 1: sep=;; names no delimiter; remove the line, or correct it"],
  ["sep=1\ng1x\n", "line 1: sep=1 names no delimiter; remove the line, or correct it"],
  ['g,x\n"A" b,1\n', "line 2: unexpected text after a closing quote; double quotes in a cell"],
  ['g,x\nA,"1\n', 'line 2: a quote is never closed; add the missing "'],
];

for (const [text, message] of errors) {
  test(`${JSON.stringify(text)} is an error`, () => {
    assert.throws(() => Csv.parse(text), { message });
  });
}

test("a cell that is not a number is named", () => {
  const table = Csv.parse('g,x\n"A\nB",1\nC,high\n');
  assert.throws(() => Columns.numbers(table, 1), {
    message: 'line 4, column x: "high" is not a finite number; correct the cell, remove its row or ' +
      "leave the column out",
  });
});
