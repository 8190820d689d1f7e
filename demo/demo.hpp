// SPDX-License-Identifier: MIT
// The functions of the demo program.
#pragma once

#include <filesystem>

namespace lbw::demo {

/// Fills every outline of a directory (cat.txt -> cat.png).
void draw_silhouettes(const std::filesystem::path& outlines, const std::filesystem::path& output);

/// Writes clinic_a.csv and clinic_b.csv: two moons of patients, measured with different
/// instruments.
void make_clinics(const std::filesystem::path& output);

/// Draws three panels: both groups, the displacements of some points, and the transported source on
/// the target. The source is red, the target blue.
void draw_transported(const std::filesystem::path& source, const std::filesystem::path& transported,
                      const std::filesystem::path& target, const std::filesystem::path& output);

}  // namespace lbw::demo
