// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/tensor_file.hpp>
#include <lbw/types.hpp>
#include <string>

#include "io/little_endian.hpp"
#include "io/sample_model.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

TEST(TensorShapeText, ShowsEightSidesAndCountsTheRest) {
  EXPECT_EQ(tensor_shape_text({}), "()");
  EXPECT_EQ(tensor_shape_text({3, 2}), "(3, 2)");
  EXPECT_EQ(tensor_shape_text({1, 2, 3, 4, 5, 6, 7, 8}), "(1, 2, 3, 4, 5, 6, 7, 8)");
  EXPECT_EQ(tensor_shape_text({1, 2, 3, 4, 5, 6, 7, 8, 9}), "(1, 2, 3, 4, 5, 6, 7, 8 and 1 more)");
}

TEST(TensorFile, HasShortMessagesOfLongShapesAndOffsets) {
  const auto refused = [](const std::string& shape, const std::string& offsets,
                          const std::string& expected_message) {
    const std::string header =
        R"({"a":{"dtype":"U8","shape":[)" + shape + R"(],"data_offsets":[)" + offsets + "]}}";
    std::string bytes;
    append_little_endian(bytes, std::uint64_t{header.size()});
    expect_error<IoError>([&] { (void)tensor_file_from_bytes(bytes + header, "m"); },
                          "m: tensor 'a' has " + expected_message);
  };
  std::string ones = "1";
  for (int i = 1; i < 100'000; ++i) ones += ",1";
  const std::string shown = "(1, 1, 1, 1, 1, 1, 1, 1 and 99992 more)";
  refused(ones, "0,0", "0 bytes, which does not match its shape " + shown);
  refused("1", ones, "data_offsets " + shown + ", expected two within the 0 bytes of data");
}

/// A model file in which the metadata entry 'reference' has another value.
std::string with_reference(const std::string& reference) {
  const std::string bytes = model_to_bytes(sample_model(CovarianceType::full, 2, 2));
  TensorFile file = tensor_file_from_bytes(bytes, "m");
  for (auto& [key, value] : file.metadata) {
    if (key == "reference") value = reference;
  }
  return tensor_file_to_bytes(file);
}

TEST(TensorFile, MetadataOfWordsAreShownWithoutControlCharactersAndShortened) {
  const auto refused = [](const std::string& reference, const std::string& expected_message) {
    const std::string bytes = with_reference(reference);
    expect_error<IoError>([&] { (void)model_from_bytes(bytes, "m"); },
                          "m: metadata 'reference'" + expected_message);
  };
  refused("x\x1b[2J", " is 'x?[2J', which contains a control character");
  refused(std::string(1'000'000, 'x'),
          ": group '" + std::string(100, 'x') +
              "...' is not in the model, expected one of 'red', 'w\"h\\i,te\n', 'ros\u00E9'");
}

}  // namespace
}  // namespace lbw
