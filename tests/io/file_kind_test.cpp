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
  const std::string python = ", expected CSV; the Python package of lbw reads it with pyarrow";
  const std::string pandas = ", expected CSV; save the table as CSV, for example with pandas";
  const std::string sheet = ", expected CSV; save the sheet as CSV";
  const std::string utf16 =
      "text in UTF-16, expected CSV; convert it, for example with iconv -f UTF-16 -t UTF-8";
  const std::string zip = "PK\x03\x04" + std::string(26, '\1');
  expect_other_kind("PAR1\x15\x04", "a Parquet file" + python);
  expect_other_kind("ARROW1\0\0"s, "an Arrow file (Feather)" + python);
  expect_other_kind("\xff\xff\xff\xff\x10\1\0\0"s, "an Arrow stream" + python);
  expect_other_kind("FEA1\0\0"s, "a Feather file of version 1" + python);
  expect_other_kind("BZh9\x31\x41\1",
                    "compressed by bzip2, expected CSV; decompress it first, for "
                    "example with bunzip2");
  expect_other_kind(
      "\xfd"
      "7zXZ\0"s,
      "compressed by xz, expected CSV; decompress it first, for example with unxz");
  expect_other_kind(zip + "[Content_Types].xml", "an Office file, such as .xlsx" + sheet);
  expect_other_kind(zip + "mimetypeapplication", "an OpenDocument file, such as .ods" + sheet);
  expect_other_kind(zip + "arr_0.npy",
                    "a NumPy archive (.npz), expected CSV; save the array with "
                    "numpy.save");
  expect_other_kind(zip + "table.csv",
                    "a zip file, expected CSV; extract the table first, for "
                    "example with unzip");
  expect_other_kind("\x89HDF\r\n\x1a\n"s, "an HDF5 file" + pandas);
  expect_other_kind("SQLite format 3\0"s, "an SQLite database" + pandas);
  expect_other_kind("\x80\x04\x95\1"s, "a Python pickle" + pandas);
  expect_other_kind("%PDF-1.4\n", "a PDF document, expected CSV; save its table as CSV");
  expect_other_kind("\x89PNG\r\n\x1a\n"s, "a PNG picture, expected CSV; lbw morph reads pictures");
  expect_other_kind("[\n  {\"x\": 1}\n]\n", "a JSON file" + pandas);
  expect_other_kind("{ \"x\": 1 }\n", "a JSON file" + pandas);
  expect_other_kind("<!DOCTYPE html>\n<html>\n",
                    "an HTML page, expected CSV; was a download page "
                    "saved in place of the file?");
  expect_other_kind(
      "\xff\xfe"
      "x\0,\0y\0\n\0"s,
      utf16);
  expect_other_kind("x\0,\0y\0\n\0"s, utf16);
  expect_other_kind("\0x\0,\0y\0\n"s, utf16);
  expect_other_kind(
      "\x93NUMPY\x01\x00"s,
      "a NumPy file (.npy), expected CSV; decompress it if it is compressed, and name it .npy");
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

// The length of the header of a model may have the first bytes of another kind, such as gzip.
TEST(FileKind, RecognizesModelsWhateverTheLengthOfTheirHeader) {
  for (const std::string& length : {"\x1f\x8b"s, "\x80\x03"s, "\xff\xfe"s, "\xfe\xff"s, "BZ"s}) {
    expect_other_kind(
        length + "\0\0\0\0\0\0{}"s,
        length == "\x1f\x8b"
            ? "compressed by gzip and damaged (unknown compression method); create or "
              "copy the file again"
            : "a model file (safetensors), expected CSV; give it where a model is "
              "expected");
    const std::string bytes = length + "\0\0\0\0\0\0{}"s + std::string(70'000, ' ');
    try {
      (void)model_from_bytes(bytes, "m");
      ADD_FAILURE() << "a model without tensors was read";
    } catch (const IoError& error) {  // the header is read
      EXPECT_TRUE(std::string(error.what()).starts_with("m: ")) << error.what();
    }
  }
}

TEST(FileKind, LeavesOrdinaryTablesAlone) {
  for (const char* text :
       {"{x},[y]\n1,2\n", "[0],<y>\n1,2\n", "BZh,PK\n1,2\n", "PAR1,ARROW1\n1,2\n", "x,y\n1,2\n"}) {
    std::istringstream input(text);
    EXPECT_EQ(read_csv(input, "table.csv").values, (RowMatrix{{1.0, 2.0}})) << text;
  }
}

}  // namespace
}  // namespace lbw
