// SPDX-License-Identifier: MIT
// Tables as text: reading and writing.
"use strict";

const Csv = (() => {
  const numbers = typeof Cells === "undefined" ? require("./cells.js") : Cells;  // in Node.js

  const mostLines = 4;  // that decide on the delimiter

  // Characters that a first line such as sep=; may name, as in the program
  const delimiters = ",;\t |:/\\!#$%&()*<=>?@[]^_`{}~'";

  /** Return the delimiter that a first line such as sep=; names, as Excel writes it, or nothing. */
  function namedDelimiter(text) {
    const line = /^(?:sep|SEP)=([^\r\n]*)\r?\n/.exec(text)?.[1];
    if (line === undefined || (line.length === 1 && delimiters.includes(line))) return line;
    throw new Error(`line 1: sep=${line} names no delimiter; remove the line, or correct it`);
  }

  /** Return the first lines that are not empty, without what stands in quotes. */
  function firstLines(text) {
    const lines = text.replace(/"[^"]*"/g, "").split(/\r?\n/).filter((line) => /[^ ]/.test(line));
    return lines.slice(0, mostLines);
  }

  /**
   * Return the delimiter that occurs most often in the first line. Where it occurs less or more
   * often in the next lines, another delimiter that does not is chosen, as in the program.
   */
  function delimiterOf(text) {
    const [first = "", ...others] = firstLines(text);
    const count = (line, delimiter) => line.split(delimiter).length - 1;
    const agrees = (delimiter) => count(first, delimiter) > 0 &&
      others.every((line) => count(line, delimiter) === count(first, delimiter));
    const usual = [",", ";", "\t"];
    const chosen = usual.reduce((best, next) => (count(first, next) > count(first, best) ? next : best));
    return agrees(chosen) ? chosen : usual.find(agrees) ?? chosen;
  }

  /** Return the cells of all lines; empty lines are skipped. */
  function linesOf(text, delimiter) {
    const lines = [];
    let cells = [], cell = "", quoted = false, wasQuoted = false, number = 1, start = 1;
    const endLine = () => {
      const isFilled = cells.length > 0 || cell.trim() !== "" || wasQuoted;
      if (isFilled) lines.push({ number: start, cells: [...cells, cell] });
      cells = [], cell = "", wasQuoted = false, start = number;
    };
    for (let i = 0; i < text.length; ++i) {
      const character = text[i];
      if (character === "\n") ++number;
      if (quoted) {
        if (character !== '"') cell += character;
        else if (text[i + 1] === '"') cell += text[++i];
        else quoted = false;
      } else if (character === '"' && cell.trim() === "") {
        cell = "", quoted = wasQuoted = true;
      } else if (character === delimiter) {
        cells.push(cell), cell = "", wasQuoted = false;
      } else if (character === "\n") {
        endLine();
      } else if (!wasQuoted || !" \r".includes(character)) {
        if (wasQuoted) throw new Error(`line ${start}: unexpected text after a closing quote; double quotes in a cell`);
        if (character !== "\r") cell += character;
      }
    }
    if (quoted) throw new Error(`line ${start}: a quote is never closed; add the missing "`);
    endLine();
    return lines;
  }

  /**
   * Return the decimal mark of the numbers in all columns of numbers: a comma if cells need it and
   * none needs a point, which commas between cells exclude.
   */
  function decimalOf(lines, delimiter) {
    if (delimiter === ",") return ".";
    const needs = { ".": false, ",": false };
    lines[0].cells.forEach((_, column) => {
      const inColumn = lines.slice(1).map(({ cells }) => cells[column]);
      if (!numbers.areMostlyNumeric(inColumn)) return;
      for (const mark of [".", ","]) {
        needs[mark] ||= inColumn.some((cell) =>
          numbers.hasMark(cell, mark) && !numbers.mayBeThousands(cell));
      }
    });
    return needs[","] && !needs["."] ? "," : ".";
  }

  /** Return {names, lines, notation} of a table whose first line has the names of the columns. */
  function parse(text) {
    const content = text.replace(/^\ufeff/, "");
    const named = namedDelimiter(content);
    const delimiter = named ?? delimiterOf(content.trimStart());
    const lines = linesOf(content, delimiter).slice(named === undefined ? 0 : 1);
    if (lines.length < 2) {
      throw new Error("the table is empty; paste a line of column names and at least one row");
    }
    const names = lines[0].cells.map((name) => name.trim());
    const first = `line ${lines[0].number}`;
    if (names.length === 1) throw new Error(`${first} has one cell; separate cells by commas, semicolons or tabs`);
    for (const { number, cells } of lines) {
      if (cells.length !== names.length) {
        throw new Error(
          `line ${number} has ${cells.length} cells, expected ${names.length} as in the first line`);
      }
    }
    const decimal = decimalOf(lines, delimiter);
    if (names.some((name) => Number.isFinite(numbers.number(name, decimal)))) {
      throw new Error(`${first} contains numbers; add a line with the names of the columns above it`);
    }
    const repeated = names.find((name, i) => names.indexOf(name) !== i);
    if (repeated !== undefined) throw new Error(`two columns are named "${repeated}"; rename one`);
    return { names, lines: lines.slice(1), notation: { delimiter, decimal, isNamed: named !== undefined } };
  }

  /** Return the text of a table. */
  function format(names, rows, { delimiter, decimal, isNamed }) {
    const quoted = (text) =>
      /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
    const written = (cell) => quoted(typeof cell === "number" ? String(cell).replace(".", decimal) : cell);
    const lines = [names, ...rows].map((row) => row.map(written).join(delimiter) + "\n");
    return (isNamed ? `sep=${delimiter}\n` : "") + lines.join("");
  }

  return { parse, format };
})();

if (typeof module !== "undefined") module.exports = Csv;
