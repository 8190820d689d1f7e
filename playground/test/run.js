// SPDX-License-Identifier: MIT
// node playground/test/run.js PLAYGROUND PROGRAM
//
// Tests the module and the scripts in the folder PLAYGROUND, and compares them with the program lbw.
"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const [playground, program] = process.argv.slice(2).map((argument) => path.resolve(argument));
const tests = fs.readdirSync(__dirname).filter((name) => name.endsWith("_test.js"));
const { status } = spawnSync(process.execPath, ["--test", ...tests.map((name) => path.join(__dirname, name))], {
  stdio: "inherit",
  env: { ...process.env, LBW_PLAYGROUND: playground, LBW_PROGRAM: program },
});
process.exit(status ?? 1);
