// SPDX-License-Identifier: MIT
// Model files with NaN in one of their fields, with cells of another shape, and with JSON of any
// depth.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <string>

#include "io/little_endian.hpp"
#include "io/sample_model.hpp"
#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

std::size_t data_place(const std::string& bytes) {
  return 8 + read_little_endian<std::uint64_t>(bytes.data());
}

std::string with_header(const std::string& header) {
  std::string bytes;
  append_little_endian(bytes, std::uint64_t{header.size()});
  return bytes + header;
}

TransportModel model_with_widths() {
  TransportModel model = sample_model(CovarianceType::diagonal, 2, 2);
  model.dither = Vector{{1.0, 0.25}};
  model.scales = Vector{{2.0, 0.5}};
  return model;
}

TransportModel model_with_cells() {
  TransportModel model = sample_model(CovarianceType::diagonal, 2, 1);
  model.dither_cells = {{{-0.5, 0.5}, {0.5, 1.75}}};
  return model;
}

/// Replaces each number of a file by NaN. Read as an integer, its bits are no component either.
void expect_refuses_nan(const std::string& bytes, const auto& read) {
  const std::string nan("\0\0\0\0\0\0\xf8\x7f", 8);
  read(bytes);
  for (std::size_t at = data_place(bytes); at < bytes.size(); at += 8) {
    std::string damaged = bytes;
    damaged.replace(at, 8, nan);
    EXPECT_THROW(read(damaged), IoError) << at;
  }
}

TEST(ModelFileFields, RefuseNan) {
  for (const std::string& bytes :
       {model_to_bytes(sample_model(CovarianceType::full, 2, 2)),
        model_to_bytes(sample_model(CovarianceType::tied, 2, 2)),
        model_to_bytes(sample_model(CovarianceType::diagonal, 2, 2)),
        model_to_bytes(sample_model(CovarianceType::spherical, 2, 2)),
        model_to_bytes(model_with_widths()), model_to_bytes(model_with_cells()),
        model_to_bytes(random_plan_model({.n_components = 2})),
        model_to_bytes(refined_sample_model(CovarianceType::full))}) {
    expect_refuses_nan(bytes, [](const std::string& file) { (void)model_from_bytes(file, "m"); });
  }
}

TEST(ModelFileFields, RefuseNanInMixtures) {
  for (const CovarianceType type : {CovarianceType::full, CovarianceType::tied,
                                    CovarianceType::diagonal, CovarianceType::spherical}) {
    const std::string bytes = mixture_model_to_bytes({sample_model(type, 2, 2).mixtures.front()});
    expect_refuses_nan(bytes,
                       [](const std::string& file) { (void)mixture_model_from_bytes(file, "m"); });
  }
}

TEST(ModelFileFields, RefuseCellsThatAreNoPairs) {
  std::string bytes = model_to_bytes(model_with_cells());
  const std::string shape = R"("shape":[2,2])";
  const std::size_t at = bytes.find(shape, bytes.find("dither.cells.0"));
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, shape.size(), R"("shape":[4,1])");
  expect_error<IoError>(
      [&] { (void)model_from_bytes(bytes, "m"); },
      "m: tensor 'dither.cells.0' has shape (4, 1), expected (n_cells, 2), at least 1 cell");
}

TEST(ModelFileFields, RefuseJsonOfAnyDepth) {
  const std::string deep(1'000'000, '[');
  expect_error<IoError>([&] { (void)model_from_bytes(with_header(R"({"x":)" + deep), "m"); },
                        "m: the header is nested deeper than 8");
  const std::string metadata =
      R"({"__metadata__":{"format":"lbw","format_version":"1","kind":"transport","group_names":")";
  EXPECT_THROW((void)model_from_bytes(with_header(metadata + deep + "\"}}"), "m"), IoError);
}

}  // namespace
}  // namespace lbw
