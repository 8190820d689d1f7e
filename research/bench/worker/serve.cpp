// SPDX-License-Identifier: MIT
#include <iostream>

#include "worker/inputs.hpp"
#include "worker/jobs.hpp"

namespace lbw::bench {
namespace {

Json answer(const JobTable& jobs, const std::string& line) {
  try {
    const Json request = Json::parse(line);
    const auto name = request.at("job").get<std::string>();
    if (name == "forget") {
      forget_inputs();
      return Json::object();
    }
    const auto job = jobs.find(name);
    if (job == jobs.end()) return {{"error", "this worker has no job '" + name + "'"}};
    return job->second(request);
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

int serve(const JobTable& jobs) {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << answer(jobs, line).dump() << std::endl;  // flush: the driver waits
  }
  return 0;
}

}  // namespace lbw::bench
