// SPDX-License-Identifier: MIT
// Files of another kind are recognized by their first bytes.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <sstream>

#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

using namespace std::string_literals;

void expect_other_kind(const std::string& bytes, const std::string& problem) {
  std::istringstream input(bytes);
  expect_error<IoError>([&] { (void)read_csv(input, "table.csv"); }, "table.csv is " + problem);
}

TEST(FileKind, IsNamedInsteadOfCsv) {
  expect_other_kind("\x1f\x8b\x08 and so on",
                    "compressed by gzip, expected CSV; decompress it first, for example with "
                    "gunzip");
  expect_other_kind("\x28\xb5\x2f\xfd and so on",
                    "compressed by zstd, expected CSV; decompress it first, for example with zstd "
                    "-d");
  expect_other_kind("PAR1\x15\x04",
                    "a Parquet file, expected CSV; lbw.io.read_parquet of the Python package reads "
                    "it");
  expect_other_kind("PK\x03\x04 and so on",
                    "a zip file, such as .xlsx or .npz, expected CSV; save the table as CSV or "
                    ".npy");
  expect_other_kind("\x93NUMPY\x01\x00"s,
                    "a NumPy file (.npy), expected CSV; name it with the extension .npy");
  expect_other_kind("\x02\0\0\0\0\0\0\0{}"s,
                    "a model file (safetensors), expected CSV; give it where a model is expected");
}

TEST(FileKind, IsNamedInsteadOfNpyAndModels) {
  const TemporaryFolder folder;
  (void)folder.file("table.npy", "x,y\n1,2\n");
  (void)folder.file("table.safetensors", "x,y\n1,2\n3,4\n");
  (void)folder.file("packed.safetensors", "\x1f\x8b\x08 and so on");
  const std::string npy = (folder / "table.npy").string();
  expect_error<IoError>([&] { (void)read_npy(npy); },
                        npy +
                            " is a text file, such as CSV, expected a NumPy file (.npy); give it "
                            "where a table is expected, with another extension");
  const auto expect_no_model = [&](const char* file, const std::string& problem) {
    const std::string path = (folder / file).string();
    expect_error<IoError>([&] { (void)load_model(path); }, path + " is " + problem);
  };
  expect_no_model("table.safetensors",
                  "a text file, such as CSV, expected a model file (safetensors); give it where a "
                  "table is expected, with another extension");
  expect_no_model("packed.safetensors",
                  "compressed by gzip, expected a model file (safetensors); decompress it first, "
                  "for example with gunzip");
}

TEST(FileKind, LeavesOrdinaryTablesAlone) {
  for (const char* text : {"BZh,PK\n1,2\n", "PAR1,ARROW1\n1,2\n", "x,y\n1,2\n"}) {
    std::istringstream input(text);
    EXPECT_EQ(read_csv(input, "table.csv").values, (RowMatrix{{1.0, 2.0}})) << text;
  }
}

}  // namespace
}  // namespace lbw
