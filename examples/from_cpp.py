# SPDX-License-Identifier: MIT
"""
From C++
========

This script compiles a C++ program that fits a spiral and a cross, and draws the barycenters that
it prints. It needs a C++20 compiler, and `pkg-config` must find `lbw`: run `make wheel`, then
`PKG_CONFIG_PATH=build/prefix/lib/pkgconfig python examples/from_cpp.py [picture.png]`.
"""

import subprocess
import sys
import tempfile

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

matplotlib.use("Agg")
PROGRAM = r"""
#include <array>
#include <cmath>
#include <iostream>
#include <lbw/lbw.hpp>

int main() {
  lbw::RowMatrix spiral(4000, 2), cross(4000, 2);  // one point per row
  for (int i = 0; i < 4000; ++i) {
    const double t = i / 4000.0, noise = 0.08 * std::sin(1e4 * t), angle = 12 * std::sqrt(t);
    spiral.row(i) << (0.2 + t + noise) * std::cos(angle), (0.2 + t + noise) * std::sin(angle);
    cross.row(i) << (i % 2 ? 2 * t - 1 : noise), (i % 2 ? noise : 2 * t - 1);
  }
  const std::array<lbw::Group, 2> groups = {lbw::Group{"spiral", spiral}, {"cross", cross}};
  lbw::TransportOptions options;
  options.mixture.n_components = 40;
  const lbw::TransportModel model = lbw::fit_transport(groups, options);
  for (const double weight : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const auto map = lbw::map_to_barycenter(model, "spiral", std::array{1 - weight, weight});
    std::cout << lbw::transport(map, spiral) << "\n";
  }
}
"""

# %%
# Compile the program with the flags of `pkg-config`, run it, and read what it prints.

with tempfile.TemporaryDirectory() as folder:
    flags = subprocess.check_output(["pkg-config", "--cflags", "--libs", "lbw"], text=True).split()
    with open(f"{folder}/main.cpp", "w") as file:
        file.write(PROGRAM)
    subprocess.run(["c++", "-std=c++20", "main.cpp", "-o", "main", *flags], cwd=folder, check=True)
    output = subprocess.check_output(f"{folder}/main", text=True)
points = np.loadtxt(output.splitlines()).reshape(5, 4000, 2)
print("first point in each picture:", points[:, 0].round(2).tolist())
figure, axes = plt.subplots(1, 5, figsize=(12, 2.6), layout="constrained")
for ax, barycenter, title in zip(axes, points, ("spiral", "", "halfway", "", "cross"), strict=True):
    ax.scatter(*barycenter.T, c=np.arange(4000), s=2)
    ax.set(title=title, aspect="equal", xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), xticks=[], yticks=[])
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "from_cpp.png", dpi=100)
