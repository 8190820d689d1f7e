// SPDX-License-Identifier: MIT
// Moment sums and requests for them as bytes, for passes that run in other processes.
#pragma once

#include <lbw/mixture.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/sample_source.hpp>
#include <string>
#include <string_view>

namespace lbw {

/// Compact bytes, versioned and little endian. They depend only on the value, and reading them
/// gives bitwise the same numbers. Only the lower triangle of second moments is stored, because the
/// two differ only by rounding.
[[nodiscard]] std::string moment_sums_to_bytes(const MomentSums& sums);
[[nodiscard]] std::string mixture_to_bytes(const Mixture& mixture);
/// A mixture with the noise of a pass. Without noise, the same as mixture_to_bytes.
[[nodiscard]] std::string mixture_to_bytes(const Mixture& mixture, const RowNoise& noise);

/// Checks lengths, shapes and finiteness, before memory is allocated.
/// @throws IoError
[[nodiscard]] MomentSums moment_sums_from_bytes(std::string_view bytes);
/// Checks the mixture too, as check_mixture does.
[[nodiscard]] Mixture mixture_from_bytes(std::string_view bytes);

struct NoisyMixture {
  Mixture mixture;
  RowNoise noise;
};
[[nodiscard]] NoisyMixture noisy_mixture_from_bytes(std::string_view bytes);

}  // namespace lbw
