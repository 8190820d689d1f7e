// SPDX-License-Identifier: MIT
// lbw options: lists every option of a fit, from the option lists of the library.
#include <algorithm>
#include <lbw/fit_transport.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace lbw::cli {

namespace {

constexpr const char* option_examples = R"(Examples:
  Print docs/options.md:
    lbw options)";

/// Escapes pipes, which would end a cell.
std::string cell(std::string text) {
  std::ranges::replace(text, '|', '/');
  return text;
}

std::string table_of(std::span<const Option> options) {
  std::string table = "| option | values | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const Option& option : options) {
    table += "| `" + std::string(option.name) + "` | " + cell(option.expected()) + " | " +
             option.text() + " | " + cell(std::string(option.help)) + " |\n";
  }
  return table;
}

std::string option_page() {
  TransportOptions options;
  return "# Options\n\n"
         "Every option of a fit, as declared in the library. The command line uses the name with "
         "dashes, as\nin `--covariance-floor`. The Python estimators use the same name, except for "
         "names that scikit-learn\ndefines: `tol`, `max_iter`, `init_params`, `random_state` and, "
         "in `GaussianMixture`, `reg_covar`. The\ndefaults below apply to C++ and the command "
         "line; "
         "the documentation of `GroupRepair` and `LocalTransport`\nlists their own. Some values "
         "have the names of scikit-learn in Python: `diagonal` is "
         "`\"diag\"`,\n`kmeans++` is `\"k-means++\"`, `random` is `\"random_from_data\"`, "
         "`responsibilities` is `\"random\"`, and\n`auto` for `start_samples` is `None`. An "
         "estimator may lack some options; its documentation lists those\nthat it has. `lbw "
         "options` prints this page.\n\n"
         "## Mixtures\n\n" +
         table_of(options_of(options.mixture)) + "\n## Coupling, maps and refinement\n\n" +
         table_of(options_of(options));
}

}  // namespace

void add_options(Program& program) {
  Command& command = program.add_command("options", "List every option of a fit as Markdown");
  command.set_footer(option_examples);
  command.run_by([] {
    write_text(option_page());
    return exit_done;
  });
}

}  // namespace lbw::cli
