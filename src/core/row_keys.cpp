// SPDX-License-Identifier: MIT
#include "core/row_keys.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>
#include <string>
#include <utility>

#include "core/fnv.hpp"
#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"

namespace lbw {

namespace {

constexpr std::uint64_t copy_stream = 0x636f70696573;  // distinct from the streams of draws
constexpr Index block_size = Index{1} << 18;
constexpr unsigned shard_shift = 58;  // 64 shards: the first 6 bits
constexpr std::size_t first_slots = 64;
constexpr std::size_t slots_ahead = 12;  // number of slots to prefetch

/// Whether the text is the number as std::to_string formats it: no '+' sign, no leading zeros.
template <typename Number>
bool is_plain(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && std::to_string(number) == text;
}

template <typename Input>
void hash_rows(const PointDraws& draws, const Input* row, Index stride,
               std::span<std::uint64_t> out) {
  for (std::uint64_t& hash : out) {
    hash = std::max<std::uint64_t>(PointDraws::mixed(draws.bits(row)), 1);  // 0 is a free slot
    row += stride;
  }
}

void hash_rows(const PointDraws& draws, SampleView rows, std::span<std::uint64_t> out) {
  if (rows.is_float()) {
    hash_rows(draws, rows.floats(), rows.row_stride(), out);
  } else {
    hash_rows(draws, rows.doubles(), rows.row_stride(), out);
  }
}

}  // namespace

std::uint64_t row_key(std::string_view text) {
  std::uint64_t whole = 0;
  if (is_plain(text, whole)) return whole;
  std::int64_t negative = 0;
  if (is_plain(text, negative)) return static_cast<std::uint64_t>(negative);
  Fnv hash;
  hash.add(text);
  return hash.value();
}

void check_keys(std::span<const std::uint64_t> keys, Index n_samples, const char* function,
                const std::string& argument) {
  require(keys.empty() || std::ssize(keys) == n_samples, function, ": ", argument, " has ",
          counted(keys.size(), "entry"), " for ", counted(n_samples, "sample"),
          "; provide one per sample, or none");
}

CopyCounter::CopyCounter(Index n_features) : draws_(0, n_features, copy_stream) {}

std::size_t CopyCounter::Shard::slot_of(std::uint64_t hash) const {
  const std::size_t mask = hashes_.size() - 1;
  std::size_t slot = hash & mask;
  while (hashes_[slot] != 0 && hashes_[slot] != hash) slot = (slot + 1) & mask;
  return slot;
}

void CopyCounter::Shard::fetch(std::uint64_t hash) const {
  __builtin_prefetch(&hashes_[hash & (hashes_.size() - 1)]);
}

void CopyCounter::Shard::make_room(std::size_t n_more) {
  const std::size_t wanted = std::min(n_hashes_ + n_more, most_per_shard);
  const std::size_t n_slots = std::bit_ceil(std::max(2 * wanted, first_slots));
  if (n_slots <= hashes_.size()) return;
  const std::vector<std::uint64_t> hashes = std::exchange(hashes_, {});
  const std::vector<std::uint64_t> counts = std::exchange(counts_, {});
  hashes_.assign(n_slots, 0);
  if (!counts.empty()) counts_.assign(n_slots, 0);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (hashes[i] == 0) continue;
    const std::size_t slot = slot_of(hashes[i]);
    hashes_[slot] = hashes[i];
    if (!counts.empty()) counts_[slot] = counts[i];
  }
}

std::uint64_t CopyCounter::Shard::count(std::uint64_t hash) {
  const std::size_t slot = slot_of(hash);
  if (hashes_[slot] == hash) {
    if (counts_.empty()) counts_.assign(hashes_.size(), 0);
    return ++counts_[slot];
  }
  if (n_hashes_ < most_per_shard) {
    hashes_[slot] = hash;
    ++n_hashes_;
  }
  return 0;
}

void CopyCounter::count(SampleView rows, const Execution& execution, std::span<std::uint64_t> out) {
  for (Index first = 0; first < rows.n_samples(); first += block_size) {
    const Index size = std::min(block_size, rows.n_samples() - first);
    count_block(rows.rows(first, size), execution, out.subspan(to_size(first), to_size(size)));
  }
}

// Rows are sorted by shard and keep their order within a shard. The first loops run over chunks of
// rows, the last one over shards.
void CopyCounter::count_block(SampleView rows, const Execution& execution,
                              std::span<std::uint64_t> out) {
  constexpr double work_of_row = 20.0;
  const Execution threads =
      threads_worth(static_cast<double>(rows.n_samples()) *
                        (work_of_row + static_cast<double>(rows.n_features())),
                    execution);
  const Chunks chunks = Chunks::of(rows.n_samples());
  const auto n_chunks = to_size(chunks.count());
  hashes_.resize(out.size());
  order_.resize(out.size());
  std::vector<std::uint32_t> places(n_chunks * n_shards);  // counts by shard, then chunk
  for_each_chunk(chunks.count(), threads, [&](Index chunk) {
    const auto first = to_size(chunks.begin(chunk));
    const auto size = to_size(chunks.size_of(chunk));
    const std::span<std::uint64_t> own = std::span(hashes_).subspan(first, size);
    hash_rows(draws_, rows.rows(chunks.begin(chunk), chunks.size_of(chunk)), own);
    for (const std::uint64_t hash : own) {
      ++places[(hash >> shard_shift) * n_chunks + to_size(chunk)];
    }
  });
  std::exclusive_scan(places.begin(), places.end(), places.begin(), std::uint32_t{0});
  for_each_chunk(chunks.count(), threads, [&](Index chunk) {
    for (Index i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
      const std::uint64_t shard = at(hashes_, i) >> shard_shift;
      order_[places[shard * n_chunks + to_size(chunk)]++] = static_cast<std::uint32_t>(i);
    }
  });
  for_each_chunk(n_shards, threads, [&](Index shard) {
    // each entry of `places` is now the end of its range
    const auto s = to_size(shard);
    const std::size_t begin = s == 0 ? 0 : places[s * n_chunks - 1];
    const std::size_t end = places[(s + 1) * n_chunks - 1];
    shards_[s].make_room(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      shards_[s].fetch(hashes_[order_[std::min(i + slots_ahead, end - 1)]]);
      out[order_[i]] = shards_[s].count(hashes_[order_[i]]);
    }
  });
}

std::uint64_t fingerprint(SampleView rows, const Execution& execution) {
  const PointDraws draws(0, rows.n_features(), copy_stream);
  const Chunks chunks = Chunks::of(rows.n_samples());
  std::uint64_t sum = static_cast<std::uint64_t>(rows.n_samples());
  ordered_sum(chunks.count(), execution, sum, [&](Index chunk) {
    const Index count = chunks.size_of(chunk);
    std::vector<std::uint64_t> hashes(to_size(count));
    hash_rows(draws, rows.rows(chunks.begin(chunk), count), hashes);
    rows.release(chunks.begin(chunk), count);
    return std::accumulate(hashes.begin(), hashes.end(), std::uint64_t{0});
  });
  return PointDraws::mixed(sum);
}

RowKeys keys_for_dither(std::span<const std::uint64_t> given, SampleView rows,
                        const Execution& execution) {
  return {given, rows.n_features(), given.empty() ? fingerprint(rows, execution) : 0};
}

std::span<const std::uint64_t> RowKeys::next(SampleView rows, const Execution& execution) {
  const auto size = to_size(rows.n_samples());
  if (is_given_) {
    const std::span<const std::uint64_t> keys = given_.first(size);
    given_ = given_.subspan(size);
    return keys;
  }
  counted_.resize(size);
  counter_.count(rows, execution, counted_);
  for (std::uint64_t& key : counted_) key += offset_;
  return counted_;
}

}  // namespace lbw
