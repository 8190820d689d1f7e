// SPDX-License-Identifier: MIT
// Two clinics measure the same two quantities with different instruments: one rotates, stretches
// and shifts the measurements of the other, differently for each kind of patient.
#include <array>
#include <cmath>
#include <lbw/io.hpp>
#include <lbw/types.hpp>

#include "demo/demo.hpp"

namespace lbw::demo {

namespace {

constexpr Index patients_a_clinic = 1500;

/// The arc on which the patients of a clinic lie.
struct Arc {
  double centre_x = 0.0;
  double centre_y = 0.0;
  double radius = 1.0;
  double first_angle = 0.0;  // radians
  double last_angle = 0.0;
  double thickness = 0.1;
};

using Clinic = std::array<Arc, 2>;

constexpr double pi = 3.14159265358979323846;

// the same two moons, which clinic B sees rotated by 40 degrees, wider and further apart
constexpr Clinic clinic_a = {{{0.0, 0.0, 1.0, 0.0, pi, 0.09}, {1.0, 0.45, 1.0, pi, 2 * pi, 0.09}}};
constexpr Clinic clinic_b = {
    {{2.9, 2.2, 1.3, 0.7, 0.7 + pi, 0.12}, {3.9, 3.1, 1.1, 0.7 + pi, 0.7 + 2 * pi, 0.16}}};

Table draw(const Clinic& clinic, std::uint64_t seed) {
  Random random(seed);
  Table table;
  table.feature_names = {"marker_1", "marker_2"};
  table.values.resize(patients_a_clinic, 2);
  for (Index row = 0; row < patients_a_clinic; ++row) {
    const Arc& arc = clinic[random.below(clinic.size())];
    const double angle = arc.first_angle + random.uniform() * (arc.last_angle - arc.first_angle);
    const double radius = arc.radius + arc.thickness * random.normal();
    table.values(row, 0) = arc.centre_x + radius * std::cos(angle);
    table.values(row, 1) = arc.centre_y + radius * std::sin(angle);
  }
  return table;
}

}  // namespace

void make_clinics(const std::filesystem::path& output) {
  write_csv(output / "clinic_a.csv", draw(clinic_a, 1));
  write_csv(output / "clinic_b.csv", draw(clinic_b, 2));
}

}  // namespace lbw::demo
