// SPDX-License-Identifier: MIT
// Parts of lbw that a build may have or not; each is used where it is there. One goes from here
// once every build has it.
#pragma once

#include <lbw/lbw.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbw::bench {

#if __has_include(<lbw/precision.hpp>)
inline constexpr bool has_precision = true;
inline Precision precision_from(const std::string& name) {
  return name == "f32" ? Precision::f32 : Precision::f64;
}
inline void set_precision(MixtureOptions& options, const std::string& name) {
  options.precision = precision_from(name);
}
inline MomentSums sums_of(const Mixture& mixture, SampleView samples, const Execution& execution,
                          const std::string& precision) {
  return moment_sums(mixture, samples, {}, execution, precision_from(precision));
}
#else
inline constexpr bool has_precision = false;
inline void set_precision(const MixtureOptions&, const std::string& name) {
  if (name != "f64") throw std::runtime_error("this build computes in f64 alone");
}
inline MomentSums sums_of(const Mixture& mixture, SampleView samples, const Execution& execution,
                          const std::string& precision) {
  set_precision({}, precision);
  return moment_sums(mixture, samples, {}, execution);
}
#endif

using Gaussians = std::vector<Gaussian>;

template <typename Options = MixtureOptions>
inline constexpr bool has_start_samples = requires(Options options) {
  options.start_samples;
};

template <typename List = Gaussians>
inline constexpr bool has_gaussian_maps = requires(const List& list, Execution execution) {
  gaussian_maps(list, list, execution);
};

template <typename Map = LocalMap>
inline constexpr bool has_transport_into = requires(const Map& map, const RowMatrix& samples,
                                                    RowMatrix& out, Execution execution) {
  transport_into(map, samples, out, execution);
};

/// All maps of two equally long lists.
template <typename List>
std::vector<AffineMap> maps_of(const List& sources, const List& targets,
                               const Execution& execution) {
  if constexpr (has_gaussian_maps<List>) {
    return gaussian_maps(sources, targets, execution);
  } else {
    std::vector<AffineMap> maps;
    maps.reserve(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      maps.push_back(gaussian_map(sources[i], targets[i]));
    }
    return maps;
  }
}

/// Carries points into memory that is there already.
template <typename Map>
void carry_into(const Map& map, const RowMatrix& samples, RowMatrix& out,
                const Execution& execution) {
  if constexpr (has_transport_into<Map>) {
    transport_into(map, samples, out, execution);
  } else {
    out = transport(map, samples, execution);
  }
}

}  // namespace lbw::bench
