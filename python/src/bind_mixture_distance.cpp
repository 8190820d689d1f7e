// SPDX-License-Identifier: MIT
#include <lbw/transport.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "interpreter_lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

void bind_mixture_distance(nb::module_& m) {
  m.def(
      "mixture_distance",
      [](const Mixture& first, const Mixture& second, int n_threads) {
        const Unlocked unlocked;
        return mixture_distance(first, second, {.n_threads = n_threads});
      },
      "first"_a, "second"_a, "n_threads"_a = 0, "Mixture-Wasserstein distance.");
}

}  // namespace lbw::python
