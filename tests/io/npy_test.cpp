// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <vector>

#include "io/from_bytes.hpp"
#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"
#include "support/npy_bytes.hpp"

namespace lbw {
namespace {

using namespace std::string_literals;

/// Reads a copy of this size, so that the sanitizer detects a read past the end.
RowMatrix read_npy_bytes(const std::string& bytes) {
  const std::vector<char> copy(bytes.begin(), bytes.end());
  return npy_from_bytes({copy.data(), copy.size()}, "a.npy");
}

void expect_refused_npy(const std::string& bytes, const std::string& expected_message) {
  expect_error<IoError>([&] { (void)read_npy_bytes(bytes); }, "a.npy: " + expected_message);
}

// The bytes that numpy.save writes for [[1, 2], [3, -0.5]]: 128 bytes of header, then doubles.
TEST(WriteNpy, WritesTheBytesOfNumPy) {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", RowMatrix{{1, 2}, {3, -0.5}});
  const std::string dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }";
  EXPECT_EQ(bytes_of(folder / "a.npy"),
            "\x93NUMPY\x01\x00v\x00"s + dictionary + std::string(117 - dictionary.size(), ' ') +
                "\n\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x00\x40\0\0\0\0\0\0\x08\x40"s +
                "\0\0\0\0\0\0\xe0\xbf"s);
}

TEST(WriteNpy, ReadsBackToTheSameBits) {
  Random random(3);
  RowMatrix values(4000, 5);  // more than one flush
  for (Index i = 0; i < values.size(); ++i) {
    double value = std::numeric_limits<double>::infinity();
    while (!std::isfinite(value)) value = std::bit_cast<double>(random.bits());
    values.data()[i] = value;
  }
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", values);
  const RowMatrix back = read_npy(folder / "a.npy");
  ASSERT_EQ(back.rows(), 4000);
  ASSERT_EQ(back.cols(), 5);
  for (Index i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back.data()[i]),
              std::bit_cast<std::uint64_t>(values.data()[i]));
  }
}

TEST(WriteNpy, RefusesWhatReadNpyWould) {
  const TemporaryFolder folder;
  expect_error<InvalidArgument>([&] { write_npy(folder / "a.npy", RowMatrix(0, 2)); },
                                "write_npy: values is 0 x 2, expected at least one value");
  expect_error<InvalidArgument>(
      [&] {
        write_npy(folder / "a.npy", RowMatrix{{1, 2}, {3, -INFINITY}});
      },
      "write_npy: values contains -inf at row 1, column 1 (counted from 0), expected finite "
      "values");
  EXPECT_EQ(folder.count(), 0U);
}

TEST(ReadNpy, ReadsEveryTypeInEitherByteOrder) {
  struct Case {
    const char* descr;
    std::string bytes;
    double value;
  };
  const Case cases[] = {{"<f8", "\0\0\0\0\0\0\xf8\xbf"s, -1.5},
                        {">f8", "\xbf\xf8\0\0\0\0\0\0"s, -1.5},
                        {"=f8", "\0\0\0\0\0\0\xf8\xbf"s, -1.5},
                        {"<f4", "\0\0\x20\x40"s, 2.5},
                        {">f4", "\x40\x20\0\0"s, 2.5},
                        {"|i1", "\xfe"s, -2},
                        {"|u1", "\xfe"s, 254},
                        {"|b1", "\x01"s, 1},
                        {"<i2", "\xfe\xff"s, -2},
                        {">i2", "\xff\xfe"s, -2},
                        {"<u2", "\xfe\xff"s, 65534},
                        {"<i4", "\xfe\xff\xff\xff"s, -2},
                        {">u4", "\xff\xff\xff\xfe"s, 4294967294.0},
                        {"<i8", "\xfe\xff\xff\xff\xff\xff\xff\xff"s, -2},
                        {">i8", "\x00\x20\0\0\0\0\0\0"s, 9007199254740992.0},  // 2^53
                        {"<i8", "\0\0\0\0\0\0\0\x80"s, -9223372036854775808.0},
                        {"<u8", "\0\0\0\0\0\0\0\x80"s, 9223372036854775808.0}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.descr);
    EXPECT_EQ(read_npy_bytes(npy_of(c.descr, "(1,)", c.bytes)), RowMatrix::Constant(1, 1, c.value));
  }
}

TEST(ReadNpy, NamesTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.npy", "x").string();
  expect_error<IoError>([&] { (void)read_npy(path); }, path + ": not a NumPy file");
}

TEST(ReadNpy, ReadsBothOrdersAndOneDimension) {
  const std::string values = "\x01\x02\x03\x04\x05\x06";
  EXPECT_EQ(read_npy_bytes(npy_of("|u1", "(2, 3)", values)), (RowMatrix{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(read_npy_bytes(npy_of("|u1", "(2, 3)", values, "True")),
            (RowMatrix{{1, 3, 5}, {2, 4, 6}}));
  const RowMatrix column = read_npy_bytes(npy_of("|u1", "(6,)", values));
  EXPECT_EQ(column.rows(), 6);
  EXPECT_EQ(column.cols(), 1);
  EXPECT_EQ(column(5, 0), 6.0);
}

TEST(ReadNpy, ReadsFormats2And3) {
  const std::string dictionary = "{\"shape\":(1,),'fortran_order':False,'descr':'|u1'}\n";
  for (const char major : {'\x02', '\x03'}) {
    const std::string bytes = "\x93NUMPY"s + major + "\0"s + static_cast<char>(dictionary.size()) +
                              "\0\0\0"s + dictionary + "\x07";
    EXPECT_EQ(read_npy_bytes(bytes), RowMatrix::Constant(1, 1, 7.0));
  }
}

TEST(ReadNpy, NamesTheValueThatIsRefused) {
  expect_refused_npy(npy_of("<f4", "(1, 2)", "\0\0\x20\x40\0\0\xc0\x7f"s),
                     "contains nan at row 0, column 1 (counted from 0), expected finite values");
  expect_refused_npy(npy_of("<f8", "(2,)", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\xff"s),
                     "contains -inf at row 1, column 0 (counted from 0), expected finite values");
  expect_refused_npy(
      npy_of("<i8", "(1,)", "\x01\0\0\0\0\0\x20\0"s),
      "contains 9007199254740993 at row 0, column 0 (counted from 0), which a double "
      "cannot represent exactly");
  expect_refused_npy(
      npy_of("<i8", "(1,)", "\xff\xff\xff\xff\xff\xff\xff\x7f"s),
      "contains 9223372036854775807 at row 0, column 0 (counted from 0), which a double "
      "cannot represent exactly");
  expect_refused_npy(
      npy_of("<u8", "(1,)", "\xff\xff\xff\xff\xff\xff\xff\xff"s),
      "contains 18446744073709551615 at row 0, column 0 (counted from 0), which a double "
      "cannot represent exactly");
  expect_refused_npy(npy_of("|b1", "(1,)", "\x02"),
                     "contains 2 at row 0, column 0 (counted from 0), expected a bool, 0 or 1");
}

TEST(ReadNpy, NamesWhatTheFileHoldsInstead) {
  const auto type_refused = [](const std::string& descr) {
    expect_refused_npy(
        npy_of(descr, "(1,)", "x"),
        "contains values of type '" + descr + "', expected float64, float32, integers or bool");
  };
  for (const char* descr : {"|O", "<c16", "<U5", "|S3", "<f2", "<f16", "<M8[ns]", "|f8", "f8", "",
                            "<f", "<i3", "<i16", "<x8"}) {
    type_refused(descr);
  }
  expect_refused_npy(
      npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", "x"),
      "contains records of several fields, expected one array of numbers; save the fields "
      "as columns");
  expect_refused_npy(npy_of("<f8", "()", "12345678"),
                     "contains an array of 0 dimensions, expected 1 or 2");
  expect_refused_npy(npy_of("|u1", "(1, 1, 1)", "x"),
                     "contains an array of 3 dimensions, expected 1 or 2");
  expect_refused_npy(npy_of("|u1", "(0, 3)", ""), "shape (0, 3) contains no values");
  expect_refused_npy(npy_of("|u1", "(0, 18446744073709551615)", ""),
                     "shape (0, 18446744073709551615) contains no values");
}

TEST(ReadNpy, RefusesLengthsBeyondTheFile) {
  expect_refused_npy(npy_of("<f8", "(3,)", std::string(23, 'x')),
                     "shape (3,) of '<f8' does not match the 23 bytes after the header");
  expect_refused_npy(npy_of("<f8", "(3,)", std::string(25, 'x')),
                     "shape (3,) of '<f8' does not match the 25 bytes after the header");
  // 2^61 * 8 and 2^32 * 2^32 are 0 in 64 bits
  expect_refused_npy(
      npy_of("<f8", "(2305843009213693952, 1)", ""),
      "shape (2305843009213693952, 1) of '<f8' does not match the 0 bytes after the header");
  expect_refused_npy(
      npy_of("|u1", "(4294967296, 4294967296)", ""),
      "shape (4294967296, 4294967296) of '|u1' does not match the 0 bytes after the header");
  expect_refused_npy(npy_of("<f8", "(1000000000000,)", "12345678"),
                     "shape (1000000000000,) of '<f8' does not match the 8 bytes after the header");
}

TEST(ReadNpy, RefusesMalformedHeaders) {
  struct Case {
    const char* dictionary;
    const char* what;
  };
  const Case cases[] = {
      {"", "expected '{'"},
      {"{'descr'", "expected ':'"},
      {"{descr: '<f8'}", "expected a quoted key"},
      {"{'descr: 1", "a quote is not closed"},
      {"{'descr': 5}", "expected a quoted type"},
      {"{'descr': '<f8' 'shape': (1,)}", "expected '}'"},
      {"{'descr': '<f8', 'descr': '<f8'}", "two entries 'descr'"},
      {"{'descr': '<f8', 'more': 1}", "unknown entry 'more'"},
      {"{'descr': '<f8', 'fortran_order': 0}", "expected True or False after 'fortran_order'"},
      {"{'shape': (1,), 'fortran_order': False}", "no entry 'descr'"},
      {"{'shape': (1,), 'descr': '<f8'}", "no entry 'fortran_order'"},
      {"{'descr': '<f8', 'fortran_order': False}", "no entry 'shape'"},
      {"{'shape': 1}", "expected '('"},
      {"{'shape': (-1,)}", "expected lengths from 0 to 2^64 - 1 in 'shape'"},
      {"{'shape': (18446744073709551616,)}", "expected lengths from 0 to 2^64 - 1 in 'shape'"},
      {"{'shape': (1 2)}", "expected ')'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
       "unexpected text after the dictionary"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.dictionary);
    expect_refused_npy(npy(c.dictionary, "12345678"), "the NumPy header is malformed: "s + c.what);
  }
  expect_refused_npy("", "not a NumPy file");
  expect_refused_npy("a,b", "not a NumPy file");
  expect_refused_npy("\x93NUMPY\x04\x00\x01\x00{"s,
                     "NumPy format 4.0 is not supported, expected 1.0, 2.0 or 3.0");
  expect_refused_npy("\x93NUMPY\x01\x00\xff\xff{"s, "the file ends within the NumPy header");
}

TEST(ReadNpy, RefusesEveryTruncation) {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", RowMatrix{{1, 2}, {3, 4}});
  const std::string whole = bytes_of(folder / "a.npy");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW((void)read_npy_bytes(whole.substr(0, length)), IoError) << length;
  }
}

TEST(ReadNpy, SurvivesDamage) {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", RowMatrix{{1, 2}, {3, 4}});
  const std::string whole = bytes_of(folder / "a.npy");
  Random random(12);
  int n_read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = whole;
    // the padding in the middle has no effect
    const std::uint64_t at = random.below(100);
    damaged[at < 70 ? at : whole.size() - 1 - (at - 70)] ^=
        static_cast<char>(1 + random.below(255));
    try {
      EXPECT_TRUE(read_npy_bytes(damaged).allFinite());
      ++n_read;
    } catch (const IoError&) {
    }
  }
  EXPECT_GT(n_read, 100);  // both cases occur
  EXPECT_LT(n_read, 4900);
}

}  // namespace
}  // namespace lbw
