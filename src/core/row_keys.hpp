// SPDX-License-Identifier: MIT
// The keys of the rows of one call (lbw/samples.hpp): given keys, or the numbers of copies.
#pragma once

#include <array>
#include <cstdint>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/point_draw.hpp"

namespace lbw {

/// Throws InvalidArgument unless `keys` is empty or has one entry per sample.
void check_keys(std::span<const std::uint64_t> keys, Index n_samples, const char* function,
                const std::string& argument);

/// Counts the previous occurrences of each row by its hash. Distinct rows of equal hash count as
/// equal; among a million rows this happens once in 4e7 calls. The hashes are divided into shards
/// by their first bits, so threads are independent and results do not depend on them.
class CopyCounter {
 public:
  explicit CopyCounter(Index n_features);

  /// out[i] is the number of earlier rows equal to rows[i], in this call and previous ones.
  void count(SampleView rows, const Execution& execution, std::span<std::uint64_t> out);

 private:
  static constexpr std::size_t n_shards = 64;
  static constexpr std::size_t most_per_shard = most_numbered_rows / n_shards;

  /// A hash table with open addressing, at most half full.
  class Shard {
   public:
    /// Reserves memory for n_more hashes, up to the maximum size of the shard.
    void make_room(std::size_t n_more);
    /// Prefetches the memory of a hash that will be counted soon.
    void fetch(std::uint64_t hash) const;
    /// Returns the number of previous occurrences, or 0 if the shard is full and the hash is new.
    /// Call make_room first.
    std::uint64_t count(std::uint64_t hash);

   private:
    [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const;

    std::vector<std::uint64_t> hashes_;  ///< 0 marks a free slot
    std::vector<std::uint64_t> counts_;  ///< empty before the first copy
    std::size_t n_hashes_ = 0;
  };

  void count_block(SampleView rows, const Execution& execution, std::span<std::uint64_t> out);

  PointDraws draws_;
  std::array<Shard, n_shards> shards_;
  std::vector<std::uint64_t> hashes_;  ///< of the rows of a block
  std::vector<std::uint32_t> order_;   ///< the rows of the block, sorted by shard
};

/// A hash of all rows of a call, independent of their order.
[[nodiscard]] std::uint64_t fingerprint(SampleView rows, const Execution& execution);

/// The keys of a call that processes its rows in order, in several parts.
class RowKeys {
 public:
  /// @param given   one per row of the call, must outlive this; if empty, copies are numbered
  /// @param offset  added to the numbers of copies, for instance the fingerprint
  RowKeys(std::span<const std::uint64_t> given, Index n_features, std::uint64_t offset = 0)
      : given_(given), is_given_(!given.empty()), offset_(offset), counter_(n_features) {}

  /// The keys of the next rows; valid until the next call.
  [[nodiscard]] std::span<const std::uint64_t> next(SampleView rows, const Execution& execution);

 private:
  std::span<const std::uint64_t> given_;  ///< the remaining given keys
  bool is_given_;
  std::uint64_t offset_;
  CopyCounter counter_;
  std::vector<std::uint64_t> counted_;
};

/// The keys of dithered rows. If none are given, they combine the numbers of copies with the
/// fingerprint. Otherwise equal rows of a training and a test set would get equal noise, and a
/// classifier could memorize the groups.
[[nodiscard]] RowKeys keys_for_dither(std::span<const std::uint64_t> given, SampleView rows,
                                      const Execution& execution);

}  // namespace lbw
