// SPDX-License-Identifier: MIT
// The example of docs/browser.md prints what its comments say.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");

const folder = path.resolve(process.env.LBW_PLAYGROUND);
const { loadLbw } = require(path.join(folder, "lbw.js"));

test("the example of the documentation", async () => {
  const page = fs.readFileSync(path.join(__dirname, "../../docs/browser.md"), "utf8");
  const code = /^```js\n(.*?)^```/ms.exec(page)[1];
  const expected = [...code.matchAll(/\/\/ about (\[.*?\])/g)].map((match) => JSON.parse(match[1]));
  const printed = [];
  const log = { log: (values) => printed.push(Array.from(values, (value) => Number(value.toFixed(4)))) };
  await new Function("loadLbw", "console", `return (async () => {${code}})()`)(loadLbw, log);
  assert.equal(expected.length, 3);
  assert.deepEqual(printed, expected);
});

test("the page loads only files that lie beside it", () => {
  const page = fs.readFileSync(path.join(folder, "index.html"), "utf8");
  const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1]);
  assert.ok(addresses.length >= 5);
  for (const address of addresses.filter((other) => other !== "data:,")) {
    assert.ok(fs.existsSync(path.join(folder, address)), address);
  }
});
