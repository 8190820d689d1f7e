// SPDX-License-Identifier: MIT
// Command lines, with an argument per line of the input. Arguments have no slashes and the commands
// run in an empty folder with an empty standard input, so that they neither find nor change files.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <vector>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "fuzz/fuzz_input.hpp"

using namespace lbw;

namespace {

/// Enters an empty folder that is removed when the process ends.
class EmptyFolder {
 public:
  EmptyFolder()
      : path_(std::filesystem::temp_directory_path() / ("lbw-fuzz-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
    std::filesystem::current_path(path_);
  }
  ~EmptyFolder() {
    std::filesystem::current_path("/");
    std::filesystem::remove_all(path_);
  }
  EmptyFolder(const EmptyFolder&) = delete;
  EmptyFolder& operator=(const EmptyFolder&) = delete;

 private:
  std::filesystem::path path_;
};

/// Replaces the buffer of a stream for its lifetime.
class Redirected {
 public:
  Redirected(std::ios& stream, std::streambuf* buffer)
      : stream_(stream), before_(stream.rdbuf(buffer)) {}
  ~Redirected() { stream_.rdbuf(before_); }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  std::ios& stream_;
  std::streambuf* before_;
};

std::vector<std::string> words_from(std::string_view text) {
  std::vector<std::string> words = {"lbw"};
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line) && words.size() < 40;) {
    std::ranges::replace(line, '/', '_');
    std::erase(line, '\0');
    words.push_back(line);
  }
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const EmptyFolder folder;
  std::istringstream no_input;
  std::ostringstream output;
  const Redirected input(std::cin, no_input.rdbuf());
  const Redirected results(std::cout, output.rdbuf());
  const Redirected messages(std::cerr, output.rdbuf());
  std::vector<std::string> words = words_from(fuzz::FuzzInput(data, size).rest());
  if (words.size() > 1 && words[1] == "share") return 0;  // writes files
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  cli::Program program("lbw", "0", "");
  for (const auto add : {cli::add_fit, cli::add_transport, cli::add_barycenter, cli::add_select,
                         cli::add_inspect, cli::add_repair, cli::add_score, cli::add_morph,
                         cli::add_options, cli::add_completion, cli::add_man}) {
    add(program);
  }
  try {
    fuzz::accepts([&] {
      static_cast<void>(program.run(static_cast<int>(arguments.size()), arguments.data()));
    });
  } catch (const cli::UsageError& error) {
    fuzz::require(*error.what() != '\0', "an error has a text");
  }
  return 0;
}
