// SPDX-License-Identifier: MIT
// Tables that are compressed by gzip or zstd. The small files were written by these programs.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <sstream>

#include "io/byte_source.hpp"
#include "io/compress.hpp"
#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

using namespace std::string_literals;

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

// "x,y\n1,2\n" and "3,4\n"
const std::string first_gzip = from_hex("1f8b0800000000000003abd0a9e432d431e2020023df720008000000");
const std::string second_gzip = from_hex("1f8b080000000000000333d631e102003e2d72a904000000");
const std::string first_zstd = from_hex("28b52ffd0458410000782c790a312c320a24879be4");
const std::string second_zstd = from_hex("28b52ffd0458210000332c340aaf867ee4");

Table read_packed(const std::string& bytes, const std::string& name = "t.csv") {
  std::istringstream stream(bytes);
  return read_csv(stream, name);
}

/// 40 000 rows, which are several parts of the buffers.
Table large_table() {
  Random random(3);
  Table table{{"a", "b"}, RowMatrix(40'000, 2), "", {}};
  for (Index i = 0; i < table.values.size(); ++i) table.values.data()[i] = random.normal();
  return table;
}

TEST(CompressedCsv, IsRecognizedByItsFirstBytes) {
  for (const std::string& bytes : {first_gzip, first_zstd}) {
    const Table table = read_packed(bytes);
    EXPECT_EQ(table.feature_names, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(table.values, (RowMatrix{{1.0, 2.0}}));
  }
  const TemporaryFolder folder;
  EXPECT_EQ(read_csv(folder.file("t.csv", first_gzip)).values, (RowMatrix{{1.0, 2.0}}));
  EXPECT_EQ(read_csv(folder.file("t.gz", "x,y\n1,2\n")).values, (RowMatrix{{1.0, 2.0}}));
}

TEST(CompressedCsv, ReadsAllPartsOfAFile) {
  const RowMatrix both{{1.0, 2.0}, {3.0, 4.0}};
  EXPECT_EQ(read_packed(first_gzip + second_gzip).values, both);
  EXPECT_EQ(read_packed(first_zstd + second_zstd).values, both);
  EXPECT_EQ(read_packed(first_gzip + second_gzip + std::string(512, '\0')).values,
            both);  // on tapes
}

TEST(CompressedCsv, WritesAndReadsLargeTables) {
  const Table table = large_table();
  const TemporaryFolder folder;
  write_csv(folder / "t.csv", table);
  for (const std::string name : {"t.csv.gz", "t.csv.zst", "T.CSV.GZ"}) {
    write_csv(folder / name, table);
    EXPECT_LT(std::filesystem::file_size(folder / name),
              std::filesystem::file_size(folder / "t.csv") * 2 / 3);
    const Table back = read_csv(folder / name);
    EXPECT_EQ(back.feature_names, table.feature_names);
    EXPECT_TRUE(back.values == table.values) << name;
    const std::string bytes = bytes_of(folder / name);
    write_csv(folder / name, table);
    EXPECT_TRUE(bytes_of(folder / name) == bytes) << name;  // no time is stored
  }
  EXPECT_TRUE(bytes_of(folder / "t.csv.gz").starts_with("\x1f\x8b"));
  EXPECT_TRUE(bytes_of(folder / "t.csv.zst").starts_with("\x28\xb5\x2f\xfd"));
}

TEST(CompressedCsv, NamesTruncatedAndDamagedFiles) {
  const TemporaryFolder folder;
  write_csv(folder / "t.gz", large_table());
  write_csv(folder / "t.zst", large_table());
  for (const std::string kind : {"gzip", "zstd"}) {
    const std::string whole = bytes_of(folder / (kind == "gzip" ? "t.gz" : "t.zst"));
    const std::string begin = "t.csv is compressed by " + kind + " and ";
    for (const std::size_t length : {std::size_t{12}, whole.size() / 2, whole.size() - 1}) {
      expect_error<IoError>([&] { (void)read_packed(whole.substr(0, length)); },
                            begin +
                                "truncated: it ends within the compressed data; create or copy "
                                "the file again");
    }
    std::string damaged = whole;
    damaged[whole.size() - 6] = static_cast<char>(damaged[whole.size() - 6] ^ 1);  // the checksum
    try {
      (void)read_packed(damaged);
      ADD_FAILURE() << kind << " was read";
    } catch (const IoError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(begin + "damaged (")) << error.what();
    }
  }
  expect_error<IoError>([&] { (void)read_packed(first_gzip + "x"); },
                        "t.csv is compressed by gzip and damaged (other bytes follow the "
                        "compressed data); create or copy the file again");
}

// Any damage gives an IoError or, in the bytes of a name or time, the same table.
TEST(CompressedCsv, SurvivesDamage) {
  Random random(9);
  for (const std::string& whole : {first_gzip + second_gzip, first_zstd + second_zstd}) {
    for (int i = 0; i < 3000; ++i) {
      std::string damaged = whole;
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
      try {
        EXPECT_TRUE(read_packed(damaged).values.allFinite());
      } catch (const IoError&) {
        continue;
      }
    }
  }
}

TEST(CompressedCsv, NamesWhatIsInside) {
  std::istringstream twice(from_hex(
      "1f8b080000000000000393efe6600003e6d517563e31ba62f8888941f97e11034814008235261b1c000000"));
  expect_error<IoError>([&] { (void)read_csv(twice, "t.csv.gz.gz"); },
                        "t.csv.gz.gz is compressed by gzip, expected CSV; decompress it first, for "
                        "example with gunzip");
  std::istringstream numpy(
      from_hex("1f8b08000000000000039bec17ea1b10c9c850c600004a76081f0a000000"));
  expect_error<IoError>([&] { (void)read_csv(numpy, "t.npy.gz"); },
                        "t.npy.gz is a NumPy file (.npy), expected CSV; decompress it if it is "
                        "compressed, and name it .npy");
}

TEST(CompressedCsv, KeepsTheOldFileWhenTheTableIsRefused) {
  const TemporaryFolder folder;
  const auto path = folder.file("t.csv.gz", "old");
  EXPECT_THROW(write_csv(path, {{}, RowMatrix::Constant(1, 1, INFINITY), "", {}}), InvalidArgument);
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(folder.count(), 1U);
}

// A few kilobytes that decompress to a line without an end.
TEST(CompressedCsv, RefusesALineWithoutEnd) {
  Table table{{}, RowMatrix::Zero(1, 1), "g", {std::string(65U << 20U, 'x')}};
  const TemporaryFolder folder;
  write_csv(folder / "bomb.csv.zst", table);
  EXPECT_LT(std::filesystem::file_size(folder / "bomb.csv.zst"), 100'000U);
  const std::string path = (folder / "bomb.csv.zst").string();
  expect_error<IoError>([&] { (void)read_csv(path, {.group_column = "2"}); },
                        path +
                            ":1: the row that begins here is longer than 64 MiB; is a quote not "
                            "closed?");
}

// 65 MiB from about 1 MiB: less than the 200 times from which a text is refused.
TEST(CompressedCsv, MayExpandToALargeText) {
  std::string megabyte(1U << 20U, '\0');
  Random random(1);
  for (char& c : megabyte) c = static_cast<char>(random.below(256));
  const auto compressor = compressor_for("t.zst");
  std::string packed;
  for (int i = 0; i < 65; ++i) packed += compressor->add(megabyte, i == 64);
  ASSERT_GT(65U << 20U, 50 * packed.size());
  std::istringstream stream(packed);
  const auto source = decompressed(open_stream(stream, "t.zst"), "t.zst");
  std::string part(megabyte.size(), '\0');
  for (int i = 0; i < 65; ++i) {
    ASSERT_EQ(source->read(part), megabyte.size());
    ASSERT_TRUE(part == megabyte) << i;
  }
  EXPECT_EQ(source->read(part), 0U);
}

// Rows and quoted cells that cross the parts in which the text is read.
TEST(CompressedCsv, ReadsTextInPartsWithoutLosingRows) {
  std::string text = "i,note\r\n";
  const std::string note(997, 'n');
  for (std::size_t i = 0; i < 5000; ++i) {
    text += std::to_string(i) + ",\"" + note + "\"\"\r\n" + std::string(i % 7, 'x') + "\"\r\n";
  }
  ASSERT_GT(text.size(), 4U << 20U);
  std::istringstream stream(text);
  const Table table = read_csv(stream, "t.csv", {.columns = {"i"}, .keeps_others = true});
  ASSERT_EQ(table.values.rows(), 5000);
  for (Index i = 0; i < 5000; ++i) {
    ASSERT_EQ(table.values(i, 0), static_cast<double>(i));
    ASSERT_EQ(table.others.cell(static_cast<std::size_t>(i), 0),
              note + "\"\r\n" + std::string(static_cast<std::size_t>(i % 7), 'x'));
  }
  std::istringstream bad(text + "\r\nbad,x\r\n");
  expect_error<IoError>(
      [&] { (void)read_csv(bad, "t.csv", {.columns = {"i"}}); },
      "t.csv:10003: column 1 (i): \"bad\" is not a finite number; exclude columns "
      "of text, or convert them to numbers");
}

}  // namespace
}  // namespace lbw
