// SPDX-License-Identifier: MIT
// The worker of lbw for `make bench`: answers requests on standard input, one per line.
#include "worker/jobs.hpp"

int main() {
  using namespace lbw::bench;
  return serve({{"about", about_job},
                {"assignment", assignment_job},
                {"barycenter", barycenter_job},
                {"transport", transport_job},
                {"transport_model", transport_model_job},
                {"copy", copy_job},
                {"em_iteration", em_iteration_job},
                {"em_pass", em_pass_job},
                {"fit", fit_job},
                {"fit_memory", fit_memory_job},
                {"fma_peak", fma_peak_job},
                {"kmeans", kmeans_job},
                {"maps", maps_job},
                {"paper_map", paper_map_job},
                {"plan", plan_job},
                {"whole", whole_job}});
}
