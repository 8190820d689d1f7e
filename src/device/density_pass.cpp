// SPDX-License-Identifier: MIT
#include "device/density_pass.hpp"

#include "core/sample_pass.hpp"
#include "device/responsibility_block.hpp"

namespace lbw {

namespace {

/// Calls keep(block, first, count) with the responsibilities of every block of the chunk.
template <typename Keep>
void for_each_block(const KernelTable& table, SampleView samples, Index begin, Index end,
                    const Keep& keep) {
  ResponsibilityBlock<double> block(table, relevant_to_densities<double>);
  SamplePass pass(samples, begin);
  for (Index first = begin; first < end; first += block_points<double>) {
    const Index count = std::min(block_points<double>, end - first);
    block.find({samples, {}}, first, count, 1.0);
    keep(block, first, count);
    pass.used_up_to(first + count);
  }
}

}  // namespace

void chunk_log_densities(const KernelTable& table, SampleView samples, Index begin, Index end,
                         Vector& out) {
  for_each_block(table, samples, begin, end, [&](const auto& block, Index first, Index count) {
    std::copy_n(block.log_density.data(), count, out.data() + first);
  });
}

void chunk_responsibilities(const KernelTable& table, SampleView samples, Index begin, Index end,
                            RowMatrix& out) {
  for_each_block(table, samples, begin, end, [&](const auto& block, Index first, Index count) {
    for (Index i = 0; i < count; ++i) {
      for (Index k = 0; k < table.n_components(); ++k) out(first + i, k) = block.joint.row(k)[i];
    }
  });
}

}  // namespace lbw
