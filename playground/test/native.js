// SPDX-License-Identifier: MIT
// Runs the program lbw on the same data, and reads what it writes.
"use strict";

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

/** Return the tensors of a model file by name (docs/model-format.md). */
function readTensors(file) {
  const bytes = fs.readFileSync(file);
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  const tensors = {};
  for (const [name, tensor] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const [begin, end] = tensor.data_offsets.map((offset) => 8 + length + offset);
    const copy = bytes.buffer.slice(bytes.byteOffset + begin, bytes.byteOffset + end);
    tensors[name] = tensor.dtype === "I64" ? Array.from(new BigInt64Array(copy), Number)
      : Array.from(new Float64Array(copy));
  }
  return tensors;
}

/** The program in a folder of its own. */
class Program {
  constructor(program) {
    this.program = path.resolve(program);
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), "lbw-playground-"));
  }

  run(...options) {
    return execFileSync(this.program, [...options, "--quiet"], { cwd: this.folder, encoding: "utf8" });
  }

  /** Write samples with the shortest texts that read back to the same numbers. */
  write(name, samples, nFeatures) {
    const rows = [];
    for (let i = 0; i < samples.length; i += nFeatures) {
      rows.push(Array.from(samples.subarray(i, i + nFeatures)).join() + "\n");
    }
    this.writeText(name, rows.join(""));
  }

  writeText(name, text) {
    fs.writeFileSync(path.join(this.folder, name), text);
  }

  readText(name) {
    return fs.readFileSync(path.join(this.folder, name), "utf8");
  }

  read(name) {
    return this.readText(name).trim().split("\n").flatMap((line) => line.split(",").map(Number));
  }

  tensors(name) {
    return readTensors(path.join(this.folder, name));
  }

  remove() {
    fs.rmSync(this.folder, { recursive: true });
  }
}

module.exports = { Program };
