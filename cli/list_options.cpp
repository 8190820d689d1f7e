// SPDX-License-Identifier: MIT
// lbw options: lists every option of a fit, from the option lists of the library.
#include <algorithm>
#include <lbw/fit_transport.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace lbw::cli {

namespace {

constexpr const char* examples = R"(Examples:
  The table of docs/options.md:
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
         "Every option of a fit, as the library declares it. The program takes an option under its "
         "name\nwith dashes, as in `--covariance-floor`. Python's estimators take it under its "
         "name; where\nscikit-learn has a name of its own, they use that: `tol`, `max_iter`, "
         "`init_params`, `random_state`\nand, in `GaussianMixture`, `reg_covar`. The defaults "
         "below are those of C++ and the program;\n`GroupRepair` and `LocalTransport` have some of "
         "their own, which their documentation lists.\nThis page is what `lbw options` prints.\n\n"
         "## Mixtures\n\n" +
         table_of(options_of(options.mixture)) + "\n## Coupling, maps and refinement\n\n" +
         table_of(options_of(options));
}

}  // namespace

void add_options(Program& program) {
  Command& command = program.add_command("options", "List every option of a fit as Markdown");
  command.set_footer(examples);
  command.run_by([] {
    write_text(option_page());
    return exit_done;
  });
}

}  // namespace lbw::cli
