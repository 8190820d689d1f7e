// SPDX-License-Identifier: MIT
// The tab of tables: reading, transport of all groups to their barycenter, plots and download.
"use strict";

const Tables = (() => {
  const nColours = 6;
  const element = (id) => document.getElementById(id);
  const state = { lbw: null, table: null, result: null, address: null };

  const options = () => element("table-options").elements;
  const mostGroups = () => state.lbw.maxGroups(state.table.lines.length);

  function say(text, isError = false) {
    const status = element("table-status");
    status.textContent = text;
    status.classList.toggle("error", isError);
  }

  /** Read the text and offer its columns. */
  function read() {
    state.table = null;
    show(null);
    if (element("csv-text").value.trim() === "") {
      return say("Paste a table, open a file or load the example.");
    }
    try {
      state.table = Csv.parse(element("csv-text").value);
      ColumnForm.offer(state.table, mostGroups());
      describe();
    } catch (error) {
      say(`Table: ${error.message}.`, true);
    }
  }

  /** Read a file; an error leaves no table. */
  async function open(file) {
    element("csv-text").value = "";
    try {
      element("csv-text").value = Files.text(new Uint8Array(await file.arrayBuffer()), file.name);
      read();
    } catch (error) {
      read();
      say(`${error.message}.`, true);
    }
  }

  /** Say what the table has, or what is wrong with the chosen columns. */
  function describe() {
    show(null);
    const { names, lines } = state.table;
    try {
      for (const column of ColumnForm.features()) Columns.numbers(state.table, column);
      say([`${lines.length} rows and ${names.length} columns.`, ColumnForm.leftOut()].filter(Boolean).join("\n"));
    } catch (error) {
      say(`Table: ${error.message}.`, true);
    }
  }

  function chosenFeatures() {
    const features = ColumnForm.features();
    if (features.length >= 2) return features;
    throw new Error("choose at least two columns of numbers to transport");
  }

  /** Return the values before and after the transport, column by column. */
  function transported(features, rows) {
    const before = features.map((column) => Columns.numbers(state.table, column));
    const after = before.map((values) => [...values]);
    const groups = [...rows].map(([name, own]) => ({
      name, samples: Float64Array.from(own.flatMap((row) => before.map((values) => values[row]))),
    }));
    const { n_components, map, seed } = options();
    const model = state.lbw.fit(groups, features.length, {
      n_components: n_components.value, map: map.value, seed: seed.value, scale_features: true,
    });
    try {
      const weights = groups.map(() => 1);
      for (const { name, samples } of groups) {
        const moved = model.toBarycenter(name, weights, samples);
        rows.get(name).forEach((row, i) =>
          after.forEach((values, column) => { values[row] = moved[i * features.length + column]; }));
      }
    } finally {
      model.delete();
    }
    return { before, after };
  }

  function run() {
    if (state.table === null) return read();  // says what is wrong
    const start = performance.now();
    try {
      const features = chosenFeatures();
      const rows = Groups.rows(state.table, ColumnForm.group(), mostGroups());
      const { before, after } = transported(features, rows);
      show({ features, rows, before, after });
      const milliseconds = Math.round(performance.now() - start);
      say([`Transported ${state.table.lines.length} rows of ${rows.size} groups in ${milliseconds} ms.`,
        ColumnForm.leftOut(), ...Groups.notes(rows)].filter(Boolean).join("\n"));
    } catch (error) {
      show(null);
      say(`${Terms.ofThePage(error.message)}.`, true);
    }
  }

  /** Show a result, or hide the last one. */
  function show(result) {
    state.result = result;
    element("result").hidden = result === null;
    if (state.address !== null) URL.revokeObjectURL(state.address);
    state.address = null;
    if (result === null) return;
    const names = result.features.map((column) => state.table.names[column]);
    for (const [axis, chosen] of [["axis-x", 0], ["axis-y", 1]]) {
      const select = element(axis);
      const last = names.indexOf(select.selectedOptions[0]?.text);
      select.replaceChildren(...names.map((name, i) => new Option(name, i)));
      select.value = last >= 0 ? last : chosen;
    }
    state.address = URL.createObjectURL(new Blob([csvOf(result)], { type: "text/csv" }));
    element("download").href = state.address;
    draw();
  }

  /** Return the table with transported values. */
  function csvOf({ features, after }) {
    const { names, lines, notation } = state.table;
    const rows = lines.map(({ cells }, row) =>
      cells.map((cell, column) => {
        const feature = features.indexOf(column);
        return feature < 0 ? cell : after[feature][row];
      }));
    return Csv.format(names, rows, notation);
  }

  function draw() {
    if (state.result === null) return;
    const { features, rows, before, after } = state.result;
    const [x, y] = ["axis-x", "axis-y"].map((axis) => Number(element(axis).value));
    const names = { x: state.table.names[features[x]], y: state.table.names[features[y]] };
    const both = (column) => Plot.interval([...before[column], ...after[column]]);
    const intervals = { x: both(x), y: both(y) };
    const colours = [...rows.keys()].map((_, i) => Plot.style(`--group-${i % nColours}`));
    for (const [canvas, values] of [["before", before], ["after", after]]) {
      const groups = [...rows.values()].map((own, i) => ({
        colour: colours[i], x: own.map((row) => values[x][row]), y: own.map((row) => values[y][row]),
      }));
      Plot.scatter(element(canvas), groups, intervals, names);
    }
    drawLegend(rows, colours);
  }

  function drawLegend(rows, colours) {
    element("legend").replaceChildren(...[...rows].map(([name, own], i) => {
      const item = document.createElement("li");
      const mark = document.createElement("span");
      mark.style.background = colours[i];
      item.append(mark, `${name.trim() === name ? name : `"${name}"`} (${own.length})`);
      return item;
    }));
  }

  /** Connect the elements of the tab. */
  function start(lbw) {
    state.lbw = lbw;
    element("csv-text").addEventListener("input", read);
    element("csv-file").addEventListener("change", async ({ target }) => {
      if (target.files.length > 0) await open(target.files[0]);
      target.value = "";  // so that the same file can be opened again
    });
    element("csv-example").addEventListener("click", () => {
      element("csv-text").value = Example.table();
      read();
      run();
    });
    ColumnForm.start(() => state.table !== null && describe());
    element("table-options").addEventListener("submit", (event) => {
      event.preventDefault();
      say("Fitting …");
      setTimeout(run, 20);  // after the browser has shown the line above
    });
    for (const axis of ["axis-x", "axis-y"]) element(axis).addEventListener("change", draw);
    read();  // browsers keep the text when a page is loaded again
  }

  return { start, draw };
})();
