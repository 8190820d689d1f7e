// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>
#include <numeric>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "device/device.hpp"
#include "report/permutations.hpp"

namespace lbw {

namespace {

constexpr std::uint64_t direction_stream = 0x736c696365;  // distinct from those of restarts

void check_directions(const RowMatrix& directions, Index n_features) {
  if (directions.size() == 0) return;
  require(directions.cols() == n_features, "sliced_distance", ": directions have ",
          counted(directions.cols(), "feature"), ", the samples have ", n_features);
  for (Index i = 0; i < directions.rows(); ++i) {
    const double length = directions.row(i).norm();
    require(std::abs(length - 1.0) <= 1e-6, "sliced_distance", ": directions row ", i,
            " has length ", length, ", expected 1 within 1e-6");
  }
}

void check_arguments(SampleView first, SampleView second, const SlicedDistanceOptions& options) {
  check_permutations(options.n_permutations, "sliced_distance");
  check_two_samples(first, second, options.execution, "sliced_distance");
  require(options.n_directions >= 1, "sliced_distance", ": n_directions is ", options.n_directions,
          ", expected 1 or more");
  check_directions(options.directions, first.n_features());
}

RowMatrix drawn_directions(Index n_features, const SlicedDistanceOptions& options) {
  if (n_features == 1) return RowMatrix::Ones(1, 1);
  RowMatrix directions(options.n_directions, n_features);
  Random random(options.seed, direction_stream);
  for (double& entry : directions.reshaped<Eigen::RowMajor>()) entry = random.normal();
  directions.rowwise().normalize();
  return directions;
}

/// A power of two near the largest value if its square underflows, otherwise 1.
double unit_of(SampleView first, SampleView second) {
  constexpr int least_exponent = -400;
  double largest = 0.0;
  for (const SampleView& samples : {first, second}) {
    for (Index i = 0; i < samples.n_samples(); ++i) {
      for (Index f = 0; f < samples.n_features(); ++f) {
        largest = std::max(largest, std::abs(samples(i, f)));
      }
    }
  }
  const bool tiny = largest > 0.0 && std::ilogb(largest) < least_exponent;
  return tiny ? std::ldexp(1.0, std::max(std::ilogb(largest), -1000)) : 1.0;
}

/// The points of both samples projected on one direction.
class Line {
 public:
  /// @param direction  (1, n_features)
  /// @param unit       a power of two, in which the points are measured
  Line(SampleView first, SampleView second, const Matrix& direction, double unit,
       const Execution& execution) {
    Matrix along;
    for (const SampleView& samples : {first, second}) {
      device_of(execution).project(samples, direction, execution, along);
      along /= unit;
      places_.insert(places_.end(), along.data(), along.data() + along.size());
    }
    order_.resize(places_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
      return places_[a] < places_[b] || (places_[a] == places_[b] && a < b);
    });
  }

  /// Squared 2-Wasserstein distance between the two samples.
  [[nodiscard]] double squared_distance(const Membership& is_second) {
    parts_[0].clear();
    parts_[1].clear();
    for (const std::size_t point : order_) {
      parts_[is_second[point] ? 1 : 0].push_back(places_[point]);
    }
    return between_quantiles(parts_[0], parts_[1]);
  }

 private:
  // Between two steps of either quantile function, both are constant. Levels are integers in units
  // of 1 / (n_first n_second), so that equal levels compare exactly.
  static double between_quantiles(const std::vector<double>& first,
                                  const std::vector<double>& second) {
    const std::size_t n = first.size();
    const std::size_t m = second.size();
    std::size_t level = 0;
    double sum = 0.0;
    for (std::size_t i = 0, j = 0; i < n && j < m;) {
      const std::size_t next = std::min((i + 1) * m, (j + 1) * n);
      const double difference = first[i] - second[j];
      sum += static_cast<double>(next - level) * difference * difference;
      level = next;
      if (level == (i + 1) * m) ++i;
      if (level == (j + 1) * n) ++j;
    }
    return sum / (static_cast<double>(n) * static_cast<double>(m));
  }

  std::vector<double> places_;
  std::vector<std::size_t> order_;
  std::vector<double> parts_[2];
};

}  // namespace

SlicedDistance sliced_distance(SampleView first, SampleView second,
                               const SlicedDistanceOptions& options) {
  check_arguments(first, second, options);
  const RowMatrix directions = options.directions.size() > 0
                                   ? options.directions
                                   : drawn_directions(first.n_features(), options);
  const Index n_first = first.n_samples();
  const Index n_second = second.n_samples();
  std::vector<Membership> memberships =
      random_permutations(n_first, n_second, options.n_permutations, options.seed);
  memberships.insert(memberships.begin(), membership_of(n_first, n_second));
  const double unit = unit_of(first, second);
  Vector squares = Vector::Zero(std::ssize(memberships));
  ordered_sum(directions.rows(), options.execution, squares, [&](Index d) {
    Line line(first, second, directions.row(d), unit, on_one_thread(options.execution));
    Vector own(squares.size());
    for (std::size_t i = 0; i < memberships.size(); ++i) {
      own[static_cast<Index>(i)] = line.squared_distance(memberships[i]);
    }
    return own;
  });
  const Vector distances = unit * (squares / static_cast<double>(directions.rows())).cwiseSqrt();
  return {distances[0], null_of(distances)};
}

}  // namespace lbw
