// SPDX-License-Identifier: MIT
// Files that are not text in UTF-8 are refused with words about what they are.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const test = require("node:test");
const zlib = require("node:zlib");

const Files = require(path.resolve(process.env.LBW_PLAYGROUND, "files.js"));
const bytes = (text, encoding = "latin1") => new Uint8Array(Buffer.from(text, encoding));

test("text in UTF-8 is read, without a byte order mark", () => {
  for (const mark of ["", "\ufeff"]) {
    assert.equal(Files.text(bytes(`${mark}name,x\nMüller,1\n`, "utf8"), "a.csv"), "name,x\nMüller,1\n");
  }
  assert.equal(Files.text(bytes(""), "a.csv"), "");
});

const compressed = "decompress it first", save = "save the table as CSV";
const convert = "save it as CSV in UTF-8, or convert it, for example with iconv";
const fromUtf16 = `is text in UTF-16, expected CSV; ${convert} -f utf-16 -t utf-8`;
const zip = (name) => bytes(`PK\x03\x04${"\0".repeat(26)}${name}\n`);

const cases = [
  ["gzip", zlib.gzipSync("g,x\n"), `is compressed by gzip, expected CSV; ${compressed}`],
  ["zstd", bytes("\x28\xb5\x2f\xfd\x04\x00"), `is compressed by zstd, expected CSV; ${compressed}`],
  ["xz", bytes("\xfd7zXZ\0"), `is compressed by xz, expected CSV; ${compressed}`],
  ["bzip2", bytes("BZh91AY"), `is compressed by bzip2, expected CSV; ${compressed}`],
  ["NPY", bytes("\x93NUMPY\x01\0"), `is a NumPy file (.npy), expected CSV; ${save}`],
  ["Parquet", bytes("PAR1\x15\x04"), `is a Parquet file, expected CSV; ${save}`],
  ["Arrow", bytes("ARROW1\0\0"), `is an Arrow file, expected CSV; ${save}`],
  ["an Arrow stream", bytes("\xff\xff\xff\xff\x10\0"), `is an Arrow file, expected CSV; ${save}`],
  ["XLSX", zip("[Content_Types].xml"), `is an Office file, such as .xlsx, expected CSV; ${save}`],
  ["ODS", zip("mimetype"), `is an OpenDocument file, such as .ods, expected CSV; ${save}`],
  ["zip", zip("table.csv"), "is a zip file, expected CSV; extract the table first"],
  ["XLS", bytes("\xd0\xcf\x11\xe0\xa1"), `is an old Office file, such as .xls, expected CSV; ${save}`],
  ["HDF5", bytes("\x89HDF\r\n"), `is an HDF5 file, expected CSV; ${save}`],
  ["PDF", bytes("%PDF-1.4\n"), `is a PDF document, expected CSV; ${save}`],
  ["UTF-16 with a mark", bytes("\ufeffg,x\n", "utf16le"), fromUtf16],
  ["UTF-16 without a mark", bytes("g,x\n", "utf16le"), fromUtf16],
  ["other bytes", bytes("table\0\x01\x02"), `is not a text file, expected CSV; ${save}`],
];

for (const [name, file, message] of cases) {
  test(`${name} is named`, () => {
    assert.throws(() => Files.text(new Uint8Array(file), "a.csv"), { message: `a.csv ${message}` });
  });
}

test("Latin-1 is refused with the line, because different letters would become the same", () => {
  for (const [text, line] of [
    ["name,x\nAnn,1\nM\xfcller,2\nM\xf6ller,3\n", 3], ["gr\xf6\xdfe,x\n", 1], ["g,x\nA,\xe9", 2],
    ["g,x\n\xe9\nA", 2],
  ]) {
    assert.throws(() => Files.text(bytes(text), "a.csv"), {
      message: `a.csv: line ${line} is not UTF-8; ${convert} -f latin1 -t utf-8`,
    });
  }
});
