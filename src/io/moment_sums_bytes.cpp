// SPDX-License-Identifier: MIT
#include <cmath>
#include <lbw/io.hpp>
#include <lbw/moment_sums.hpp>
#include <limits>

#include "core/fnv.hpp"
#include "core/message.hpp"
#include "io/little_endian.hpp"

namespace lbw {

namespace {

constexpr std::string_view sums_magic = "LBWS";
constexpr std::string_view mixture_magic = "LBWM";
constexpr std::uint8_t version = 2;

std::uint64_t checksum(std::string_view bytes) {
  Fnv hash;
  hash.add(bytes);
  return hash.value();
}

/// Appends numbers.
class ByteWriter {
 public:
  ByteWriter(std::string_view magic, CovarianceType type, Index n_components, Index n_features)
      : bytes_(magic) {
    number(version);
    number(static_cast<std::uint8_t>(type));
    number(static_cast<std::uint64_t>(n_components));
    number(static_cast<std::uint64_t>(n_features));
  }

  template <typename T>
  void number(T value) {
    append_little_endian(bytes_, value);
  }

  void numbers(std::span<const double> values) {
    for (const double value : values) number(value);
  }

  /// @param symmetric  write only the lower triangle of a square matrix
  void matrix(const Matrix& values, bool symmetric) {
    const bool triangle = symmetric && values.cols() > 1;
    for (Index column = 0; column < values.cols(); ++column) {
      for (Index row = triangle ? column : 0; row < values.rows(); ++row) {
        number(values(row, column));
      }
    }
  }

  /// The bytes with their checksum at the end.
  [[nodiscard]] std::string take() {
    number(checksum(bytes_));
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

/// Reads numbers and refuses bytes that end early or late.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string_view magic, const char* what)
      : bytes_(bytes), what_(what) {
    check(bytes.substr(0, magic.size()) == magic, "are not bytes of that kind");
    at_ = magic.size();
    const auto found = number<std::uint8_t>();
    check(found == version, "are of another version of lbw");
    check_sum();
    const auto type = number<std::uint8_t>();
    check(type < std::size(EnumNames<CovarianceType>::values), "have an unknown covariance type");
    type_ = static_cast<CovarianceType>(type);
    n_components_ = size();
    n_features_ = size();
    check(n_components_ > 0 && n_features_ > 0, "have no components or no features");
    check_room(n_components_, n_features_);
  }

  [[nodiscard]] CovarianceType type() const { return type_; }
  [[nodiscard]] Index n_components() const { return n_components_; }
  [[nodiscard]] Index n_features() const { return n_features_; }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

  void check(bool condition, const char* problem) const {
    if (!condition) throw IoError(message("the bytes of ", what_, " ", problem));
  }

  template <typename T>
  T number() {
    check(bytes_.size() - at_ >= sizeof(T), "are truncated");
    const T value = read_little_endian<T>(bytes_.data() + at_);
    at_ += sizeof(T);
    return value;
  }

  double finite() {
    const auto value = number<double>();
    check(std::isfinite(value), "have a number that is not finite");
    return value;
  }

  /// A count, which cannot exceed the number of bytes.
  Index size() {
    const auto value = number<std::uint64_t>();
    check(value <= bytes_.size(), "are truncated");
    return static_cast<Index>(value);
  }

  Vector vector(Index size) {
    check_room(1, size);
    Vector values(size);
    for (double& value : values) value = finite();
    return values;
  }

  std::vector<double> list(Index size) {
    const Vector values = vector(size);
    return {values.begin(), values.end()};
  }

  RowMatrix rows(Index n_rows, Index n_columns) {
    check_room(n_rows, n_columns);
    RowMatrix values(n_rows, n_columns);
    for (Index i = 0; i < values.size(); ++i) values.data()[i] = finite();
    return values;
  }

  /// As many matrices as the covariance type has.
  std::vector<Matrix> matrices(bool symmetric) {
    const CovarianceLayout& layout = layout_of(type_);
    const Index n_rows = layout.n_rows(n_features_);
    const Index n_columns = layout.n_columns(n_features_);
    const Index n_matrices = layout.n_matrices(n_components_);
    const bool triangle = symmetric && n_columns > 1;
    std::vector<Matrix> result;
    for (Index i = 0; i < n_matrices; ++i) {
      check_room(n_rows, (n_columns + 1) / 2);
      Matrix& values = result.emplace_back(n_rows, n_columns);
      for (Index column = 0; column < n_columns; ++column) {
        for (Index row = triangle ? column : 0; row < n_rows; ++row) {
          values(row, column) = finite();
          if (triangle) values(column, row) = values(row, column);
        }
      }
    }
    return result;
  }

  void check_end() const { check(at_end(), "are longer than expected"); }

 private:
  /// Takes the checksum off the end of the bytes.
  void check_sum() {
    constexpr std::size_t width = sizeof(std::uint64_t);
    const bool complete = bytes_.size() >= at_ + width;
    const std::size_t size = complete ? bytes_.size() - width : 0;
    check(complete && read_little_endian<std::uint64_t>(bytes_.data() + size) ==
                          checksum(bytes_.substr(0, size)),
          "are damaged or incomplete");
    bytes_ = bytes_.substr(0, size);
  }

  /// Throws before memory is allocated for more numbers than there are bytes.
  void check_room(Index n_rows, Index n_columns) const {
    const std::size_t left = (bytes_.size() - at_) / sizeof(double);
    const auto columns = static_cast<std::size_t>(n_columns);
    check(columns == 0 || static_cast<std::size_t>(n_rows) <= left / columns, "are truncated");
  }

  std::string_view bytes_;
  const char* what_;
  std::size_t at_ = 0;
  CovarianceType type_ = CovarianceType::full;
  Index n_components_ = 0;
  Index n_features_ = 0;
};

std::span<const double> span_of(const Vector& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

std::span<const double> span_of(const RowMatrix& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

Mixture read_mixture(ByteReader& reader) {
  Mixture mixture;
  mixture.covariance_type = reader.type();
  mixture.weights = reader.vector(reader.n_components());
  mixture.means = reader.rows(reader.n_components(), reader.n_features());
  mixture.covariances = reader.matrices(false);
  try {
    check_mixture(mixture, "mixture_from_bytes", "mixture");
  } catch (const InvalidArgument& error) {
    throw IoError(error.what());
  }
  return mixture;
}

RowNoise read_noise(ByteReader& reader) {
  RowNoise noise;
  noise.seed = reader.number<std::uint64_t>();
  noise.widths = reader.vector(reader.size());
  const Index n_cells = reader.size();
  for (Index i = 0; i < n_cells; ++i) {
    const Index n = reader.size();
    RowNoise::Cells& cells = noise.cells.emplace_back();
    cells.lower = reader.list(n);
    cells.upper = reader.list(n);
  }
  return noise;
}

}  // namespace

std::string moment_sums_to_bytes(const MomentSums& sums) {
  require(sums.worst_sample.size() == sums.centers.cols(),
          "moment_sums_to_bytes: worst_sample has ", counted(sums.worst_sample.size(), "entry"),
          ", expected ", sums.centers.cols());
  ByteWriter writer(sums_magic, sums.covariance_type, sums.centers.rows(), sums.centers.cols());
  writer.number(static_cast<std::uint64_t>(sums.n_samples));
  writer.number(sums.weight);
  writer.number(sums.log_likelihood);
  writer.number(sums.worst_log_density);
  writer.number(sums.mixture);
  writer.numbers(span_of(sums.worst_sample));
  writer.numbers(span_of(sums.centers));
  writer.numbers(span_of(sums.component_weight));
  writer.numbers(span_of(sums.first));
  for (const Matrix& matrix : sums.second) writer.matrix(matrix, true);
  return writer.take();
}

MomentSums moment_sums_from_bytes(std::string_view bytes) {
  ByteReader reader(bytes, sums_magic, "moment sums");
  const Index k = reader.n_components();
  const Index d = reader.n_features();
  MomentSums sums;
  sums.covariance_type = reader.type();
  const auto n_samples = reader.number<std::uint64_t>();
  reader.check(n_samples <= std::uint64_t{std::numeric_limits<std::int64_t>::max()},
               "have an invalid number of samples");
  sums.n_samples = static_cast<Index>(n_samples);
  sums.weight = reader.finite();
  sums.log_likelihood = reader.finite();
  sums.worst_log_density = reader.number<double>();
  reader.check(!std::isnan(sums.worst_log_density), "have a number that is not finite");
  sums.mixture = reader.number<std::uint64_t>();
  sums.worst_sample = reader.vector(d);
  sums.centers = reader.rows(k, d);
  sums.component_weight = reader.vector(k);
  sums.first = reader.rows(k, d);
  sums.second = reader.matrices(true);
  reader.check_end();
  reader.check(sums.weight >= 0.0 && (sums.component_weight.array() >= 0.0).all() &&
                   (sums.n_samples > 0 || sums.weight == 0.0),
               "have weights that cannot occur");
  return sums;
}

std::string mixture_to_bytes(const Mixture& mixture) { return mixture_to_bytes(mixture, {}); }

std::string mixture_to_bytes(const Mixture& mixture, const RowNoise& noise) {
  ByteWriter writer(mixture_magic, mixture.covariance_type, mixture.n_components(),
                    mixture.n_features());
  writer.numbers(span_of(mixture.weights));
  writer.numbers(span_of(mixture.means));
  for (const Matrix& covariance : mixture.covariances) writer.matrix(covariance, false);
  if (noise.empty()) return writer.take();
  writer.number(noise.seed);
  writer.number(static_cast<std::uint64_t>(noise.widths.size()));
  writer.numbers(span_of(noise.widths));
  writer.number(static_cast<std::uint64_t>(noise.cells.size()));
  for (const RowNoise::Cells& cells : noise.cells) {
    writer.number(static_cast<std::uint64_t>(cells.lower.size()));
    writer.numbers(cells.lower);
    writer.numbers(cells.upper);
  }
  return writer.take();
}

NoisyMixture noisy_mixture_from_bytes(std::string_view bytes) {
  ByteReader reader(bytes, mixture_magic, "a mixture");
  NoisyMixture result{read_mixture(reader), {}};
  if (!reader.at_end()) result.noise = read_noise(reader);
  reader.check_end();
  return result;
}

Mixture mixture_from_bytes(std::string_view bytes) {
  ByteReader reader(bytes, mixture_magic, "a mixture");
  Mixture mixture = read_mixture(reader);
  reader.check_end();
  return mixture;
}

}  // namespace lbw
