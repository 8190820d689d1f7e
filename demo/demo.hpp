// SPDX-License-Identifier: MIT
// The parts of the demo's own program.
#pragma once

#include <filesystem>

namespace lbw::demo {

/// Fills every outline of a folder (cat.txt -> cat.png).
void draw_silhouettes(const std::filesystem::path& outlines, const std::filesystem::path& output);

/// Writes clinic_a.csv and clinic_b.csv: two moons of patients, measured by instruments that
/// disagree.
void make_clinics(const std::filesystem::path& output);

/// Three panels: both groups as they are; the displacements of some points; the transported source
/// on the target. The source is red, the target blue.
void draw_transported(const std::filesystem::path& source, const std::filesystem::path& transported,
                      const std::filesystem::path& target, const std::filesystem::path& output);

}  // namespace lbw::demo
