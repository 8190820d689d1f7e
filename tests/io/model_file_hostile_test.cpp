// SPDX-License-Identifier: MIT
// Malicious or damaged model files: each is refused with a message or is a valid model.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <string>

#include "io/sample_model.hpp"
#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

using namespace std::string_literals;

std::string with_length(const std::string& header, const std::string& data) {
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i) {
    bytes += static_cast<char>(std::uint64_t{header.size()} >> (8 * i));
  }
  return bytes + header + data;
}

/// A valid file in its two parts: three groups of two spherical components in one dimension. Each
/// group has weights at 48 g, means at 48 g + 16 and variances at 48 g + 32; tuples are at 144.
struct Parts {
  std::string header;
  std::string data;
};

Parts valid_parts() {
  TransportModel model = sample_model(CovarianceType::spherical, 2, 1);
  model.group_names = {"a", "b", "c"};
  const std::string bytes = model_to_bytes(model);
  const std::size_t length =
      static_cast<unsigned char>(bytes[0]) + 256U * static_cast<unsigned char>(bytes[1]);
  return {bytes.substr(8, length), bytes.substr(8 + length)};
}

void expect_refused_model(const std::string& bytes, const std::string& expected_message) {
  expect_error<IoError>([&] { (void)model_from_bytes(bytes, "m"); }, "m: " + expected_message);
}

struct Mutation {
  const char* from;  ///< occurs in the header
  const char* to;
  const char* expected_message;
};

const Mutation mutations[] = {
    // the header as JSON
    {R"({"__meta)", R"( {"__meta)",
     "not a model file (safetensors): the header does not start with '{'"},
    {R"({"__metadata__":)", R"({"__metadata__";)", "the header is not valid JSON (byte 16)"},
    {R"("format":"lbw")", R"("format":"lbw","format":"lbw")",
     "the header has two entries 'format'"},
    {R"("groups.1.means")", R"("groups.0.means")", "the header has two entries 'groups.0.means'"},
    {R"({"__metadata__":{)", R"({"x":[[[[[[[[1]]]]]]]],"__metadata__":{)",
     "the header is nested deeper than 8"},
    {R"("shape":[2],"data_offsets":[0,16])", R"("shape":[1e999],"data_offsets":[0,16])",
     "the header contains a number out of range"},
    // descriptions of tensors
    {R"("groups.0.weights":{"dtype":"F64","shape":[2],"data_offsets":[0,16]})",
     R"("groups.0.weights":5)", "tensor 'groups.0.weights' is not an object"},
    {R"("groups.0.weights":{"dtype":"F64",)", R"("groups.0.weights":{)",
     "tensor 'groups.0.weights' has no entry 'dtype'"},
    {R"("groups.0.weights":{"dtype":"F64")", R"("groups.0.weights":{"dtype":64)",
     "tensor 'groups.0.weights' has an entry 'dtype' that is not a string"},
    {R"("groups.0.weights":{"dtype":"F64")", R"("groups.0.weights":{"dtype":"F32")",
     "tensor 'groups.0.weights' is of type F32, expected F64, I64 or U8"},
    {R"("groups.0.weights":{"dtype":"F64")", R"("groups.0.weights":{"dtype":"I64")",
     "tensor 'groups.0.weights' is of type I64, expected F64"},
    {R"("shape":[2],"data_offsets":[0,16])", R"("data_offsets":[0,16])",
     "tensor 'groups.0.weights' has no entry 'shape'"},
    {R"("shape":[2],"data_offsets":[0,16])", R"("shape":2,"data_offsets":[0,16])",
     "tensor 'groups.0.weights' has an entry 'shape' that is not a list of integers >= 0"},
    {R"("shape":[2],"data_offsets":[0,16])", R"("shape":[-2],"data_offsets":[0,16])",
     "tensor 'groups.0.weights' has an entry 'shape' that is not a list of integers >= 0"},
    {R"("shape":[2],"data_offsets":[0,16])", R"("shape":[2.0],"data_offsets":[0,16])",
     "tensor 'groups.0.weights' has an entry 'shape' that is not a list of integers >= 0"},
    {R"("shape":[2],"data_offsets":[0,16])", R"("shape":[3],"data_offsets":[0,16])",
     "tensor 'groups.0.weights' has 16 bytes, which does not match its shape (3)"},
    {R"("shape":[2],"data_offsets":[0,16])",
     R"("shape":[2305843009213693954],"data_offsets":[0,16])",  // times 8 is 16 in 64 bits
     "tensor 'groups.0.weights' has 16 bytes, which does not match its shape "
     "(2305843009213693954)"},
    {R"("shape":[2],"data_offsets":[0,16])", R"("shape":[2],"data_offsets":[16])",
     "tensor 'groups.0.weights' has data_offsets (16), expected two within the 192 bytes of data"},
    {R"("shape":[2],"data_offsets":[0,16])", R"("shape":[2],"data_offsets":[16,0])",
     "tensor 'groups.0.weights' has data_offsets (16, 0), expected two within the 192 bytes of "
     "data"},
    {R"("data_offsets":[144,192])", R"("data_offsets":[144,193])",
     "tensor 'coupling.tuples' has data_offsets (144, 193), expected two within the 192 bytes of "
     "data"},
    {R"("data_offsets":[144,192])", R"("data_offsets":[144,18446744073709551616])",
     "tensor 'coupling.tuples' has an entry 'data_offsets' that is not a list of integers >= 0"},
    // offsets of tensors
    {R"("data_offsets":[16,32])", R"("data_offsets":[0,16])",
     "tensor 'groups.0.weights' starts at byte 0 of the data, expected 16: tensors must neither "
     "overlap nor leave gaps"},
    {R"("data_offsets":[16,32])", R"("data_offsets":[8,24])",
     "tensor 'groups.0.means' starts at byte 8 of the data, expected 16: tensors must neither "
     "overlap nor leave gaps"},
    {R"(,"coupling.tuples":{"dtype":"I64","shape":[2,3],"data_offsets":[144,192]})", "",
     "48 bytes after the last tensor, expected none"},
    {R"("groups.0.weights":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)", "",
     "tensor 'groups.0.means' starts at byte 16 of the data, expected 0: tensors must neither "
     "overlap nor leave gaps"},
    // names and shapes of tensors
    {R"("groups.2.weights")", R"("groups.3.weights")", "tensor 'groups.2.weights' is missing"},
    {R"("coupling.tuples")", R"("coupling.pairs")", "tensor 'coupling.tuples' is missing"},
    {R"("coupling.tuples")",
     R"("extra":{"dtype":"F64","shape":[0],"data_offsets":[144,144]},"coupling.tuples")",
     "unknown tensor 'extra'"},
    {R"("shape":[2],"data_offsets":[0,16])", R"("shape":[2,1],"data_offsets":[0,16])",
     "tensor 'groups.0.weights' has shape (2, 1), expected (n_components), at least 1"},
    {R"("shape":[2,1],"data_offsets":[16,32])", R"("shape":[1,2],"data_offsets":[16,32])",
     "tensor 'groups.0.means' has shape (1, 2), expected (2, n_features), at least 1 feature"},
    {R"("shape":[2],"data_offsets":[32,48])", R"("shape":[2,1],"data_offsets":[32,48])",
     "tensor 'groups.0.covariances' has shape (2, 1), expected (2) for spherical"},
    {R"("shape":[2,3])", R"("shape":[3,2])",
     "tensor 'coupling.tuples' has shape (3, 2), expected (n_tuples, 3), at least 1 tuple"},
    // metadata
    {R"("__metadata__":{)", R"("__metadata__":5,"metadata":{)", "__metadata__ is not an object"},
    {R"("format":"lbw",)", "", "__metadata__ has no entry 'format'; is it an lbw model?"},
    {R"("format":"lbw")", R"("format":"pt")", "metadata 'format' is 'pt', expected 'lbw'"},
    {R"("format":"lbw")", R"("format":7)",
     "__metadata__ has an entry 'format' that is not a string"},
    {R"("format_version":"1")", R"("format_version":"2")",
     "written by a newer version of lbw (format 2; this version supports format 1)"},
    {R"("coupling":"matching")", R"("coupling":"guess")",
     "metadata 'coupling': coupling: 'guess' is unknown, expected 'matching', 'plan' or "
     "'multimarginal'"},
    {R"("coupling":"matching")", R"("coupling":"plan")", "tensor 'coupling.masses' is missing"},
    {R"("map":"hard")", R"("map":"harder")",
     "metadata 'map': map: 'harder' is unknown, expected 'hard', 'soft' or 'random'"},
    {R"("cost":"means")", R"("cost":"median")",
     "metadata 'cost': cost: 'median' is unknown, expected 'means' or 'bures'"},
    {R"("kind":"transport")", R"("kind":"recipe")",
     "metadata 'kind' is 'recipe', expected 'transport'"},
    {R"([\"a\",\"b\",\"c\"])", R"([\"a\",\"b\",3])",
     "metadata 'group_names' is not a list of strings"},
    {R"([\"a\",\"b\",\"c\"])", R"([\"a\",\"b\",\"c\")",
     "metadata 'group_names' is not valid JSON (byte 13)"},
    {R"([\"a\",\"b\",\"c\"])", R"([\"a\",\"b\",\"b\"])", "two groups are named 'b'"},
    {R"([\"a\",\"b\",\"c\"])", R"([\"\",\"b\",\"c\"])",
     "a group name is empty, expected a non-empty name"},
    {R"([\"a\",\"b\",\"c\"])", R"([\"a\",\"b\",\"c\\u001b[2J\"])",
     "metadata 'group_names' has the name 'c?[2J', which contains a control character"},
    {R"("feature_names":"[\"x0\"]")", R"("feature_names":"[\"\\u0007\"]")",
     "metadata 'feature_names' has the name '?', which contains a control character"},
    {R"([\"a\",\"b\",\"c\"])", R"([\"a\",\"b\"])",
     "tensor 'coupling.tuples' has shape (2, 3), expected (n_tuples, 2), at least 1 tuple"},
    {R"("feature_names":"[\"x0\"]")", R"("feature_names":"[\"x0\",\"x1\"]")",
     "the model has 2 feature names for 1 feature"},
    {R"("covariance_type":"spherical")", R"("covariance_type":"round")",
     "metadata 'covariance_type': covariance_type: 'round' is unknown, expected 'full', 'tied', "
     "'diagonal' or 'spherical'"},
    {R"("reference":"b")", R"("reference":"d")",
     "metadata 'reference': group 'd' is not in the model, expected one of 'a', 'b', 'c'"},
    {R"(\"n_components\":2)", R"(\"n_components\":2147483648)",
     "metadata 'options' has an entry 'n_components' that is not an integer from 1 to 2147483647"},
    {R"(\"n_components\":2)", R"(\"n_components\":-1)",
     "metadata 'options' has an entry 'n_components' that is not an integer from 1 to 2147483647"},
    {R"(\"n_components\":2)", R"(\"n_components\":2.5)",
     "metadata 'options' has an entry 'n_components' that is not an integer from 1 to 2147483647"},
    {R"(\"tolerance\":0.1)", R"(\"tolerance\":\"0.1\")",
     "metadata 'options' has an entry 'tolerance' that is not a number"},
    {R"(\"tolerance\":0.1)", R"(\"tolerance\":-0.1)",
     "metadata 'options' has tolerance '-0.1', expected a number >= 0"},
    {R"(\"seed\":\"18446744073709551615\")", R"(\"seed\":\"18446744073709551616\")",
     "metadata 'options' has seed '18446744073709551616', expected a whole number from 0 to 2^64 - "
     "1"},
    {R"(\"converged\":true)", R"(\"converged\":1)",
     "metadata 'reports' of group 0 has an entry 'converged' that is not true or false"},
    {R"(\"n_samples\":100)", R"(\"samples\":100)",
     "metadata 'reports' of group 0 has no entry 'n_samples'"},
    {R"("reports":"[)", R"("reports":"[{},)",
     "metadata 'reports' of group 0 has no entry 'n_samples'"},
};

TEST(HostileModelFile, RefusesEveryMutationOfTheHeader) {
  const Parts valid = valid_parts();
  ASSERT_NO_THROW((void)model_from_bytes(with_length(valid.header, valid.data), "m"));
  for (const Mutation& mutation : mutations) {
    SCOPED_TRACE(mutation.from + " -> "s + mutation.to);
    std::string header = valid.header;
    const std::size_t at = header.find(mutation.from);
    ASSERT_NE(at, std::string::npos);
    header.replace(at, std::string(mutation.from).size(), mutation.to);
    expect_refused_model(with_length(header, valid.data), mutation.expected_message);
  }
}

// A tensor of bytes shifts the numbers that follow it.
TEST(HostileModelFile, RefusesMisalignedTensors) {
  expect_refused_model(with_length(R"({"raw":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
                                   R"("x":{"dtype":"F64","shape":[0],"data_offsets":[3,3]}})",
                                   "abc"),
                       "tensor 'x' of type F64 starts at byte 3 of the data, expected a multiple "
                       "of 8: the file is damaged, or another program wrote it with misaligned "
                       "tensors");
}

TEST(HostileModelFile, TakesMetadataItDoesNotKnow) {
  const Parts valid = valid_parts();
  std::string header = valid.header;
  header.insert(header.find(R"("format")"), R"("note":"mine",)");
  EXPECT_NO_THROW((void)model_from_bytes(with_length(header, valid.data), "m"));
}

// Tensors may be described in any order: only their offsets count.
TEST(HostileModelFile, TakesTensorsInAnyOrder) {
  const Parts valid = valid_parts();
  const std::string tuples =
      R"(,"coupling.tuples":{"dtype":"I64","shape":[2,3],"data_offsets":[144,192]})";
  std::string header = valid.header;
  header.erase(header.find(tuples), tuples.size());
  header.insert(1, tuples.substr(1) + ",");
  EXPECT_EQ(model_to_bytes(model_from_bytes(with_length(header, valid.data), "m")),
            with_length(valid.header, valid.data));
}

TEST(HostileModelFile, RefusesHeaderLengthsBeyondTheFile) {
  const Parts valid = valid_parts();
  const std::string bytes = with_length(valid.header, valid.data);
  const std::string most = std::to_string(bytes.size() - 8);
  expect_refused_model(
      "\xff\xff\xff\xff\xff\xff\xff\xff" + bytes.substr(8),
      "not a model file (safetensors), or truncated: the first 8 bytes give a header of "
      "18446744073709551615 bytes, expected at most " +
          most);
  expect_refused_model(
      "\0\0\0\x04\0\0\0\0{}"s,
      "not a model file (safetensors), or truncated: the first 8 bytes give a header of "
      "67108864 bytes, expected at most 2");
  expect_refused_model("\0\0\0\0\0\0\0\0"s,
                       "not a model file (safetensors): the header does not start with '{'");
  // a length above 64 MiB is refused even if the file is that long
  std::string long_header(67108865, ' ');
  long_header[0] = '{';
  expect_refused_model(
      with_length(long_header, ""),
      "not a model file (safetensors), or truncated: the first 8 bytes give a header of "
      "67108865 bytes, expected at "
      "most 67108864");
}

TEST(HostileModelFile, RefusesNumbersThatAreNotAModel) {
  const auto refused = [](std::size_t at, const std::string& number,
                          const std::string& expected_message) {
    Parts parts = valid_parts();
    parts.data.replace(at, 8, number);
    expect_refused_model(with_length(parts.header, parts.data), expected_message);
  };
  const std::string nan("\0\0\0\0\0\0\xf8\x7f", 8);
  const std::string minus_one("\0\0\0\0\0\0\xf0\xbf", 8);
  refused(144, "\xff\xff\xff\xff\xff\xff\xff\xff",
          "tensor 'coupling.tuples' refers to component -1, expected 0 or more");
  refused(144, "\0\0\0\0\x01\0\0\0"s,
          "tensor 'coupling.tuples' refers to component 4294967296, expected 0 or more");
  refused(144, "\x05\0\0\0\0\0\0\0"s,
          "the coupling does not contain each of the 2 components of group 'a' exactly once");
  for (const std::size_t group : {0U, 1U, 2U}) {
    for (const std::size_t part : {0U, 16U, 32U}) {
      Parts parts = valid_parts();
      parts.data.replace(48 * group + part, 8, nan);
      EXPECT_THROW((void)model_from_bytes(with_length(parts.header, parts.data), "m"), IoError);
    }
    for (const std::size_t part : {0U, 32U}) {  // weights and variances are not negative
      Parts parts = valid_parts();
      parts.data.replace(48 * group + part, 8, minus_one);
      EXPECT_THROW((void)model_from_bytes(with_length(parts.header, parts.data), "m"), IoError);
    }
  }
}

TEST(HostileModelFile, RefusesMassesThatAreNotAPlan) {
  const std::string bytes = model_to_bytes(random_plan_model({.n_components = 2}));
  EXPECT_NO_THROW((void)model_from_bytes(bytes, "m"));
  std::string negative = bytes;  // the file ends in the masses
  negative.back() ^= '\x80';
  EXPECT_THROW((void)model_from_bytes(negative, "m"), IoError);
  std::string other = bytes;
  other[other.size() - 2] ^= '\x08';
  EXPECT_THROW((void)model_from_bytes(other, "m"), IoError);
}

/// The bytes of a refined model: they end in 2 x 3 x 2 x 5 numbers of tables, after two rotations
/// of four and three weights.
std::string refined_bytes() { return model_to_bytes(refined_sample_model(CovarianceType::full)); }

/// Replaces a text of the header by another of the same length.
std::string with_text(std::string bytes, const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  EXPECT_NE(bytes.find(from), std::string::npos) << from;
  return bytes.replace(bytes.find(from), from.size(), to);
}

TEST(HostileModelFile, RefusesRefinementsOfAnotherShape) {
  const std::string bytes = refined_bytes();
  EXPECT_NO_THROW((void)model_from_bytes(bytes, "m"));
  expect_refused_model(with_text(bytes, R"("refine":"2")", R"("refine":"3")"),
                       "metadata 'refine' is '3', but the tensors have 2 steps");
  expect_refused_model(with_text(bytes, R"("refine":"2")", R"("rufine":"2")"),
                       "metadata 'refine' is '0', but the tensors have 2 steps");
  expect_refused_model(with_text(bytes, "refinement.rotations", "refinement.rotatiens"),
                       "unknown tensor 'refinement.rotatiens'");
  expect_refused_model(with_text(bytes, "refinement.weights", "refinement.weighty"),
                       "tensor 'refinement.weights' is missing");
  expect_refused_model(with_text(bytes, "refinement.tables", "refinement.chairs"),
                       "tensor 'refinement.tables' is missing");
  expect_refused_model(
      with_text(bytes, R"("shape":[2,3,2,5])", R"("shape":[2,2,3,5])"),
      "tensor 'refinement.tables' has shape (2, 2, 3, 5), expected (2, 3, 2, n_levels), "
      "at least 2 levels");
  expect_refused_model(
      with_text(bytes, R"("shape":[2,3,2,5])", R"("shape":[12,1,5])" + " "s),
      "tensor 'refinement.tables' has shape (12, 1, 5), expected (2, 3, 2, n_levels), "
      "at least 2 levels");
  expect_refused_model(
      with_text(bytes, R"("shape":[2,2,2])", R"("shape":[1,2,4])"),
      "tensor 'refinement.rotations' has shape (1, 2, 4), expected (n_steps, 2, 2), at "
      "least 1 step");
}

TEST(HostileModelFile, RefusesInvalidRotationsAndTables) {
  const std::string bytes = refined_bytes();
  const std::string nan("\0\0\0\0\0\0\xf8\x7f", 8);
  const std::string huge("\xff\xff\xff\xff\xff\xff\xef\x7f", 8);
  const std::size_t tables = bytes.size() - 60 * 8;
  const std::size_t weights = tables - 8 * 8 - 3 * 8;
  for (std::size_t at = weights; at < bytes.size(); at += 8) {
    for (const std::string& number : {nan, huge}) {
      std::string damaged = bytes;
      damaged.replace(at, 8, number);
      EXPECT_THROW((void)model_from_bytes(damaged, "m"), IoError) << at - weights;
    }
  }
  std::string falling = bytes;
  const std::string first = bytes.substr(tables, 8);
  falling.replace(tables, 8, bytes.substr(tables + 8, 8));
  falling.replace(tables + 8, 8, first);
  EXPECT_THROW((void)model_from_bytes(falling, "m"), IoError);
}

TEST(HostileModelFile, RefusesCovariancesThatAreNotSymmetricOrDefinite) {
  TransportModel model = sample_model(CovarianceType::full, 2, 2);
  const std::string bytes = model_to_bytes(model);
  // the file ends in 48 bytes of tuples after the covariances of the last group
  const std::size_t last_matrix = bytes.size() - 48 - 32;
  for (const std::size_t entry : {0U, 8U, 16U, 24U}) {
    std::string damaged = bytes;
    damaged[last_matrix + entry + 7] ^= '\x80';  // the sign
    EXPECT_THROW((void)model_from_bytes(damaged, "m"), IoError) << entry;
  }
}

TEST(HostileModelFile, RefusesEveryTruncationAndEveryExtension) {
  const Parts valid = valid_parts();
  const std::string bytes = with_length(valid.header, valid.data);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    // a copy of this size, so that the sanitizer detects a read past the end
    const std::vector<char> part(bytes.begin(),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW((void)model_from_bytes({part.data(), part.size()}, "m"), IoError) << length;
  }
  expect_refused_model(bytes + "x", "1 byte after the last tensor, expected none");
}

void expect_damage_survived(const std::string& whole) {
  Random random(14);
  int n_read = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string damaged = whole;
    for (std::uint64_t flips = 1 + random.below(2); flips > 0; --flips) {
      damaged[random.below(damaged.size())] ^= static_cast<char>(1 + random.below(255));
    }
    try {
      const TransportModel model = model_from_bytes(damaged, "m");
      ++n_read;
      EXPECT_NO_THROW(check_model(model, "test"));
      EXPECT_NO_THROW((void)model_to_bytes(model));
    } catch (const IoError&) {
    }
  }
  EXPECT_GT(n_read, 100);  // both cases occur
  EXPECT_LT(n_read, 5900);
}

TEST(HostileModelFile, SurvivesDamage) {
  expect_damage_survived(model_to_bytes(sample_model(CovarianceType::full, 2, 2)));
  expect_damage_survived(refined_bytes());
}

}  // namespace
}  // namespace lbw
