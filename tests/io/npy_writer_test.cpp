// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/io.hpp>
#include <lbw/types.hpp>

#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

TEST(NpyWriter, WritesTheFileOfWriteNpyWhateverThePieces) {
  const TemporaryFolder folder;
  RowMatrix values(5000, 3);  // more than one flush
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = 0.1 * static_cast<double>(i);
  write_npy(folder / "whole.npy", values);
  for (const Index piece : {1, 7, 4999, 5000}) {
    NpyWriter writer(folder / "pieces.npy", 5000, 3);
    for (Index first = 0; first < 5000; first += piece) {
      writer.append(values.middleRows(first, std::min<Index>(piece, 5000 - first)));
    }
    writer.commit();
    EXPECT_EQ(bytes_of(folder / "pieces.npy"), bytes_of(folder / "whole.npy"));
  }
}

TEST(NpyWriter, LeavesTheOldFileUntilCommit) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.file("a.npy", "as it was");
  {
    NpyWriter writer(path, 20'000, 2);
    writer.append(RowMatrix::Zero(10'000, 2));
    EXPECT_EQ(bytes_of(path), "as it was");
  }
  EXPECT_EQ(bytes_of(path), "as it was");
  EXPECT_EQ(folder.count(), 1U);
}

TEST(NpyWriter, RequiresTheAnnouncedNumberOfRows) {
  const TemporaryFolder folder;
  expect_error<InvalidArgument>([&] { NpyWriter(folder / "a.npy", 0, 2); },
                                "NpyWriter: an array of 0 x 2, expected at least one value");
  {
    NpyWriter writer(folder / "a.npy", 3, 2);
    writer.append(RowMatrix{{1, 2}, {3, 4}});
    expect_error<InvalidArgument>([&] { writer.append(RowMatrix(1, 3)); },
                                  "NpyWriter::append: rows have 3 columns, the array has 2");
    expect_error<InvalidArgument>(
        [&] { writer.append(RowMatrix(2, 2)); },
        "NpyWriter::append: 2 rows after the first 2 exceed the 3 rows of the array");
    expect_error<InvalidArgument>(
        [&] {
          writer.append(RowMatrix{{5, NAN}});
        },
        "NpyWriter::append: rows contains nan at row 2, column 1 (counted from 0), expected finite "
        "values");
    expect_error<InvalidArgument>([&] { writer.commit(); },
                                  "NpyWriter::commit: 2 rows were appended, expected 3");
  }
  EXPECT_EQ(folder.count(), 0U);
}

}  // namespace
}  // namespace lbw
