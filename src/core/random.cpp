// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <lbw/types.hpp>

namespace lbw {

namespace {

// splitmix64 (Steele, Lea, Flood 2014): expands a seed to the whole state.
std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t stream_state = stream;
  std::uint64_t state = seed ^ (stream == 0 ? 0 : split_mix(stream_state));
  for (std::uint64_t& word : state_) word = split_mix(state);
}

// xoshiro256++ 1.0 (Blackman, Vigna 2019).
std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }

std::uint64_t Random::below(std::uint64_t bound) {
  // bits below `rejected` would favour small results, because 2^64 is not a multiple of bound
  const std::uint64_t rejected = (0 - bound) % bound;
  std::uint64_t draw = bits();
  while (draw < rejected) draw = bits();
  return draw % bound;
}

// Marsaglia's polar method: two normals from a point in the unit disc.
double Random::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  double x = 0.0;
  double y = 0.0;
  double squared_radius = 0.0;
  do {
    x = 2.0 * uniform() - 1.0;
    y = 2.0 * uniform() - 1.0;
    squared_radius = x * x + y * y;
  } while (squared_radius >= 1.0 || squared_radius == 0.0);
  const double scale = std::sqrt(-2.0 * std::log(squared_radius) / squared_radius);
  spare_normal_ = y * scale;
  has_spare_normal_ = true;
  return x * scale;
}

}  // namespace lbw
