// SPDX-License-Identifier: MIT
// Fits two generated groups, transports one to the other, saves and loads the model, and exits with
// 1 if the result is wrong.
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <lbw/lbw.hpp>

namespace {

/// Two clouds, one left and one right of a centre, each `scale` wide.
lbw::RowMatrix two_clouds(double centre, double scale, std::uint64_t seed) {
  lbw::Random random(seed);
  lbw::RowMatrix points(4000, 2);
  for (lbw::Index i = 0; i < points.rows(); ++i) {
    const double side = i % 2 == 0 ? -5.0 : 5.0;
    points(i, 0) = centre + side + scale * random.normal();
    points(i, 1) = scale * random.normal();
  }
  return points;
}

int complaint(const char* what, double seen) {
  std::fprintf(stderr, "stranger: %s is %g\n", what, seen);
  return 1;
}

}  // namespace

int main() {
  const lbw::RowMatrix before = two_clouds(0.0, 1.0, 1);
  const lbw::RowMatrix after = two_clouds(100.0, 0.5, 2);
  const std::array<lbw::Group, 2> groups = {lbw::Group{"before", before}, {"after", after}};
  lbw::TransportOptions options;
  options.mixture.n_components = 2;
  const lbw::TransportModel model = lbw::fit_transport(groups, options);

  const lbw::RowMatrix carried = lbw::transport(lbw::map_between(model, "before", "after"), before);
  // means of 4000 draws from clouds of width 5 and 0.5 differ by 0.5 / sqrt(4000) < 0.01
  const double shift = (carried.colwise().mean() - after.colwise().mean()).norm();
  if (!(shift < 0.05)) return complaint("distance between the means", shift);
  const double height = carried.col(1).norm() / after.col(1).norm();
  if (!(std::abs(height - 1.0) < 0.05)) return complaint("ratio of the heights", height);

  lbw::save_model("stranger.safetensors", model);
  const lbw::TransportModel loaded = lbw::load_model("stranger.safetensors");
  const lbw::RowMatrix again = lbw::transport(lbw::map_between(loaded, "before", "after"), before);
  if (again != carried) return complaint("the loaded model's answer", (again - carried).norm());
  lbw::write_png("stranger.png", lbw::GrayImage::Constant(4, 4, 255));  // links libspng
  for (const char* path : {"stranger.csv.gz", "stranger.csv.zst"}) {    // links zlib and libzstd
    lbw::write_csv(path, lbw::Table{{}, carried, "", {}});
    if (lbw::read_csv(path).values != carried) return complaint("a compressed table", 0.0);
  }
  std::printf("lbw %s carried %ld points\n", lbw::version, static_cast<long>(carried.rows()));
  return 0;
}
