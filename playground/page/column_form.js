// SPDX-License-Identifier: MIT
// The choice of the column of groups and of the columns to transport.
"use strict";

const ColumnForm = (() => {
  let choices = [];

  const groupSelect = () => document.getElementById("table-options").elements.group;
  const group = () => Number(groupSelect().value);

  /** Return the columns to transport. */
  const features = () => [...choices.keys()].filter((column) => choices[column].isChosen && column !== group());

  const leftOut = () => Columns.leftOut(choices, group());

  function labelOf({ name }, column) {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.value = column;
    const label = document.createElement("label");
    label.className = "check";
    label.append(box, name);
    return label;
  }

  /** Check the boxes of the chosen columns; the column of groups cannot be transported. */
  function update() {
    for (const box of document.querySelectorAll("#features input")) {
      box.disabled = Number(box.value) === group();
      box.checked = features().includes(Number(box.value));
    }
  }

  /** Offer the columns of a table, and keep choices that still apply. */
  function offer(table, mostGroups) {
    const names = (those) => those.map(({ name }) => name).join("\n");
    const next = Columns.choices(table, choices);
    const isSame = names(next) === names(choices);
    choices = next;
    if (!isSame) {
      groupSelect().replaceChildren(...table.names.map((name, column) => new Option(name, column)));
      groupSelect().value = Columns.groupColumn(table, choices, mostGroups);
      document.getElementById("features").replaceChildren(...choices.map(labelOf));
    }
    update();
  }

  /** Connect the elements; changed() is called after another choice. */
  function start(changed) {
    groupSelect().addEventListener("change", () => {
      update();
      changed();
    });
    document.getElementById("features").addEventListener("change", ({ target }) => {
      choices[Number(target.value)].isChosen = target.checked;
      changed();
    });
  }

  return { start, offer, group, features, leftOut };
})();
