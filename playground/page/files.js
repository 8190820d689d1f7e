// SPDX-License-Identifier: MIT
// Files that are opened: text in UTF-8, or words about what they are instead.
"use strict";

const Files = (() => {
  const nFirst = 64;  // bytes that tell the kind of a file
  const decompress = "decompress it first";
  const saveAsCsv = "save the table as CSV";
  const convertFrom = (encoding) =>
    `save it as CSV in UTF-8, or convert it, for example with iconv -f ${encoding} -t utf-8`;

  // The first bytes, as characters of the same numbers; src/io/file_kind.cpp has more of them.
  const kinds = [
    [/^\x1f\x8b/, "compressed by gzip", decompress],
    [/^\x28\xb5\x2f\xfd/, "compressed by zstd", decompress],
    [/^\xfd7zXZ/, "compressed by xz", decompress],
    [/^BZh\d/, "compressed by bzip2", decompress],
    [/^\x93NUMPY/, "a NumPy file (.npy)", saveAsCsv],
    [/^PAR1/, "a Parquet file", saveAsCsv],
    [/^(ARROW1|\xff{4})/, "an Arrow file", saveAsCsv],
    [/^PK\x03\x04.{26}(\[Content_Types\]|_rels\/|xl\/|docProps\/)/s, "an Office file, such as .xlsx", saveAsCsv],
    [/^PK\x03\x04.{26}mimetype/s, "an OpenDocument file, such as .ods", saveAsCsv],
    [/^PK\x03\x04/, "a zip file", "extract the table first"],
    [/^\xd0\xcf\x11\xe0/, "an old Office file, such as .xls", saveAsCsv],
    [/^\x89HDF/, "an HDF5 file", saveAsCsv],
    [/^%PDF-/, "a PDF document", saveAsCsv],
    [/^(\xff\xfe|\xfe\xff|.\0.\0|\0.\0.)/s, "text in UTF-16", convertFrom("utf-16")],
    [/\0/, "not a text file", saveAsCsv],
  ];

  function decoded(bytes) {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  }

  /** Return the number of the first line that is not UTF-8. */
  function badLine(bytes) {
    for (let begin = 0, number = 1; ; ++number) {
      const end = bytes.indexOf(0x0a, begin);
      try {
        decoded(bytes.subarray(begin, end < 0 ? bytes.length : end));
      } catch {
        return number;
      }
      begin = end + 1;
    }
  }

  /** Return the text of a file. */
  function text(bytes, name) {
    const first = String.fromCharCode(...bytes.subarray(0, nFirst));
    const kind = kinds.find(([form]) => form.test(first));
    if (kind !== undefined) throw new Error(`${name} is ${kind[1]}, expected CSV; ${kind[2]}`);
    try {
      return decoded(bytes);
    } catch {
      throw new Error(`${name}: line ${badLine(bytes)} is not UTF-8; ${convertFrom("latin1")}`);
    }
  }

  return { text };
})();

if (typeof module !== "undefined") module.exports = Files;
