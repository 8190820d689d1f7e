// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <lbw/image.hpp>
#include <lbw/matrix_view.hpp>

namespace lbw {

/// n points uniform in the dark part (grey below 128) of a picture: x to the right, y downwards, in
/// units of the longer side, the picture centred in the unit square. A function of picture and
/// seed.
/// @throws InvalidArgument when nothing is dark, or n_points < 1
[[nodiscard]] RowMatrix silhouette_points(const GrayImage& image, Index n_points,
                                          std::uint64_t seed);

struct DensityOptions {
  Index size = 200;        ///< pixels of a side of the square picture of the unit square
  double bandwidth = 2.0;  ///< standard deviation of the Gaussian kernel, in pixels
};

/// Points to a density on a square grid, by a Gaussian kernel; points outside the unit square are
/// left out. Values sum to about 1; row 0 is the top.
/// @param point_weights  empty, or one per point, >= 0
[[nodiscard]] RowMatrix point_density(const MatrixView& points, const Vector& point_weights = {},
                                      const DensityOptions& options = {});

/// Otsu's threshold of a picture: the value that best parts the dark from the light, over a
/// histogram of 256 bins.
[[nodiscard]] double otsu_threshold(const MatrixView& picture);

}  // namespace lbw
