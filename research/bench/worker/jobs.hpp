// SPDX-License-Identifier: MIT
// The jobs of a worker. A request is a JSON object with the name of the job, the files of its
// inputs and its sizes. An answer has the seconds of the timed part and, as `checks`, numbers to
// verify that two workers did the same work.
#pragma once

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace lbw::bench {

using Json = nlohmann::json;
using Job = Json (*)(const Json& request);
using JobTable = std::map<std::string, Job>;

/// Wall time of one call.
template <typename Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Answers one request per line of standard input until it ends. A failure gives an answer with
/// `error`.
int serve(const JobTable& jobs);

// machine_jobs.cpp
Json fma_peak_job(const Json& request);
Json copy_job(const Json& request);
Json about_job(const Json& request);
// mixture_jobs.cpp
Json em_iteration_job(const Json& request);
Json em_pass_job(const Json& request);
Json fit_job(const Json& request);
Json fit_memory_job(const Json& request);
Json kmeans_job(const Json& request);
// transport_jobs.cpp
Json whole_job(const Json& request);
Json transport_job(const Json& request);
Json barycenter_job(const Json& request);
Json transport_model_job(const Json& request);
Json paper_map_job(const Json& request);
// gaussian_jobs.cpp
Json maps_job(const Json& request);
Json assignment_job(const Json& request);
Json plan_job(const Json& request);

}  // namespace lbw::bench
