// SPDX-License-Identifier: MIT
// The groups of a table: their rows, and notes about them.
"use strict";

const Groups = (() => {
  const fewRows = 10;

  /** Return the rows of every group, by its name. Spaces belong to names, as in the program. */
  function rows(table, column, mostGroups) {
    const found = new Map();
    table.lines.forEach(({ number, cells }, row) => {
      const group = cells[column];
      if (group.trim() === "") {
        throw new Error(`line ${number} has no group in the column ${table.names[column]}; ` +
          "add it or remove the row");
      }
      if (!found.has(group)) found.set(group, []);
      found.get(group).push(row);
    });
    if (found.size > mostGroups) {
      throw new Error(`the column ${table.names[column]} has ${found.size} different values, ` +
        `expected at most ${mostGroups} groups for so many rows; choose another column of groups`);
    }
    return found;
  }

  /** Return notes about groups whose names have spaces around them, and about small groups. */
  function notes(found) {
    const spaced = [...found.keys()].find((name) => name.trim() !== name);
    const small = [...found].filter(([, own]) => own.length < fewRows);
    const list = small.map(([name, own]) => `"${name}" (${own.length})`).join(", ");
    return [
      ...(spaced === undefined ? [] : [`The group "${spaced}" begins or ends with spaces, which belong to its name.`]),
      ...(small.length === 0 ? []
        : [`Warning: groups of few rows: ${list}. Their transport follows sampling noise; add rows, or join groups.`]),
    ];
  }

  return { rows, notes };
})();

if (typeof module !== "undefined") module.exports = Groups;
