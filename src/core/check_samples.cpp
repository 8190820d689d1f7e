// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/sample_pass.hpp"

namespace lbw {

namespace {

constexpr double largest_magnitude = 1e100;

/// Whether all values are finite and small enough, in one pass without branches. The bits of
/// magnitudes have the same order as the values, with NaN above infinity, so the sign of a
/// difference is sufficient and compilers can vectorize the loop.
template <typename T>
bool all_usable(const T* values, Index count) {
  using Bits = std::conditional_t<sizeof(T) == sizeof(std::int64_t), std::int64_t, std::int32_t>;
  constexpr Bits magnitude = std::numeric_limits<Bits>::max();  // all bits except the sign
  constexpr auto largest =
      static_cast<T>(std::min<double>(largest_magnitude, std::numeric_limits<T>::max()));
  constexpr auto largest_bits = std::bit_cast<Bits>(largest);
  Bits signs = 0;
  for (Index i = 0; i < count; ++i) {
    signs |= largest_bits - (std::bit_cast<Bits>(values[i]) & magnitude);
  }
  return signs >= 0;
}

bool row_is_usable(SampleView samples, Index sample) {
  const Index offset = sample * samples.row_stride();
  return samples.is_float() ? all_usable(samples.floats() + offset, samples.n_features())
                            : all_usable(samples.doubles() + offset, samples.n_features());
}

[[noreturn]] void report_row(SampleView samples, Index sample, const char* function,
                             const char* argument) {
  samples.check();  // a file that has changed is the reason then
  Index feature = 0;
  while (std::abs(samples(sample, feature)) <= largest_magnitude) ++feature;
  const double value = samples(sample, feature);
  throw InvalidArgument(message(function, ": ", argument, " contains ", value, " at row ", sample,
                                ", column ", feature, " (counted from 0), expected finite values",
                                std::isfinite(value) ? " up to 1e+100; rescale that feature" : ""));
}

}  // namespace

void check_rows(SampleView samples, Index begin, Index end, const char* function,
                const char* argument) {
  if (samples.row_stride() == samples.n_features()) {
    const Index offset = begin * samples.row_stride();
    const Index count = (end - begin) * samples.n_features();
    const bool usable = samples.is_float() ? all_usable(samples.floats() + offset, count)
                                           : all_usable(samples.doubles() + offset, count);
    if (usable) return;
  }
  for (Index sample = begin; sample < end; ++sample) {
    if (!row_is_usable(samples, sample)) report_row(samples, sample, function, argument);
  }
}

void check_shape(SampleView samples, const char* function, const char* argument) {
  require(samples.n_samples() > 0, function, ": ", argument, " has no rows");
  require(samples.n_features() > 0, function, ": ", argument, " has no features");
}

void check_samples(SampleView samples, const char* function, const char* argument,
                   const Execution& execution) {
  constexpr Index values_worth_a_thread = Index{1} << 19;
  constexpr Index batch = 1024;
  check_shape(samples, function, argument);
  const bool small = samples.n_samples() * samples.n_features() < values_worth_a_thread;
  const Chunks chunks = Chunks::of(samples.n_samples());
  for_each_chunk(chunks.count(), small ? on_one_thread(execution) : execution, [&](Index chunk) {
    SamplePass pass(samples, chunks.begin(chunk));
    for (Index first = chunks.begin(chunk); first < chunks.end(chunk); first += batch) {
      const Index end = std::min(first + batch, chunks.end(chunk));
      check_rows(samples, first, end, function, argument);
      pass.used_up_to(end);
    }
  });
  samples.check();
}

}  // namespace lbw
