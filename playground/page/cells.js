// SPDX-License-Identifier: MIT
// Numbers in the cells of tables, read by the rules of the program (src/io/csv_cells.cpp).
"use strict";

const Cells = (() => {
  const inWords = { ".": "point", ",": "comma" };
  const other = { ".": ",", ",": "." };

  const withoutSpaces = (cell) => cell.replace(/^ +| +$/g, "");

  /** Return the number in a cell with this decimal mark, or NaN. */
  function number(cell, mark) {
    let text = withoutSpaces(cell);
    if (mark === ",") text = text.replace(/[.,]/g, (found) => other[found]);
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  }

  /** Return the value of a number or a boolean, or NaN. */
  function value(cell, mark) {
    const text = withoutSpaces(cell);
    if (/^(True|true|TRUE)$/.test(text)) return 1;
    return /^(False|false|FALSE)$/.test(text) ? 0 : number(cell, mark);
  }

  /** Whether a cell is a number with this decimal mark in it. */
  const hasMark = (cell, mark) => cell.includes(mark) && Number.isFinite(number(cell, mark));

  /** Whether the only mark of a number may separate thousands, as in 3,065, but not in 0,065. */
  const mayBeThousands = (cell) => /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(withoutSpaces(cell));

  /** Whether a cell is a number with separators of thousands, such as 1,234 or 11'883.43 or 1.234.567. */
  function hasThousands(cell) {
    const form = /^[+-]?\d{1,3}([,.' \u2019\u00a0\u202f])\d{3}(\1\d{3})*((?!\1)[.,]\d*)?$/;
    const found = form.exec(withoutSpaces(cell));
    return found !== null && (found[1] !== "." || found[2] !== undefined || found[3] !== undefined);
  }

  /** Whether a cell is a number in any notation, or a boolean. */
  const looksNumeric = (cell) =>
    [".", ","].some((mark) => Number.isFinite(value(cell, mark))) || hasThousands(cell);

  /** Whether most cells of a column are numbers: then the others should be numbers too. */
  const areMostlyNumeric = (cells) => cells.filter(looksNumeric).length > cells.length / 2;

  /** Say why a cell has no number with this decimal mark, and what to do. */
  function problem(cell, mark) {
    const text = `"${withoutSpaces(cell)}"`;
    const leaveOut = "or leave the column out";
    if (hasMark(cell, other[mark]) && mayBeThousands(cell)) {
      return `the ${inWords[other[mark]]} in ${text} may separate thousands or be a decimal mark; remove ` +
        `thousands separators, write decimal ${inWords[mark]}s, ${leaveOut}`;
    }
    if (hasMark(cell, other[mark])) {
      return `${text} has a decimal ${inWords[other[mark]]}, expected a decimal ${inWords[mark]}; ` +
        `use one decimal mark in the table, ${leaveOut}`;
    }
    if (hasThousands(cell)) return `${text} has thousands separators; remove them, ${leaveOut}`;
    return `${text} is not a finite number; correct the cell, remove its row ${leaveOut}`;
  }

  return { number, value, hasMark, mayBeThousands, areMostlyNumeric, problem };
})();

if (typeof module !== "undefined") module.exports = Cells;
