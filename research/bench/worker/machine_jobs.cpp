// SPDX-License-Identifier: MIT
// The peak rates of the machine: multiply-adds and copies, on the same number of threads.
#include <cstring>
#include <lbw/lbw.hpp>
#include <thread>
#include <vector>

#include "worker/fma_peak.hpp"
#include "worker/jobs.hpp"

namespace lbw::bench {
namespace {

/// Calls work(thread) on this number of threads in parallel.
template <typename Work>
void on_threads(int n_threads, const Work& work) {
  std::vector<std::thread> threads;
  for (int i = 1; i < n_threads; ++i) threads.emplace_back([&work, i] { work(i); });
  work(0);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

Json fma_peak_job(const Json& request) {
  const int n_threads = request.at("threads");
  const bool is_double = request.at("type") == "f64";
  const auto run = is_double ? run_multiply_adds_f64 : run_multiply_adds_f32;
  constexpr std::int64_t rounds = 20'000'000;  // about a tenth of a second
  std::vector<double> operations(static_cast<std::size_t>(n_threads));
  const double seconds = seconds_of([&] {
    on_threads(n_threads,
               [&](int thread) { operations[static_cast<std::size_t>(thread)] = run(rounds); });
  });
  double total = 0.0;
  for (const double count : operations) total += count;
  return {{"seconds", seconds}, {"checks", {{"flops_per_second", total / seconds}}}};
}

Json copy_job(const Json& request) {
  const int n_threads = request.at("threads");
  const auto n_bytes = request.at("bytes").get<std::size_t>();
  std::vector<char> from(n_bytes, 1);
  std::vector<char> to(n_bytes, 2);
  const std::size_t share = n_bytes / static_cast<std::size_t>(n_threads);
  const auto copy = [&] {
    on_threads(n_threads, [&](int thread) {
      const std::size_t begin = share * static_cast<std::size_t>(thread);
      std::memcpy(to.data() + begin, from.data() + begin, share);
    });
  };
  copy();  // all pages are mapped
  return {{"seconds", seconds_of(copy)}, {"checks", {{"bytes", n_bytes}}}};
}

Json about_job(const Json&) {
  return {{"version", version},
          {"compiler", __VERSION__},
          {"instruction_set", best_instruction_set()},
          {"cores", std::thread::hardware_concurrency()}};
}

}  // namespace lbw::bench
