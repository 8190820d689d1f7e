// SPDX-License-Identifier: MIT
// Small files that claim to be large are refused with little memory, and files of many small parts
// need a small multiple of their size.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/tensor_file.hpp>
#include <sstream>

#include "core/fnv.hpp"
#include "io/from_bytes.hpp"
#include "io/little_endian.hpp"
#include "io/sample_model.hpp"
#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"
#include "support/limited_memory.hpp"
#include "support/npy_bytes.hpp"

namespace lbw {
namespace {

using namespace std::string_literals;

constexpr std::size_t mebibyte = std::size_t{1} << 20U;
constexpr std::size_t little_memory = 16 * mebibyte;

#define SKIP_IF_MEMORY_CANNOT_BE_LIMITED() \
  if (!can_limit_memory) GTEST_SKIP() << "the address space cannot be limited here"

TEST(LimitedMemory, OfATestIsNotEnoughForMore) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  EXPECT_EQ(outcome_within(little_memory, [] { std::string(mebibyte, 'x'); }), "done");
  EXPECT_EQ(outcome_within(little_memory, [] { std::string(64 * mebibyte, 'x'); }),
            "not enough memory");
}

void expect_npy_refused(const std::string& bytes, const std::string& expected) {
  EXPECT_EQ(outcome_within(little_memory, [&] { (void)npy_from_bytes(bytes, "a.npy"); }),
            "a.npy: " + expected);
}

TEST(LimitedMemory, SufficesForNpyShapesThatAreTooLarge) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  expect_npy_refused(
      npy_of("<f8", "(1000000000000, 100)", "12345678"),
      "shape (1000000000000, 100) of '<f8' does not match the 8 bytes after the header");
  // 8 * 2^61 is 0 in 64 bits, and 8 * (2^61 + 1) is 8
  expect_npy_refused(npy_of("<f8", "(2305843009213693953,)", "12345678"),
                     "shape (2305843009213693953,) of '<f8' does not match the 8 bytes after the "
                     "header");
  expect_npy_refused(npy_of("<f8", "(4294967296, 536870912)", ""),
                     "shape (4294967296, 536870912) of '<f8' does not match the 0 bytes after the "
                     "header");
}

TEST(LimitedMemory, SufficesForNpyHeadersThatAreTooLong) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  const std::string bytes = "\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr': '<f8'}"s;
  EXPECT_THROW((void)npy_from_bytes(bytes, "a.npy"), IoError);
  EXPECT_NE(outcome_within(little_memory, [&] { (void)npy_from_bytes(bytes, "a.npy"); }),
            "not enough memory");
}

/// A model file of a header and no data.
std::string file_of_header(const std::string& header) {
  std::string bytes;
  append_little_endian(bytes, std::uint64_t{header.size()});
  return bytes + header;
}

TEST(LimitedMemory, SufficesForTensorsThatAreTooLarge) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  const auto outcome = [](const std::string& header) {
    const std::string bytes = file_of_header(header);
    return outcome_within(little_memory, [&] { (void)tensor_file_from_bytes(bytes, "m"); });
  };
  EXPECT_EQ(outcome(R"({"a":{"dtype":"F64","shape":[1000000000000],"data_offsets":[0,0]}})"),
            "m: tensor 'a' has 0 bytes, which does not match its shape (1000000000000)");
  EXPECT_EQ(
      outcome(R"({"a":{"dtype":"F64","shape":[0],"data_offsets":[0,8000000000000]}})"),
      "m: tensor 'a' has data_offsets (0, 8000000000000), expected two within the 0 bytes of data");
  // 2^32 * 2^32 is 0 in 64 bits
  EXPECT_EQ(outcome(R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})"),
            "m: tensor 'a' has 0 bytes, which does not match its shape (4294967296, 4294967296)");
}

TEST(LimitedMemory, IsASmallMultipleOfJsonHeaders) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  constexpr std::size_t size = 4 * mebibyte;
  const auto outcome = [](const std::string& bytes) {
    return outcome_within(48 * size, [&] { (void)tensor_file_from_bytes(bytes, "m"); });
  };
  std::string arrays = R"({"a":[0)";
  while (arrays.size() < size) arrays += ",[]";
  EXPECT_EQ(outcome(file_of_header(arrays + "]}")), "m: tensor 'a' is not an object");
  std::string numbers = R"({"a":{"dtype":"F64","data_offsets":[0,0],"shape":[0)";
  while (numbers.size() < size) numbers += ",0";
  EXPECT_EQ(outcome(file_of_header(numbers + "]}}")), "done");
  std::string names = R"({"__metadata__":{"-":"")";
  for (int i = 0; names.size() < size; ++i) names += ",\"" + std::to_string(i) + "\":\"\"";
  EXPECT_EQ(outcome(file_of_header(names + "}}")), "done");
}

/// Reads a table from text in a process with some memory.
std::string csv_outcome(const std::string& text, std::size_t memory,
                        const CsvOptions& options = {}) {
  return outcome_within(memory, [&] {
    std::istringstream stream(text);
    (void)read_csv(stream, "a.csv", options);
  });
}

TEST(LimitedMemory, IsASmallMultipleOfTablesWithManyColumns) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  constexpr std::size_t n_columns = mebibyte;
  std::string line = "1";
  for (std::size_t i = 1; i < n_columns; ++i) line += ",1";
  const std::string text = line + "\n" + line + "\n";  // 4 MiB
  EXPECT_EQ(csv_outcome(text, 48 * text.size()), "done");
}

TEST(LimitedMemory, IsASmallMultipleOfTablesWithManyRows) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  std::string text = "a,b\n";
  while (text.size() < 4 * mebibyte) text += "1,2\n";
  EXPECT_EQ(csv_outcome(text, 48 * text.size()), "done");
  EXPECT_EQ(csv_outcome(text, 48 * text.size(), {.group_column = "b"}), "done");
  EXPECT_EQ(csv_outcome(text, 48 * text.size(), {.columns = {"a"}, .keeps_others = true}), "done");
}

// Empty cells need one byte of the file each.
TEST(LimitedMemory, IsASmallMultipleOfLinesOfManyEmptyCells) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  const std::string commas(4 * mebibyte, ',');
  const std::size_t most = 48 * commas.size();
  EXPECT_EQ(csv_outcome(commas, most),
            "a.csv:1: column 1: the cell is empty; fill it in, or skip such rows with the option "
            "missing=skip");
  const std::string row = "1" + commas + "\n";
  EXPECT_EQ(csv_outcome(row, most, {.columns = {"1"}, .keeps_others = true}), "done");
  EXPECT_EQ(csv_outcome(row, most, {.all_text = true}), "done");
  EXPECT_EQ(csv_outcome(row, most, {.missing = MissingValues::keep}), "done");
  EXPECT_EQ(csv_outcome("a" + commas + "\n" + row, 2 * most, {.missing = MissingValues::keep}),
            "done");
  EXPECT_EQ(csv_outcome("a,b" + commas + "\n1," + row, 2 * most,
                        {.columns = {"a", "b"}, .missing = MissingValues::keep}),
            "done");
  EXPECT_EQ(csv_outcome("a" + commas + "\n1\n", most),
            "a.csv:2: 1 cell, expected 4194305 as in line 1");
  EXPECT_EQ(csv_outcome("a" + commas + "\n" + row, 2 * most, {.columns = {"b"}}).substr(0, 40),
            "a.csv: no column 'b'; the columns are 'a");
}

TEST(LimitedMemory, IsASmallMultipleOfManyRowsOfText) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  std::string text = "a,b,c\n";
  while (text.size() < 4 * mebibyte) text += "1,,\n";
  EXPECT_EQ(csv_outcome(text, 48 * text.size(), {.columns = {"a"}, .keeps_others = true}), "done");
  EXPECT_EQ(csv_outcome(text, 48 * text.size(), {.all_text = true}), "done");
  const std::string lines = "a\n" + std::string(4 * mebibyte, '\n');
  EXPECT_EQ(csv_outcome(lines, 48 * lines.size(), {.all_text = true}), "done");
  EXPECT_EQ(csv_outcome(lines, 48 * lines.size(), {.missing = MissingValues::keep}), "done");
}

void expect_bomb_refused(const std::string& name, const std::string& kind) {
  const TemporaryFolder folder;
  Table table{{"x"}, RowMatrix::Ones(10'000, 1), "", {}};
  table.others = {1, {"note"}, {}};
  for (int i = 0; i < 10'000; ++i) table.others.cells.push_back(std::string(8'000, 'n'));
  write_csv(folder / name, table);
  const std::string path = (folder / name).string();
  EXPECT_LT(std::filesystem::file_size(path), 400'000U);
  const std::string expected =
      path + " is compressed by " + kind +
      " and expands to more than 200 times its size, as no table of measurements does; decompress "
      "it first if it is one";
  expect_error<IoError>([&] { (void)read_csv(path, {.columns = {"x"}}); }, expected);
}

TEST(LimitedMemory, IsNotFilledByFilesThatExpandWithoutEnd) {
  expect_bomb_refused("a.csv.gz", "gzip");
  expect_bomb_refused("a.csv.zst", "zstd");
}

TEST(LimitedMemory, SufficesForZstdFramesThatAskForMore) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  // the third byte after the magic number asks for a window of 2^41 bytes
  const std::string bytes = "\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00"s;
  EXPECT_EQ(csv_outcome(bytes, little_memory),
            "a.csv is compressed by zstd and damaged (Frame requires too much memory for "
            "decoding); create or copy the file again");
}

TEST(LimitedMemory, SufficesForSumsThatClaimManyComponents) {
  SKIP_IF_MEMORY_CANNOT_BE_LIMITED();
  for (const std::uint64_t claimed : {std::uint64_t{1} << 16U, std::uint64_t{1} << 62U}) {
    std::string bytes = "LBWS\x02\x00"s;
    append_little_endian(bytes, claimed);
    append_little_endian(bytes, claimed);
    bytes.resize(100'000);
    Fnv hash;
    hash.add(std::string_view(bytes));
    append_little_endian(bytes, hash.value());
    EXPECT_EQ(outcome_within(little_memory, [&] { (void)moment_sums_from_bytes(bytes); }),
              "the bytes of moment sums are truncated");
    bytes.replace(0, 4, "LBWM");
    bytes.resize(100'000);
    Fnv other;
    other.add(std::string_view(bytes));
    append_little_endian(bytes, other.value());
    EXPECT_EQ(outcome_within(little_memory, [&] { (void)mixture_from_bytes(bytes); }),
              "the bytes of a mixture are truncated");
  }
}

TEST(ControlCharacters, AreRefusedInNames) {
  TransportModel model = sample_model(CovarianceType::full, 2, 2);
  model.group_names[0] = "r\x1b[2Jd";
  expect_error<InvalidArgument>([&] { (void)model_to_bytes(model); },
                                "save_model: group name 'r?[2Jd' contains a control character, "
                                "expected visible characters and spaces");
  std::istringstream column("a,b\x07\n1,2\n");
  expect_error<IoError>([&] { (void)read_csv(column, "a.csv"); },
                        "a.csv:1: the name of column 2, 'b?', contains a control character; rename "
                        "the column");
  std::istringstream group("a,g\n1,x\n2,y\x1b[0m\n");
  expect_error<IoError>([&] { (void)read_csv(group, "a.csv", {.group_column = "g"}); },
                        "a.csv:3: column 2 (g): the group \"y?[0m\" contains a control character; "
                        "remove it");
}

TEST(ControlCharacters, AreThoseOfAsciiAndOfLatin1) {
  for (const std::string harmless :
       {"", "a b", "a\tb", "a\nb", "a\r\nb", "\u00A0", "\u00C2", "\u20AC", "\U0001F41F", "~"}) {
    EXPECT_FALSE(has_control_character(harmless)) << harmless;
    EXPECT_FALSE(has_control_character(harmless + harmless)) << harmless;
  }
  for (const std::string& control : {"\0"s, "\b"s, "\x1b"s, "\x7f"s, "\r"s, "\r\r\n"s, "\n\r"s,
                                     "\u0080"s, "\u009b"s, "\u009f"s}) {
    EXPECT_TRUE(has_control_character("\u00E4" + control + "x")) << control;
    EXPECT_TRUE(has_control_character(control)) << control;
  }
}

TEST(ControlCharacters, BeyondAsciiAreRefusedInNamesAndHiddenInMessages) {
  std::istringstream column("x\u009b2Jevil,b\n1,2\n");
  expect_error<IoError>([&] { (void)read_csv(column, "a.csv"); },
                        "a.csv:1: the name of column 1, 'x?2Jevil', contains a control character; "
                        "rename the column");
  std::istringstream group("a,g\n1,x\n2,\u0085\u00E4\u009b\n");
  expect_error<IoError>([&] { (void)read_csv(group, "a.csv", {.group_column = "g"}); },
                        "a.csv:3: column 2 (g): the group \"?\u00E4?\" contains a control "
                        "character; remove it");
  TransportModel model = sample_model(CovarianceType::full, 2, 2);
  model.group_names[0] = "r\u009b2Jd";
  expect_error<InvalidArgument>([&] { (void)model_to_bytes(model); },
                                "save_model: group name 'r?2Jd' contains a control character, "
                                "expected visible characters and spaces");
}

// Cells of CRLF files may have several lines. A carriage return alone overwrites a line.
TEST(ControlCharacters, IncludeCarriageReturnsUnlessTheyEndLines) {
  const auto read = [](const std::string& text) {
    std::istringstream stream(text);
    return read_csv(stream, "a.csv", {.group_column = "g"});
  };
  const Table table = read("\"a\r\nb\",g\r\n1,\"x\r\ny\"\r\n2,z\r\n");
  EXPECT_EQ(table.feature_names, std::vector<std::string>{"a\r\nb"});
  EXPECT_EQ(table.groups, (std::vector<std::string>{"x\r\ny", "z"}));
  expect_error<IoError>([&] { (void)read("\"a\rb\",g\n1,x\n"); },
                        "a.csv:1: the name of column 1, 'a?b', contains a control character; "
                        "rename the column");
  expect_error<IoError>([&] { (void)read("a,g\n1,\"x\ry\"\n"); },
                        "a.csv:2: column 2 (g): the group \"x?y\" contains a control character; "
                        "remove it");
}

}  // namespace
}  // namespace lbw
