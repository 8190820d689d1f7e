// SPDX-License-Identifier: MIT
// Joint densities and moment sums about the mean of each component for many features: matrix
// products of packed panels.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/panel_model.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <limits>
#include <type_traits>

#include "device/density_model.hpp"
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
        means_(packed_means<T>(table)),
        origin_(table.n_features()),
        points_(table.n_features(), panels_of<T>(block_points<T>)),
        differences_(table.n_features() * panel_points<T>) {
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
    samples_ = samples.rows(first, count);
    points_.load(samples, first, count, table_.origin);
  }

  void evaluate(Index count, T relevant, Rows<T>& joint) override {
    const Index n_tiles = triangles_.front().n_tiles();
    const Index n_first = screen_.n_first_tiles(table_.n_components(), n_tiles);
    for (Index k = 0; k < table_.n_components(); ++k) {
      for (Index p = 0; p < panels_of<T>(count); ++p) {
        const T* columns = points_.panel(p);
        if constexpr (!shifts) {
          points_.subtract(p, mean(k), differences_.data());
          columns = differences_.data();
        }
        T* const out = joint.row(k) + p * panel_points<T>;
        std::fill_n(out, panel_points<T>, static_cast<T>(table_.log_scale[k]));
        triangle(k).subtract_squares(columns, panel_points<T>, 0, n_first, out);
      }
    }
    if (n_first < n_tiles) finish_relevant(count, relevant, n_first, joint);
  }

  void add_moments(const Rows<T>& weights, Index count) override {
    if (moments_.empty()) prepare_moments();
    const Index stride = samples_.row_stride();
    for (Index k = 0; k < table_.n_components(); ++k) {
      ScatterPanels<T>& moments = moments_[static_cast<std::size_t>(k)];
      const double* const center = centers_.data() + k * padded_;
      if (samples_.is_float()) {
        moments.add(samples_.floats(), stride, center, weights.row(k), count);
      } else {
        moments.add(samples_.doubles(), stride, center, weights.row(k), count);
      }
    }
  }

  void flush(RowMatrix& moments) override {
    for (std::size_t k = 0; k < moments_.size(); ++k) {
      moments_[k].flush(moments.data() + static_cast<Index>(k) * moments.cols());
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

  const T* mean(Index component) const { return means_.data() + component * table_.n_features(); }
  const TrianglePanels<T>& triangle(Index component) const {
    return triangles_[triangles_.size() == 1 ? 0 : static_cast<std::size_t>(component)];
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
    padded_ = (d + lanes<T>() - 1) / lanes<T>() * lanes<T>();
    centers_ = AlignedArray<double>(table_.n_components() * padded_);
    for (Index k = 0; k < table_.n_components(); ++k) {
      moments_.emplace_back(d);
      for (Index f = 0; f < d; ++f) {
        centers_[k * padded_ + f] = table_.means(k, f) + table_.origin[f];
      }
    }
  }

  const KernelTable& table_;
  AlignedArray<T> means_;
  AlignedArray<T> origin_;  ///< 0
  std::vector<TrianglePanels<T>> triangles_;
  SampleView samples_;  ///< of the block
  PointPanels<T> points_;
  AlignedArray<T> differences_;
  PartialScreen screen_;
  AlignedArray<T> best_{block_points<T>};
  AlignedArray<int> guess_{block_points<T>};
  AlignedArray<int> chosen_{block_points<T>};
  AlignedArray<T> rest_{panel_points<T>};
  Index padded_ = 0;              ///< doubles per center
  AlignedArray<double> centers_;  ///< empty until moments are added
  std::vector<ScatterPanels<T>> moments_;
};

std::unique_ptr<DensityModel<double>> new_panel_model_double(const KernelTable& table) {
  return std::make_unique<PanelModel<double>>(table);
}

std::unique_ptr<DensityModel<float>> new_panel_model_float(const KernelTable& table) {
  return std::make_unique<PanelModel<float>>(table);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(new_panel_model_double);
HWY_EXPORT(new_panel_model_float);

template <>
std::unique_ptr<DensityModel<double>> make_panel_model(const KernelTable& table) {
  return HWY_DYNAMIC_DISPATCH(new_panel_model_double)(table);
}

template <>
std::unique_ptr<DensityModel<float>> make_panel_model(const KernelTable& table) {
  return HWY_DYNAMIC_DISPATCH(new_panel_model_float)(table);
}

}  // namespace lbw
#endif  // HWY_ONCE
