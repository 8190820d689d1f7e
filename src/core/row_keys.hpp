// SPDX-License-Identifier: MIT
// The keys of the rows of one call (lbw/samples.hpp): those given, or numbers of copies.
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

/// Throws InvalidArgument unless there are no keys or one per sample.
void check_keys(std::span<const std::uint64_t> keys, Index n_samples, const char* function,
                const std::string& argument);

/// How often each row has come so far, by its hash: two distinct rows of one hash, of which a
/// million rows have one pair in 4e7 calls, count as equal. The hashes are split by their first
/// bits, so that threads work apart from each other and the bits never depend on them.
class CopyCounter {
 public:
  explicit CopyCounter(Index n_features);

  /// out[i] = rows equal to rows[i] that came before it, in this call and those before.
  void count(SampleView rows, const Execution& execution, std::span<std::uint64_t> out);

 private:
  static constexpr std::size_t n_shards = 64;
  static constexpr std::size_t most_per_shard = most_numbered_rows / n_shards;

  /// A hash table with open addresses, at most half full.
  class Shard {
   public:
    /// For so many more hashes, as far as the shard may grow.
    void make_room(std::size_t n_more);
    /// Asks for the memory of a hash that will be counted soon.
    void fetch(std::uint64_t hash) const;
    /// How often the hash came before; 0 where the shard is full and does not know it. There must
    /// be room for it.
    std::uint64_t count(std::uint64_t hash);

   private:
    [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const;

    std::vector<std::uint64_t> hashes_;  ///< 0: free
    std::vector<std::uint64_t> counts_;  ///< none before the first copy
    std::size_t n_hashes_ = 0;
  };

  void count_block(SampleView rows, const Execution& execution, std::span<std::uint64_t> out);

  PointDraws draws_;
  std::array<Shard, n_shards> shards_;
  std::vector<std::uint64_t> hashes_;  ///< of the rows of a block
  std::vector<std::uint32_t> order_;   ///< its rows by shard
};

/// A number of all rows of a call, in any order.
[[nodiscard]] std::uint64_t fingerprint(SampleView rows, const Execution& execution);

/// The keys of a call that goes through its rows in order, some at a time.
class RowKeys {
 public:
  /// @param given   one per row of the call, must outlive this; or none: copies are numbered
  /// @param offset  added to the numbers of copies, such as the fingerprint
  RowKeys(std::span<const std::uint64_t> given, Index n_features, std::uint64_t offset = 0)
      : given_(given), is_given_(!given.empty()), offset_(offset), counter_(n_features) {}

  /// Those of the next rows; valid until the next call.
  [[nodiscard]] std::span<const std::uint64_t> next(SampleView rows, const Execution& execution);

 private:
  std::span<const std::uint64_t> given_;  ///< what is left of them
  bool is_given_;
  std::uint64_t offset_;
  CopyCounter counter_;
  std::vector<std::uint64_t> counted_;
};

/// The keys of rows that are dithered: where none are given, numbers of copies and the fingerprint.
/// With the numbers alone, equal rows of a training and of a test set would get equal noise, and a
/// classifier that remembers places could tell the groups by them.
[[nodiscard]] RowKeys keys_for_dither(std::span<const std::uint64_t> given, SampleView rows,
                                      const Execution& execution);

}  // namespace lbw
