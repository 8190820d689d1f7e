// SPDX-License-Identifier: MIT
#include "interpreter_lock.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace lbw::python {

namespace {

using namespace nb::literals;
using namespace std::chrono_literals;

std::atomic<int> n_taking = 0;
std::atomic<std::thread::id> ending_thread = {};  // none before the interpreter begins to end

bool must_wait() {
  const std::thread::id ending = ending_thread;
  return ending != std::thread::id() && ending != std::this_thread::get_id();
}

/// Threads that are taking the lock already get it before the interpreter ends. What other threads
/// hold is never released, which is no leak of lbw.
void begin_to_end() {
  const nb::object n_threads = nb::module_::import_("threading").attr("active_count")();
  if (nb::cast<int>(n_threads) > 1) nb::set_leak_warnings(false);
  ending_thread = std::this_thread::get_id();
  PyThreadState* const state = PyEval_SaveThread();
  while (n_taking > 0) std::this_thread::sleep_for(1ms);
  PyEval_RestoreThread(state);
}

/// A forked process has only the thread that called fork.
void begin_in_fork() {
  n_taking = 0;
  ending_thread = std::thread::id();
}

}  // namespace

TakingLock::TakingLock() {
  ++n_taking;  // before the question, so that begin_to_end sees it or is seen
  if (!must_wait()) return;
  --n_taking;
  for (;;) std::this_thread::sleep_for(1h);
}

TakingLock::~TakingLock() { --n_taking; }

void watch_end_of_interpreter(nb::module_& m) {
  m.def("_begin_to_end", &begin_to_end);
  m.def("_begin_in_fork", &begin_in_fork);
  nb::module_::import_("atexit").attr("register")(m.attr("_begin_to_end"));
  const nb::module_ os = nb::module_::import_("os");
  if (nb::hasattr(os, "register_at_fork")) {
    os.attr("register_at_fork")("after_in_child"_a = m.attr("_begin_in_fork"));
  }
}

}  // namespace lbw::python
