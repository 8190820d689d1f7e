// SPDX-License-Identifier: MIT
// The columns of a table: which have numbers to transport, and which only look like numbers.
"use strict";

const Columns = (() => {
  const cellNumbers = typeof Cells === "undefined" ? require("./cells.js") : Cells;  // in Node.js
  const leastInexact = 2 ** 53;
  const leastIdentifierRows = 50;  // as in the program
  const longestExample = 40;

  const cellsOf = (table, column) => table.lines.map(({ cells }) => cells[column]);
  const isWhole = (cell) => /^ *[+-]?\d+ *$/.test(cell);
  const hasLeadingZeros = (cell) => /^ *[+-]?0\d+ *$/.test(cell);
  const isInexact = (cell) => isWhole(cell) && Math.abs(Number(cell)) >= leastInexact;

  /** Return "numbers", or why a column is left out by default: "text", "large", "codes", "identifier". */
  function kindOf(cells) {
    if (!cellNumbers.areMostlyNumeric(cells)) return "text";
    const areWhole = cells.every((cell) => isWhole(cell) || !Number.isFinite(cellNumbers.number(cell, ".")));
    if (areWhole && cells.some(isInexact)) return "large";
    if (cells.some(hasLeadingZeros)) return "codes";
    const areDistinct = cells.every(isWhole) && new Set(cells.map(Number)).size === cells.length;
    return areDistinct && cells.length >= leastIdentifierRows ? "identifier" : "numbers";
  }

  /** Say what a column of a kind has, with an example. */
  function reason(cells, kind) {
    const found = (condition) => cells.find((cell) => condition(cell))?.trim();
    if (kind === "large") return `whole numbers of 2^53 or more, such as ${found(isInexact)}`;
    if (kind === "codes") return `leading zeros, such as ${found(hasLeadingZeros)}`;
    if (kind === "identifier") return "a different whole number in every row";
    if (kind !== "text") return "";
    const example = found((cell) => /\d/.test(cell) && cell.length <= longestExample);
    return example === undefined ? "text" : `text, for example "${example}"`;
  }

  /**
   * Return {name, kind, reason, isChosen} of every column. Choices are kept if the table has the same
   * names as before, and the column has the same kind.
   */
  function choices(table, previous = []) {
    const isSame = table.names.join("\n") === previous.map(({ name }) => name).join("\n");
    return table.names.map((name, column) => {
      const cells = cellsOf(table, column);
      const kind = kindOf(cells);
      const isKept = isSame && previous[column].kind === kind;
      const isChosen = isKept ? previous[column].isChosen : kind === "numbers";
      return { name, kind, reason: reason(cells, kind), isChosen };
    });
  }

  /** Say which columns besides that of the groups are not transported, and why. */
  function leftOut(choices, group) {
    const others = choices.filter(({ isChosen }, column) => !isChosen && column !== group);
    if (others.length === 0) return "";
    const list = others.map(({ name, reason }) => (reason === "" ? name : `${name} (${reason})`));
    return `Columns left as they are: ${list.join(", ")}.`;
  }

  /** Return the column that most likely has the groups: the first text, or the one of fewest values. */
  function groupColumn(table, choices, mostGroups) {
    const counts = choices.map((_, column) => new Set(cellsOf(table, column)).size);
    const text = choices.findIndex(({ kind }, column) =>
      kind === "text" && counts[column] > 1 && counts[column] <= mostGroups);
    if (text >= 0) return text;
    const several = counts.map((count) => (count > 1 ? count : Infinity));
    return several.indexOf(Math.min(...several));
  }

  /** Return a column as numbers. */
  function numbers(table, column) {
    const cells = cellsOf(table, column);
    if (kindOf(cells) === "large") {
      throw new Error(`column ${table.names[column]} has ${reason(cells, "large")}, which double ` +
        "precision rounds, and looks like an identifier; leave the column out");
    }
    return cells.map((cell, row) => {
      const value = cellNumbers.value(cell, table.notation.decimal);
      if (Number.isFinite(value)) return value;
      throw new Error(`line ${table.lines[row].number}, column ${table.names[column]}: ` +
        cellNumbers.problem(cell, table.notation.decimal));
    });
  }

  return { choices, leftOut, groupColumn, numbers };
})();

if (typeof module !== "undefined") module.exports = Columns;
