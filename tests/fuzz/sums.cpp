// SPDX-License-Identifier: MIT
// Bytes of moment sums and mixtures, which processes of a cluster exchange.
#include <lbw/io.hpp>

#include "fuzz/fuzz_input.hpp"

using namespace lbw;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::FuzzInput(data, size).rest();
  fuzz::accepts([&] {
    const std::string written = moment_sums_to_bytes(moment_sums_from_bytes(bytes));
    fuzz::require(moment_sums_to_bytes(moment_sums_from_bytes(written)) == written,
                  "sums are read as they were written");
  });
  fuzz::accepts([&] {
    const std::string written = mixture_to_bytes(mixture_from_bytes(bytes));
    fuzz::require(mixture_to_bytes(mixture_from_bytes(written)) == written,
                  "a mixture is read as it was written");
  });
  fuzz::accepts([&] {
    const NoisyMixture read = noisy_mixture_from_bytes(bytes);
    const std::string written = mixture_to_bytes(read.mixture, read.noise);
    const NoisyMixture again = noisy_mixture_from_bytes(written);
    fuzz::require(mixture_to_bytes(again.mixture, again.noise) == written,
                  "noise is read as it was written");
  });
  return 0;
}
