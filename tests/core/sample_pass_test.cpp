// SPDX-License-Identifier: MIT
#include "core/sample_pass.hpp"

#include <gtest/gtest.h>

#include "core/message.hpp"
#include "support/recording_storage.hpp"

namespace lbw {
namespace {

TEST(SampleView, TellsItsStorageWhichRowsWereUsed) {
  const RowMatrix samples = RowMatrix::Zero(10, 3);
  const RecordingStorage storage(samples);
  storage.view().release(2, 3);
  EXPECT_EQ(storage.n_released(), 9);
  storage.view().rows(8, 2).release(1, 1);  // the last row
  EXPECT_EQ(storage.n_released(), 12);
  storage.view().release(0, 0);
  EXPECT_EQ(storage.n_released(), 12);
  SampleView(samples).release(0, 10);  // plain memory has no storage to notify
}

TEST(SamplePass, GivesEverySampleBackInPiecesOfAboutAMebibyte) {
  const RowMatrix samples = RowMatrix::Zero(200'000, 3);
  const RecordingStorage storage(samples);
  {
    SamplePass pass(storage.view());
    for (Index sample = 0; sample < samples.rows(); ++sample) pass.used_up_to(sample + 1);
    EXPECT_GT(storage.n_released(), samples.size() / 2);  // during the pass, not at its end
  }
  EXPECT_TRUE(storage.all_released());
  EXPECT_LE(storage.largest(), std::size_t{1} << 20U);
}

TEST(SamplePass, GivesBackWhatWasUsedWhenItEndsEarly) {
  const RowMatrix samples = RowMatrix::Zero(100, 2);
  const RecordingStorage storage(samples);
  {
    SamplePass pass(storage.view(), 10);
    pass.used_up_to(15);
  }
  EXPECT_EQ(storage.n_released(), 10);
}

TEST(CheckSamples, GivesEverySampleBack) {
  const RowMatrix samples = RowMatrix::Zero(100'000, 3);
  const RecordingStorage storage(samples);
  check_samples(storage.view(), "test", "samples", {1});
  EXPECT_TRUE(storage.all_released());
  EXPECT_LE(storage.largest(), std::size_t{1} << 20U);
}

}  // namespace
}  // namespace lbw
