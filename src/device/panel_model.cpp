// SPDX-License-Identifier: MIT
// Joint densities and moment sums about the mean of each component for many features: matrix
// products of packed panels.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/panel_model.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <limits>
#include <optional>
#include <type_traits>

#include "device/ahead-inl.hpp"
#include "device/model_dispatch.hpp"
#include "device/scatter_panels-inl.hpp"
#include "device/triangle_panels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Decides how many tiles of rows are computed for all components before most of them turn out to
/// be irrelevant. This depends on the samples: if too many components must be finished, later
/// blocks try more tiles, in the end all of them. The result is the same in every case.
class PartialScreen {
 public:
  Index n_first_tiles(Index n_components, Index n_tiles) {
    if (n_components < 3 || n_tiles < 4 || pause_ > 0) {
      pause_ = std::max(pause_ - 1, 0);
      return n_tiles;
    }
    return quarters_ * n_tiles / 4;
  }

  void finished(Index n_finished, Index n_all) {
    if (2 * n_finished < n_all) return;
    if (++quarters_ < 4) return;
    quarters_ = 1;
    pause_ = blocks_of_pause;
  }

 private:
  static constexpr int blocks_of_pause = 30;

  Index quarters_ = 1;
  int pause_ = 0;
};

template <typename T>
class PanelModel final : public DensityModel<T> {
 public:
  explicit PanelModel(const KernelTable& table)
      : table_(table),
        padded_(padded_features<T>(table.n_features())),
        means_(table.n_components() * padded_),
        origin_(padded_),
        points_(table.origin, panels_of<T>(block_points<T>)),
        differences_(table.n_features() * panel_points<T>) {
    for (Index k = 0; k < table.n_components(); ++k) {
      for (Index f = 0; f < table.n_features(); ++f) {
        means_[k * padded_ + f] = static_cast<T>(table.means(k, f));
      }
    }
    const bool shared = table.whitening.size() == 1;
    for (Index k = 0; k < table.n_components(); ++k) {
      if (!shifts && shared && k > 0) break;
      const Matrix& whitening = table.whitening_of(k);
      Vector shift = Vector::Zero(table.n_features());
      if constexpr (shifts) shift = whitening * table.means.row(k).transpose();
      triangles_.emplace_back(whitening, shift);
    }
  }

  void load(SampleView samples, Index first, Index count) override {
    points_.load(samples, first, count);
    if (table_.n_features() <= most_features_ahead) {
      ahead_ = Ahead(samples, first + count, block_points<T>);
    }
  }

  void evaluate(Index count, T relevant, Rows<T>& joint) override {
    const Index n_tiles = triangles_.front().n_tiles();
    const Index n_first = screen_.n_first_tiles(table_.n_components(), n_tiles);
    const Index n_lines = ahead_.n_lines() / (table_.n_components() * panels_of<T>(count)) + 1;
    for (Index k = 0; k < table_.n_components(); ++k) {
      std::fill_n(joint.row(k), panels_of<T>(count) * panel_points<T>,
                  static_cast<T>(table_.log_scale[k]));
      subtract_rows(k, 0, n_first, joint.row(k), count, n_lines);
    }
    if (n_first < n_tiles) finish_relevant(count, relevant, n_first, joint);
  }

  void add_moments(const Rows<T>& weights, Index count) override {
    if (moments_.empty()) prepare_moments();
    for (Index k = 0; k < table_.n_components(); ++k) {
      weighted_->choose(weights.row(k), count);
      moments_[static_cast<std::size_t>(k)].add(*weighted_, mean(k));
    }
  }

  void flush(RowMatrix& moments) override {
    for (std::size_t k = 0; k < moments_.size(); ++k) {
      double* const row = moments.data() + static_cast<Index>(k) * moments.cols();
      const double weight = moments_[k].flush(row);
      // the sums are about a rounded mean in single precision
      for (Index f = 0; shifts && f < table_.n_features(); ++f) {
        const auto component = static_cast<Index>(k);
        row[1 + f] +=
            weight * (static_cast<double>(mean(component)[f]) - table_.means(component, f));
      }
    }
  }

  void squared_norms(Index count, T* out) override {
    for (Index p = 0; p < panels_of<T>(count); ++p) {
      points_.squared_norms(p, out + p * panel_points<T>);
    }
  }

 private:
  /// In single precision, rounding the samples has already lost the digits that the difference to
  /// the mean would keep. The mean is therefore part of the shift, which saves a subtraction.
  static constexpr bool shifts = std::is_same_v<T, float>;
  /// With more features, prefetching the next block evicts the current one.
  static constexpr Index most_features_ahead = 64;

  const T* mean(Index component) const { return means_.data() + component * padded_; }
  const TrianglePanels<T>& triangle(Index component) const {
    return triangles_[triangles_.size() == 1 ? 0 : static_cast<std::size_t>(component)];
  }

  /// Subtracts the squares of some tiles of rows of one component for all points of the block.
  /// @param n_lines  that are prefetched for each panel
  void subtract_rows(Index component, Index first, Index last, T* row, Index count,
                     Index n_lines = 0) {
    for (Index p = 0; p < panels_of<T>(count); ++p) {
      ahead_.fetch_lines(n_lines);
      const T* columns = points_.panel(p);
      if constexpr (!shifts) {
        points_.subtract(p, mean(component), differences_.data());
        columns = differences_.data();
      }
      triangle(component).subtract_squares(columns, panel_points<T>, first, last,
                                           row + p * panel_points<T>);
    }
  }

  /// Squares only lower a density. The component that is best after the first tiles of rows is
  /// therefore computed completely, and then only those that may come close to it.
  void finish_relevant(Index count, T relevant, Index n_first, Rows<T>& joint) {
    std::fill_n(best_.data(), count, -std::numeric_limits<T>::infinity());
    std::fill_n(guess_.data(), count, 0);
    for (Index k = 0; k < table_.n_components(); ++k) {
      const T* const row = joint.row(k);
      for (Index i = 0; i < count; ++i) {
        const bool better = row[i] > best_[i];
        best_[i] = better ? row[i] : best_[i];
        guess_[i] = better ? static_cast<int>(k) : guess_[i];
      }
    }
    Index n_finished = 0;
    for (Index k = 0; k < table_.n_components(); ++k) {
      n_finished +=
          finish(k, n_first, joint.row(k), count, [&](Index i) { return guess_[i] == k; });
    }
    for (Index i = 0; i < count; ++i) best_[i] = joint.row(guess_[i])[i] - relevant;
    for (Index k = 0; k < table_.n_components(); ++k) {
      const T* const row = joint.row(k);
      n_finished += finish(k, n_first, joint.row(k), count,
                           [&](Index i) { return guess_[i] != k && !(row[i] < best_[i]); });
    }
    screen_.finished(n_finished, count * table_.n_components());
  }

  /// Subtracts the other squares of one component for the points that `needs` says, and returns
  /// their number. They become panels of their own.
  template <typename Needs>
  HWY_INLINE Index finish(Index component, Index n_first, T* row, Index count, const Needs& needs) {
    Index n_points = 0;
    for (Index i = 0; i < count; ++i) {
      chosen_[n_points] = static_cast<int>(i);
      n_points += needs(i) ? 1 : 0;
    }
    const TrianglePanels<T>& factor = triangle(component);
    if (2 * n_points > count) {  // computing all of them is faster than collecting some
      std::copy_n(row, panels_of<T>(count) * panel_points<T>, all_.data());
      subtract_rows(component, n_first, factor.n_tiles(), all_.data(), count);
      for (Index i = 0; i < n_points; ++i) row[chosen_[i]] = all_[chosen_[i]];
      return n_points;
    }
    const T* const center = shifts ? origin_.data() : mean(component);
    for (Index first = 0; first < n_points; first += panel_points<T>) {
      const int* const points = chosen_.data() + first;
      const Index n = std::min(panel_points<T>, n_points - first);
      points_.gather(points, n, center, differences_.data());
      for (Index i = 0; i < n; ++i) rest_[i] = row[points[i]];
      factor.subtract_squares(differences_.data(), n, n_first, factor.n_tiles(), rest_.data());
      for (Index i = 0; i < n; ++i) row[points[i]] = rest_[i];
    }
    return n_points;
  }

  void prepare_moments() {
    const Index d = table_.n_features();
    weighted_.emplace(points_.rows());
    for (Index k = 0; k < table_.n_components(); ++k) moments_.emplace_back(d);
  }

  const KernelTable& table_;
  Index padded_;            ///< numbers per mean
  AlignedArray<T> means_;   ///< followed by 0 up to whole vectors
  AlignedArray<T> origin_;  ///< 0
  std::vector<TrianglePanels<T>> triangles_;
  PointPanels<T> points_;
  Ahead ahead_;  ///< the samples of the next block
  AlignedArray<T> differences_;
  PartialScreen screen_;
  AlignedArray<T> best_{block_points<T>};
  AlignedArray<int> guess_{block_points<T>};
  AlignedArray<int> chosen_{block_points<T>};
  AlignedArray<T> all_{block_points<T>};
  AlignedArray<T> rest_{panel_points<T>};
  std::optional<WeightedRows<T>> weighted_;
  std::vector<ScatterPanels<T>> moments_;
};

LBW_NEW_MODELS(PanelModel);

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

LBW_MAKE_MODELS(PanelModel, make_panel_model);

}  // namespace lbw
#endif  // HWY_ONCE
