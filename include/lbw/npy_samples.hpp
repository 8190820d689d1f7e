// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <lbw/sample_view.hpp>
#include <memory>

namespace lbw {

/// The samples of a NumPy file, which may be larger than memory.
///
/// Little-endian float64 or float32 in C order (what numpy.save writes) stays in the file: it is
/// mapped, and every pass over the samples keeps a few MiB of it for each thread. All else that
/// read_npy takes is converted into memory. Results are the same bits either way.
///
/// The file must stay as it is while this lives: to shorten a mapped file ends the program with
/// SIGBUS. To replace it by a rename, as lbw writes its own files, is fine.
class NpySamples {
 public:
  /// Looks at every value once.
  /// @throws IoError  as read_npy does, naming row and column of a value that is not finite
  explicit NpySamples(const std::filesystem::path& path);
  ~NpySamples() = default;
  NpySamples(const NpySamples&) = delete;
  NpySamples& operator=(const NpySamples&) = delete;

  /// (n_samples, n_features); valid while this lives.
  [[nodiscard]] SampleView samples() const& { return samples_; }
  SampleView samples() const&& = delete;  // the view would outlive the file
  [[nodiscard]] bool is_mapped() const { return file_ != nullptr; }

 private:
  RowMatrix values_;  // of a file that is not mapped
  std::unique_ptr<const SampleStorage> file_;
  SampleView samples_;
};

}  // namespace lbw
