// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <lbw/matrix.hpp>
#include <lbw/picture.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace lbw {

/// A temporary folder with data, in which the program runs. Arguments are relative paths, so that
/// messages do not depend on its location.
class Workbench {
 public:
  /// A.csv and B.csv (columns x, y; 300 rows each), table.csv (both with the column site: north,
  /// south) and A.npy with the rows of A.csv.
  Workbench();

  /// Fits A.csv and B.csv: model.safetensors with 3 components each.
  void fit_model() const;
  /// few.csv, integers with the key column id, and its model m, dithered by these keys.
  void fit_keyed_model() const;
  /// disc.png, bars.png and ring.png, 100 x 100.
  void draw_shapes() const;

  /// Runs `lbw` with these arguments.
  [[nodiscard]] ProgramResult lbw(const std::vector<std::string>& arguments,
                                  const std::string& input = {}) const;
  /// Runs `lbw`, expects success and parses the output.
  [[nodiscard]] nlohmann::json lbw_json(const std::vector<std::string>& arguments) const;
  [[nodiscard]] ProgramCall call(const std::vector<std::string>& arguments) const;

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return folder_ / name;
  }
  [[nodiscard]] std::string bytes(const std::string& name) const {
    return bytes_of(folder_ / name);
  }
  void write(const std::string& name, std::string_view bytes) const {
    (void)folder_.file(name, bytes);
  }
  [[nodiscard]] std::set<std::string> names() const;

  /// A named pipe to wait for a program: feed() returns when the program has read `bytes` from it,
  /// so that it handles signals.
  void make_pipe(const std::string& name) const;
  void feed(const std::string& name, const std::string& bytes) const;

 private:
  TemporaryFolder folder_;
};

/// Dark where `inside(x, y)` holds, x and y from 0 to 1.
[[nodiscard]] GrayImage drawn_image(Index width, Index height,
                                    const std::function<bool(double, double)>& inside);

}  // namespace lbw
