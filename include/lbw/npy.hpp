// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <lbw/matrix_view.hpp>

namespace lbw {

/// Reads a NumPy file of format 1.0, 2.0 or 3.0: one or two dimensions, C or Fortran order,
/// float64, float32 or integers of 8 to 64 bits, either byte order. One dimension becomes one
/// column.
/// @throws IoError  naming what the file holds instead; a length that the file does not have is
///                  found before memory is taken for it
[[nodiscard]] RowMatrix read_npy(const std::filesystem::path& path);

/// Writes float64 in C order, format 1.0, aside and renamed.
void write_npy(const std::filesystem::path& path, const MatrixView& values);

}  // namespace lbw
