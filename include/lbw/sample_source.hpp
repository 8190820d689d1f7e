// SPDX-License-Identifier: MIT
// Fits of rows that are not in memory: files larger than memory, or partitions of a cluster.
#pragma once

#include <cstdint>
#include <lbw/fit_mixture.hpp>
#include <lbw/matrix.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace lbw {

/// The rows that a pass uses. Criterion::heldout fits some rows and evaluates the fit on others
/// (held_out_rows).
enum class RowPart { all, fitted, held_out };

template <>
struct EnumNames<RowPart> {
  static constexpr std::string_view option = "part";
  static constexpr NamedValue<RowPart> values[] = {
      {RowPart::all, "all"}, {RowPart::fitted, "fitted"}, {RowPart::held_out, "held_out"}};
};

/// Noise that a pass adds to every row (lbw/dither.hpp): widths or cells, one per feature, or
/// neither. The key of a row is its index.
struct RowNoise {
  struct Cells {
    std::vector<double> lower = {};
    std::vector<double> upper = {};
  };

  std::uint64_t seed = 0;
  Vector widths = {};
  std::vector<Cells> cells = {};

  [[nodiscard]] bool empty() const { return widths.size() == 0 && cells.empty(); }
};

/// A pass of EM over the rows of a source.
struct SumsRequest {
  Mixture mixture;
  Precision precision = Precision::f64;
  RowPart part = RowPart::all;
  std::uint64_t seed = 0;  ///< of the held-out rows; ignored for all rows
  RowNoise noise = {};
};

struct SourceSummary {
  Index n_samples = 0;
  Index n_features = 0;
  Index n_positive = 0;  ///< rows with a weight above 0; n_samples without weights
  bool has_weights = false;
  double weight = 0.0;          ///< the sum of the weights; n_samples without weights
  double squared_weight = 0.0;  ///< the sum of the squared weights
};

struct RowsAndWeights {
  RowMatrix rows;
  std::vector<double> weights = {};  ///< empty if the source has no weights
};

/// Rows that a fit reads only in these three ways. Rows have a fixed order, and a row's index is
/// its position in this order. Values are finite with magnitudes up to 1e100, weights are finite
/// and >= 0. A fit calls the functions from one thread at a time; fits of several groups call
/// theirs at the same time. An exception ends the fit.
class SampleSource {
 public:
  SampleSource() = default;
  SampleSource(const SampleSource&) = delete;
  SampleSource& operator=(const SampleSource&) = delete;
  virtual ~SampleSource() = default;

  [[nodiscard]] virtual SourceSummary summary() = 0;
  /// @param ascending  indices of rows, without repetitions
  [[nodiscard]] virtual RowsAndWeights rows(std::span<const Index> ascending) = 0;
  /// The sums of all rows, which blocks of rows give by moment_sums and +=. Add them in a fixed
  /// order for reproducible results.
  [[nodiscard]] virtual MomentSums moment_sums(const SumsRequest& request) = 0;

  /// fit_transport calls begin() of all groups before a phase in which they ask for sums at the
  /// same time, and end() once a group needs no more sums in this phase. A source that joins the
  /// requests of several groups into one pass then knows how many to wait for.
  virtual void begin() {}
  virtual void end() {}
};

/// Rows in memory, or in a file of NpySamples, as a source.
class ViewSource : public SampleSource {
 public:
  /// @param sample_weights  empty, or one per sample; samples and weights must outlive the source
  explicit ViewSource(SampleView samples, std::span<const double> sample_weights = {},
                      Execution execution = {});

  [[nodiscard]] SourceSummary summary() override;
  [[nodiscard]] RowsAndWeights rows(std::span<const Index> ascending) override;
  [[nodiscard]] MomentSums moment_sums(const SumsRequest& request) override;

 private:
  SampleView samples_;
  std::span<const double> weights_;
  Execution execution_;
};

/// The sums of a block of a source's rows. Unlike moment_sums of samples, all weights of a block
/// may be 0.
///
/// @param first_row  the index of the first row
[[nodiscard]] MomentSums moment_sums(const SumsRequest& request, SampleView rows,
                                     std::span<const double> weights, Index first_row,
                                     const Execution& execution = {});

/// Whether Criterion::heldout holds out each of the rows first_row, first_row + 1, ...: one of
/// every five consecutive rows, drawn by the seed.
[[nodiscard]] std::vector<bool> held_out_rows(Index first_row, Index n_rows, std::uint64_t seed);

/// Fits a mixture to the rows of a source, as fit_mixture does for samples. EM starts on the same
/// rows of a subsample (MixtureOptions::start_samples), which are fetched, and continues with one
/// pass per step. A source of few rows is fetched completely. Rows that occur only once or twice
/// may be missing in the subsample, so distinct rows are counted there.
[[nodiscard]] MixtureFit fit_mixture(SampleSource& source, const MixtureOptions& options);

/// Selects the number of components for a source without weights.
[[nodiscard]] SelectionResult select_components(SampleSource& source,
                                                std::span<const int> n_components,
                                                const SelectionOptions& options = {});

}  // namespace lbw
