// SPDX-License-Identifier: MIT
// The columns of a table.
"use strict";

const Columns = (() => {
  const cellNumbers = typeof Cells === "undefined" ? require("./cells.js") : Cells;  // in Node.js
  const cellsOf = (table, column) => table.lines.map(({ cells }) => cells[column]);

  const isNumeric = (table, column) => cellNumbers.areMostlyNumeric(cellsOf(table, column));

  /** Return a column as numbers. */
  function numbers(table, column) {
    return cellsOf(table, column).map((cell, row) => {
      const value = cellNumbers.value(cell, table.notation.decimal);
      if (Number.isFinite(value)) return value;
      throw new Error(`line ${table.lines[row].number}, column ${table.names[column]}: ` +
        cellNumbers.problem(cell, table.notation.decimal));
    });
  }

  return { isNumeric, numbers };
})();

if (typeof module !== "undefined") module.exports = Columns;
