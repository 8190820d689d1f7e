// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/draw_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <cmath>

#include "device/density_model.hpp"
#include "device/draw_pass.hpp"
#include "device/load-inl.hpp"
#include "device/responsibility-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// For a group of points: the first component at which the cumulative density exceeds a fraction
/// `numbers` of the total, the smallest distance of a cumulative sum to that fraction, and the
/// total. Both are in the same unknown scale.
template <typename T>
struct DrawnComponent {
  Vec<T> component[group_vectors];
  Vec<T> nearest[group_vectors];
  Vec<T> sum[group_vectors];

  /// `joint` becomes exponentials.
  HWY_INLINE DrawnComponent(T* joint, Index n_components, const Vec<T>* largest, const T* numbers) {
    const Tag<T> d;
    const Index step = lanes<T>();
    exponentials<T>(joint, n_components, largest, sum);
    Vec<T> wanted[group_vectors];
    Vec<T> cumulative[group_vectors];
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      wanted[v] = hn::Mul(hn::Load(d, numbers + v * step), sum[v]);
      cumulative[v] = hn::Zero(d);
      component[v] = hn::Zero(d);
      nearest[v] = sum[v];
    }
    const Vec<T> one = hn::Set(d, T{1});
    for (Index k = 0; k < n_components; ++k) {
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        cumulative[v] = hn::Add(cumulative[v], hn::Load(d, joint + v * step));
        const Vec<T> beyond = hn::Sub(cumulative[v], wanted[v]);
        nearest[v] = hn::Min(nearest[v], hn::Abs(beyond));
        component[v] = hn::Add(component[v], hn::IfThenElseZero(hn::Le(beyond, hn::Zero(d)), one));
      }
      joint += row_stride<T>;
    }
  }
};

HWY_INLINE std::uint64_t key_of(std::span<const std::uint64_t> keys, Index sample) {
  return keys.empty() ? 0 : keys[static_cast<std::size_t>(sample)];
}

/// The random numbers of the samples of a block, and the drawn components.
template <typename T>
struct BlockDraws {
  AlignedArray<T> first{block_points<T>};
  AlignedArray<double> second{block_points<T>};
  AlignedArray<T> component{block_points<T>};

  void load(const PointDraws& draws, SampleView samples, std::span<const std::uint64_t> keys,
            Index begin, Index count) {
    const Index at = begin * samples.row_stride();
    if (!keys.empty()) keys = keys.subspan(static_cast<std::size_t>(begin));
    if (samples.is_float()) {
      load(draws, samples.floats() + at, samples.row_stride(), keys, count);
    } else {
      load(draws, samples.doubles() + at, samples.row_stride(), keys, count);
    }
    std::fill(first.data() + count, first.data() + block_points<T>, T{0});
  }

 private:
  template <typename Input>
  HWY_INLINE void load(const PointDraws& draws, const Input* point, Index stride,
                       std::span<const std::uint64_t> keys, Index count) {
    for (Index i = 0; i < count; ++i) {
      const PointDraw draw = draws.of(point, key_of(keys, i));
      first[i] = static_cast<T>(draw.first);
      second[i] = draw.second;
      point += stride;
    }
  }
};

/// Computes in double precision.
class ExactDraws final : public DrawPass {
 public:
  ExactDraws(const KernelTable& table, const PieceTable& pieces, SampleView samples,
             std::span<const std::uint64_t> keys)
      : table_(table),
        pieces_(pieces),
        samples_(samples),
        keys_(keys),
        random_(pieces.seed, table.n_features()),
        model_(make_density_model<double>(table)),
        joint_(table.n_components()) {}

  void draw(Index begin, Index end, int* out) override {
    const Tag<double> d;
    const Index group = group_vectors * lanes<double>();
    for (Index first = begin; first < end; first += block_points<double>) {
      const Index count = std::min(block_points<double>, end - first);
      draws_.load(random_, samples_, keys_, first, count);
      model_->load(samples_, first, count);
      model_->evaluate(count, relevant_to_densities<double> + 1.0, joint_);
      for (Index i = 0; i < count; i += group) {
        Vec<double> largest[group_vectors];
        largest_joint<double>(joint_.row(0) + i, table_.n_components(), largest);
        const DrawnComponent<double> drawn(joint_.row(0) + i, table_.n_components(), largest,
                                           draws_.first.data() + i);
        for (int v = 0; v < group_vectors; ++v) {
          const Index at = i + v * lanes<double>();
          hn::Store(drawn.component[v], d, draws_.component.data() + at);
        }
      }
      for (Index i = 0; i < count; ++i) {
        out[first - begin + i] =
            pieces_.piece(static_cast<int>(draws_.component[i]), draws_.second[i]);
      }
    }
  }

 private:
  const KernelTable& table_;
  const PieceTable& pieces_;
  SampleView samples_;
  std::span<const std::uint64_t> keys_;
  PointDraws random_;
  std::unique_ptr<DensityModel<double>> model_;
  Rows<double> joint_;
  BlockDraws<double> draws_;
};

/// The component drawn for one sample, computed from the definition.
int drawn_component(const KernelTable& table, SampleView samples, Index sample,
                    const PointDraws& draws, std::uint64_t key, Vector& joint) {
  const Vector point = samples.row(sample);
  Vector difference(point.size());
  for (Index k = 0; k < table.n_components(); ++k) {
    for (Index f = 0; f < point.size(); ++f) difference[f] = point[f] - table.means(k, f);
    joint[k] = table.log_scale[k];
    const Matrix& whitening = table.whitening_of(k);
    for (Index row = 0; row < point.size(); ++row) {
      double sum = 0.0;
      for (Index c = 0; c <= row; ++c) sum += whitening(row, c) * difference[c];
      joint[k] -= sum * sum;
    }
  }
  const double largest = std::max(joint.maxCoeff(), std::numeric_limits<double>::lowest());
  double sum = 0.0;
  for (double& value : joint) sum += value = std::exp(value - largest);
  const double wanted = draws.of(point.data(), key).first * sum;
  double cumulative = 0.0;
  int component = 0;
  for (const double value : joint) {
    cumulative += value;
    if (cumulative > wanted) break;
    ++component;
  }
  return component;
}

/// Computes in single precision, and again in double precision where the error bound requires it.
class ScreenedDraws final : public DrawPass {
 public:
  ScreenedDraws(const LabelTables& tables, const PieceTable& pieces, SampleView samples,
                std::span<const std::uint64_t> keys)
      : tables_(tables),
        pieces_(pieces),
        samples_(samples),
        keys_(keys),
        random_(pieces.seed, tables.screen.n_features()),
        model_(make_density_model<float>(tables.screen)),
        joint_(tables.screen.n_components()),
        exact_joint_(tables.screen.n_components()) {}

  void draw(Index begin, Index end, int* out) override {
    for (Index first = begin; first < end; first += block_points<float>) {
      const Index count = std::min(block_points<float>, end - first);
      draws_.load(random_, samples_, keys_, first, count);
      model_->load(samples_, first, count);
      model_->evaluate(count, relevant_to_densities<float> + 1.0F, joint_);
      screen(count);
      for (Index i = 0; i < count; ++i) {
        const float component = draws_.component[i];
        out[first - begin + i] = pieces_.piece(
            component >= 0.0F ? static_cast<int>(component)
                              : drawn_component(tables_.exact, samples_, first + i, random_,
                                                key_of(keys_, first + i), exact_joint_),
            draws_.second[i]);
      }
    }
  }

 private:
  // The error of partial sums of responsibilities is at most the sum of r D over all components
  // except the likeliest, where r is a responsibility and D the error bound of LabelTables for the
  // difference between its joint density and the largest. D grows slower than q = scale - joint
  // density. Let w be the sum of these r. A joint density lags by -log r, which adds at most
  // w log(n_components / w) to the sum of r q. The sum of r D is therefore at most w times D at
  // q = scale - largest + log n_components + log 1 / w. We use w >= 2^-23, so the last term is
  // below
  // 16. The factor 1.5 covers products of errors, and every addition in single precision may add
  // 2^-24 of the sum.
  //
  /// draws_.component = component of every point, or -1 if the error bound does not decide.
  void screen(Index count) {
    const Tag<float> d;
    const Index n_components = tables_.screen.n_components();
    const Index group = group_vectors * lanes<float>();
    const Vec<float> additions =
        hn::Set(d, static_cast<float>(n_components + 8) * std::numeric_limits<float>::epsilon());
    const Vec<float> one = hn::Set(d, 1.0F);
    const Vec<float> slope = hn::Set(d, static_cast<float>(1.5 * tables_.slope));
    const Vec<float> reach = hn::Set(d, static_cast<float>(tables_.reach));
    const Vec<float> rounding = hn::Set(d, static_cast<float>(1.5 * tables_.rounding));
    const Vec<float> scale = hn::Set(d, static_cast<float>(tables_.scale));
    const Vec<float> top = hn::Set(
        d, static_cast<float>(tables_.scale) + 16.0F + std::log(static_cast<float>(n_components)));
    model_->squared_norms(count, norms_.data());
    for (Index first = 0; first < count; first += group) {
      Vec<float> largest[group_vectors];
      largest_joint<float>(joint_.row(0) + first, n_components, largest);
      const DrawnComponent<float> drawn(joint_.row(0) + first, n_components, largest,
                                        draws_.first.data() + first);
      for (int v = 0; v < group_vectors; ++v) {
        const Index at = first + v * lanes<float>();
        const Vec<float> q = hn::Sub(top, largest[v]);
        const Vec<float> norm = hn::Load(d, norms_.data() + at);
        const Vec<float> spread =
            hn::Mul(hn::Mul(slope, hn::Sqrt(q)), hn::Add(hn::Sqrt(norm), reach));
        const Vec<float> error = hn::MulAdd(rounding, hn::Add(q, scale), spread);
        // the sum of the others, in which the likeliest component counts 1
        const Vec<float> others = hn::MulAdd(additions, drawn.sum[v], hn::Sub(drawn.sum[v], one));
        const Vec<float> margin = hn::MulAdd(error, others, hn::Mul(additions, drawn.sum[v]));
        const auto certain = hn::And(hn::Gt(drawn.nearest[v], margin), is_not_clamped(norm));
        hn::Store(hn::IfThenElse(certain, drawn.component[v], hn::Set(d, -1.0F)), d,
                  draws_.component.data() + at);
      }
    }
  }

  const LabelTables& tables_;
  const PieceTable& pieces_;
  SampleView samples_;
  std::span<const std::uint64_t> keys_;
  PointDraws random_;
  std::unique_ptr<DensityModel<float>> model_;
  Rows<float> joint_;
  AlignedArray<float> norms_{block_points<float>};
  BlockDraws<float> draws_;
  Vector exact_joint_;
};

std::unique_ptr<DrawPass> make_draw_pass(const LabelTables& tables, const PieceTable& pieces,
                                         SampleView samples, std::span<const std::uint64_t> keys) {
  if (tables.screens_draws) return std::make_unique<ScreenedDraws>(tables, pieces, samples, keys);
  return std::make_unique<ExactDraws>(tables.exact, pieces, samples, keys);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(make_draw_pass);

std::unique_ptr<DrawPass> make_draw_pass(const LabelTables& tables, const PieceTable& pieces,
                                         SampleView samples, std::span<const std::uint64_t> keys) {
  return HWY_DYNAMIC_DISPATCH(make_draw_pass)(tables, pieces, samples, keys);
}

}  // namespace lbw
#endif  // HWY_ONCE
