// SPDX-License-Identifier: MIT
// Files that are missing, malformed or of another kind: exit code 1, the whole message, and no
// changed file.
#include <gtest/gtest.h>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

using namespace std::string_literals;

TEST(CliBadFiles, Tables) {
  const Workbench bench;
  bench.write("empty.csv", "");
  bench.write("header.csv", "x,y\n");
  bench.write("word.csv", "x,y\n1,2\n3,abc\n");
  bench.write("hole.csv", "x,y\n1,2\n3,\n");
  bench.write("ragged.csv", "x,y\n1,2\n3\n");
  bench.write("nan.csv", "x,y\n1,nan\n");
  bench.write("huge.csv", "x,y\n1,1e400\n");
  bench.write("twice.csv", "x,x\n1,2\n");
  bench.write("open.csv", "x,y\n1,\"2\n");
  bench.write("text.npy", "x,y\n1,2\n");
  bench.write("short.npy", bench.bytes("A.npy").substr(0, 200));
  const auto fit = [](const std::string& file) {
    return std::vector<std::string>{"fit", "A.csv", file, "-o", "kept.safetensors"};
  };
  expect_refused(
      bench,
      {
          {fit("missing.csv"), 1, "cannot read 'missing.csv': No such file or directory"},
          {fit("empty.csv"), 1, "empty.csv: the file is empty"},
          {fit("header.csv"), 1, "header.csv: the file has a header but no rows"},
          {fit("word.csv"), 1,
           "word.csv:3: column 2 (y): \"abc\" is not a finite number; choose other columns with "
           "--columns, or convert them to numbers"},
          {fit("hole.csv"), 1,
           "hole.csv:3: column 2 (y): the cell is empty; fill it in, or skip such rows with "
           "--missing skip"},
          {fit("ragged.csv"), 1, "ragged.csv:3: 1 cell, expected 2 as in line 1"},
          {fit("nan.csv"), 1,
           "nan.csv:2: column 2 (y): nan is a missing value; fill it in, or skip such rows with "
           "--missing skip"},
          {fit("huge.csv"), 1,
           "huge.csv:2: column 2 (y): \"1e400\" is not a finite number; choose other columns with "
           "--columns, or convert them to numbers"},
          {fit("twice.csv"), 1,
           "twice.csv: two columns are named 'x', expected distinct names; rename one or exclude "
           "it with --columns"},
          {fit("open.csv"), 1, "open.csv:2: a quote is not closed"},
          {fit("text.npy"), 1,
           "text.npy is a text file, such as CSV, expected a NumPy file (.npy); give it where a "
           "table is expected, with another extension"},
          {fit("short.npy"), 1,
           "short.npy: shape (300, 2) of '<f8' does not match the 72 bytes after the header"},
          {fit("missing.npy"), 1, "cannot read 'missing.npy': No such file or directory"},
          {fit("."), 1, "cannot read '.': it is a directory"},
          {fit("B=-"), 1,
           "standard input:2: column 2 (y): \"z\" is not a finite number; choose other columns "
           "with "
           "--columns, or convert them to numbers",
           "x,y\n1,z\n"},
      });
}

TEST(CliBadFiles, Models) {
  const Workbench bench;
  bench.fit_model();
  const std::string model = bench.bytes("model.safetensors");
  bench.write("empty.safetensors", "");
  bench.write("cut.safetensors", model.substr(0, model.size() - 8));
  bench.write("longer.safetensors", model + "12345678");
  bench.write("text.safetensors", "AAAAAAAAnot one!");  // the length field is 0x41 eight times
  bench.write("other.safetensors", "\x02\0\0\0\0\0\0\0{}"s);
  bench.write("nojson.safetensors", "\x02\0\0\0\0\0\0\0{{"s);
  const auto inspect = [](const std::string& file) {
    return std::vector<std::string>{"inspect", file};
  };
  expect_refused(
      bench,
      {
          {inspect("missing.safetensors"), 1,
           "cannot read 'missing.safetensors': No such file or directory"},
          {inspect("empty.safetensors"), 1,
           "empty.safetensors: 0 bytes are too few for a model file (safetensors)"},
          {inspect("cut.safetensors"), 1,
           "cut.safetensors: tensor 'coupling.tuples' has data_offsets (336, 384), expected two "
           "within the 376 bytes of data"},
          {inspect("longer.safetensors"), 1,
           "longer.safetensors: 8 bytes after the last tensor, expected none"},
          {inspect("other.safetensors"), 1,
           "other.safetensors: __metadata__ has no entry 'format'; is it an lbw model?"},
          {inspect("nojson.safetensors"), 1,
           "nojson.safetensors: the header is not valid JSON (byte 2)"},
          {{"barycenter", "text.safetensors", "-o", "kept.csv"},
           1,
           "text.safetensors: not a model file (safetensors), or truncated: the first 8 bytes give "
           "a header of 4702111234474983745 bytes, expected at most 8"},
          {{"transport", "-", "A.csv", "--from", "A", "--to", "B", "-o", "kept.csv"},
           1,
           "standard input: 4 bytes are too few for a model file (safetensors)",
           "1234"},
      });
}

TEST(CliBadFiles, Pictures) {
  const Workbench bench;
  bench.draw_shapes();
  bench.write("cut.png", bench.bytes("disc.png").substr(0, 60));
  const auto morph = [](const std::string& file) {
    return std::vector<std::string>{"morph", "disc.png", file, "-o", "kept.png"};
  };
  expect_refused(
      bench, {
                 {morph("missing.png"), 1, "cannot read 'missing.png': No such file or directory"},
                 {morph("cut.png"), 1, "cut.png: not a readable PNG: end of stream"},
                 {morph("A.csv"), 1, "A.csv: not a readable PNG: invalid signature"},
             });
}

}  // namespace
}  // namespace lbw
