// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <lbw/matrix_view.hpp>
#include <memory>
#include <string>

namespace lbw {

class FileWriter;

/// A NumPy file of more rows than memory holds, written a few at a time: float64 in C order,
/// format 1.0. commit() writes it atomically; until then, and after any failure, the
/// path holds what it held before.
class NpyWriter {
 public:
  /// @throws InvalidArgument  unless there is at least one value
  /// @throws IoError          when the path is a folder, its folder does not exist or it may not be
  ///                          written
  NpyWriter(const std::filesystem::path& path, Index n_rows, Index n_columns);
  ~NpyWriter();
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  /// The next rows: finite, and no more than were promised.
  void append(const MatrixView& rows);

  /// Once all rows are there. @throws InvalidArgument when some are missing
  void commit();

 private:
  std::unique_ptr<FileWriter> file_;
  std::string bytes_;  // not yet handed to the file
  Index n_rows_;
  Index n_columns_;
  Index n_written_ = 0;
};

}  // namespace lbw
