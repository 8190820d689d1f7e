// SPDX-License-Identifier: MIT
#include "cli/workbench.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <lbw/io.hpp>
#include <lbw/types.hpp>

namespace lbw {

namespace {

constexpr Index rows_a_group = 300;

/// Three clusters around a triangle of this size, moved by `shift`.
RowMatrix clusters(std::uint64_t seed, double size, double shift) {
  Random random(seed);
  RowMatrix values(rows_a_group, 2);
  for (Index row = 0; row < rows_a_group; ++row) {
    const double angle = 2.1 * static_cast<double>(random.below(3));
    values(row, 0) = shift + size * std::cos(angle) + 0.3 * random.normal();
    values(row, 1) = size * std::sin(angle) + 0.3 * random.normal();
  }
  return values;
}

Table table_of(const RowMatrix& values) {
  Table table;
  table.feature_names = {"x", "y"};
  table.values = values;
  return table;
}

}  // namespace

Workbench::Workbench() {
  const RowMatrix a = clusters(1, 2.0, 0.0);
  const RowMatrix b = clusters(2, 3.0, 10.0);
  write_csv(folder_ / "A.csv", table_of(a));
  write_csv(folder_ / "B.csv", table_of(b));
  write_npy(folder_ / "A.npy", a);
  RowMatrix both(2 * rows_a_group, 2);
  both << a, b;
  Table table = table_of(both);
  table.group_column = "site";
  table.groups.assign(2 * rows_a_group, "north");
  std::fill(table.groups.begin() + rows_a_group, table.groups.end(), "south");
  write_csv(folder_ / "table.csv", table);
}

void Workbench::fit_model() const {
  const ProgramResult result = lbw({"fit", "A.csv", "B.csv", "--components", "3", "--coupling",
                                    "matching", "--map", "hard", "-o", "model.safetensors"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

void Workbench::fit_keyed_model() const {
  std::string rows = "id,age,sex\n";
  for (int i = 0; i < 60; ++i) {
    rows +=
        "c" + std::to_string(i) + "," + std::to_string(i % 3) + "," + std::to_string(i % 2) + "\n";
  }
  write("few.csv", rows);
  const ProgramResult result = lbw(
      {"fit", "a=few.csv", "b=few.csv", "-k", "1", "--dither", "auto", "--key", "id", "-o", "m"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

void Workbench::draw_shapes() const {
  write_png(folder_ / "disc.png", drawn_image(100, 100, [](double x, double y) {
              return std::hypot(x - 0.5, y - 0.5) < 0.4;
            }));
  write_png(folder_ / "bars.png", drawn_image(100, 100, [](double x, double y) {
              return y > 0.1 && y < 0.9 && (std::abs(x - 0.25) < 0.12 || std::abs(x - 0.75) < 0.12);
            }));
  write_png(folder_ / "ring.png", drawn_image(100, 100, [](double x, double y) {
              return std::abs(std::hypot(x - 0.5, y - 0.5) - 0.33) < 0.1;
            }));
}

ProgramCall Workbench::call(const std::vector<std::string>& arguments) const {
  return {.program = LBW_PROGRAM, .arguments = arguments, .folder = folder_.path()};
}

ProgramResult Workbench::lbw(const std::vector<std::string>& arguments,
                             const std::string& input) const {
  ProgramCall run = call(arguments);
  run.input = input;
  return run_program(run);
}

nlohmann::json Workbench::lbw_json(const std::vector<std::string>& arguments) const {
  const ProgramResult result = lbw(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

std::set<std::string> Workbench::names() const {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    found.insert(entry.path().filename().string());
  }
  return found;
}

void Workbench::make_pipe(const std::string& name) const {
  ASSERT_EQ(::mkfifo((folder_ / name).c_str(), 0600), 0);
}

void Workbench::feed(const std::string& name, const std::string& bytes) const {
  const int descriptor = ::open((folder_ / name).c_str(), O_WRONLY);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(::write(descriptor, bytes.data(), bytes.size()), std::ssize(bytes));
  ::close(descriptor);
}

GrayImage drawn_image(Index width, Index height,
                      const std::function<bool(double, double)>& inside) {
  GrayImage image(height, width);
  for (Index row = 0; row < height; ++row) {
    for (Index column = 0; column < width; ++column) {
      const double x = (static_cast<double>(column) + 0.5) / static_cast<double>(width);
      const double y = (static_cast<double>(row) + 0.5) / static_cast<double>(height);
      image(row, column) = inside(x, y) ? 0 : 255;
    }
  }
  return image;
}

}  // namespace lbw
