// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <lbw/io.hpp>

#include "core/message.hpp"
#include "core/sample_pass.hpp"
#include "io/from_bytes.hpp"
#include "io/mapped_file.hpp"
#include "io/npy_header.hpp"

namespace lbw {

namespace {

/// Whether the file has the memory layout of a SampleView.
bool is_sample_layout(const NpyHeader& header) {
  const std::size_t size = header.type() == "f8" ? sizeof(double) : sizeof(float);
  return std::endian::native == std::endian::little && !header.big_endian() &&
         !header.fortran_order && (header.type() == "f8" || header.type() == "f4") &&
         header.data_begin % size == 0;
}

SampleView view_of(const MappedFile& file, const NpyHeader& header) {
  const void* const data = file.bytes().data() + header.data_begin;
  const Index columns = header.columns();
  if (header.type() == "f8") {
    return {static_cast<const double*>(data), header.rows(), columns, columns, &file};
  }
  return {static_cast<const float*>(data), header.rows(), columns, columns, &file};
}

void check_finite(SampleView samples, const std::string& name) {
  SamplePass pass(samples);
  for (Index row = 0; row < samples.n_samples(); ++row) {
    for (Index column = 0; column < samples.n_features(); ++column) {
      const double value = samples(row, column);
      if (!std::isfinite(value)) {
        samples.check();  // the value may be there only now
        refuse_npy_value(name, to_text(value), row, column, "expected finite values");
      }
    }
    pass.used_up_to(row + 1);
  }
  samples.check();
}

}  // namespace

NpySamples::NpySamples(const std::filesystem::path& path) {
  std::unique_ptr<const MappedFile> file = MappedFile::open(path);
  if (!file) {
    values_ = read_npy(path);
    samples_ = values_;
    return;
  }
  const NpyHeader header = parse_npy_header(file->bytes(), path.string());
  if (!is_sample_layout(header)) {
    values_ = npy_from_bytes(file->bytes(), path.string());
    file->check();
    samples_ = values_;
    return;
  }
  samples_ = view_of(*file, header);
  check_finite(samples_, path.string());
  file_ = std::move(file);
}

}  // namespace lbw
