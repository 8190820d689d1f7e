// SPDX-License-Identifier: MIT
// lbw morph: draws the shapes between silhouettes.
#include <filesystem>
#include <lbw/picture.hpp>
#include <lbw/report.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/morph_picture.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/terms.hpp"

namespace lbw::cli {

namespace {

constexpr const char* morph_examples = R"(Examples:
  Draw the triangle of barycenters of three silhouettes, dark on light:
    lbw morph cat.png rabbit.png tooth.png --grid 5 -o simplex.png
  Draw a strip of seven shapes between two, with so few components that each is visible:
    lbw morph cat.png tooth.png --grid 7 --components 20 -o strip.png
  Write the frames of an animation, morph-0000.png to morph-0011.png:
    lbw morph cat.png rabbit.png --frames 12 --components 20 -o morph.png)";

constexpr Index longest_side = 16384;  // in pixels, the limit of read_png

/// Many components and few EM steps. After k-means, the components of a silhouette have similar
/// masses, which a one-to-one matching needs to avoid cracks; more EM steps change the masses.
MixtureOptions silhouette_mixtures() {
  MixtureOptions options;
  options.n_components = 400;
  options.tolerance = 1e-2;
  return options;
}

struct MorphCommand {
  CommonOptions common;
  std::vector<std::string> images;
  MixtureOptions mixture = silhouette_mixtures();
  TransportOptions transport;  // coupling options
  Index n_points = 10000;
  int grid = 5;
  int n_frames = 0;  // 0 draws one image with the whole grid
  PictureOptions picture;
  std::string output;
};

void check_usage(const MorphCommand& command) {
  if (command.images.size() < 2) throw UsageError("only one image is given, expected two or more");
  if (command.images.size() > 3 && command.n_frames == 0) {
    throw UsageError(to_text(command.images.size()) +
                     " images need --frames; a strip or triangle shows two or three");
  }
  if (command.output == "-")
    throw UsageError(
        "--output is '-', expected a file: images cannot be written to standard output");
  const Index side = command.grid * command.picture.cell;
  if (command.n_frames == 0 && side > longest_side) {
    throw UsageError("--grid " + to_text(command.grid) + " times --cell " +
                     to_text(command.picture.cell) + " is " + to_text(side) +
                     " pixels, expected at most " + to_text(longest_side));
  }
}

/// Points of the silhouette in an image. Errors name the file.
RowMatrix points_of(const std::string& path, const MorphCommand& command) {
  const GrayImage image = read_png(path);
  try {
    return silhouette_points(image, command.n_points, command.mixture.seed);
  } catch (const InvalidArgument& error) {
    throw IoError(path + ": " + in_terms_of_the_program(error.what()));
  }
}

Morph fit_images(const MorphCommand& command) {
  Morph morph;
  const std::vector<NamedPath> paths = named_paths(command.images);
  check_distinct_groups(paths);
  for (const NamedPath& path : paths) {
    const EndAtOnce waiting;
    morph.points.push_back(points_of(path.path, command));
  }
  std::vector<Group> groups;
  for (std::size_t i = 0; i < paths.size(); ++i) groups.push_back({paths[i].name, morph.points[i]});
  TransportOptions options = command.transport;
  options.mixture = command.mixture;
  options.mixture.execution = command.common.execution;
  Progress progress(command.common.quiet);
  options.on_iteration = [&progress](std::string_view group, const FitProgress& step) {
    stop_if_interrupted();
    progress.show("fitting '" + std::string(group) + "': step " + to_text(step.iteration));
  };
  morph.model = fit_transport(groups, options);
  return morph;
}

PictureOptions picture_options(const MorphCommand& command) {
  PictureOptions options = command.picture;
  options.execution = command.common.execution;
  return options;
}

/// Writes one image with all cells of the strip or triangle.
std::vector<std::string> write_grid(const MorphCommand& command, const Morph& morph) {
  const Index cell = command.picture.cell;
  const std::vector<Cell> cells = grid_cells(morph.model.n_groups(), command.grid, cell);
  const Index width = command.grid * cell;
  RgbImage picture =
      RgbImage::filled(width, morph.model.n_groups() == 2 ? cell : width, {255, 255, 255});
  Progress progress(command.common.quiet);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    stop_if_interrupted();
    progress.show("drawing " + to_text(i + 1) + " of " + to_text(cells.size()),
                  static_cast<double>(i) / static_cast<double>(cells.size()));
    paste(silhouette_at(morph, cells[i].weights, picture_options(command)), cells[i].x, cells[i].y,
          picture);
  }
  const PipeGuard waiting(command.output);
  write_png(command.output, picture);
  return {command.output};
}

/// morph.png -> morph-0007.png
std::string frame_path(const std::string& output, std::size_t frame) {
  const std::filesystem::path path(output);
  const std::string number = to_text(frame);
  const std::string zeros(number.size() < 4 ? 4 - number.size() : 0, '0');
  const std::string name = path.stem().string() + "-" + zeros + number + path.extension().string();
  return (path.parent_path() / name).string();
}

std::vector<std::string> frame_paths(const std::string& output, std::size_t n_frames) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < n_frames; ++i) paths.push_back(frame_path(output, i));
  return paths;
}

void check_outputs_are_not_inputs(const MorphCommand& command) {
  const std::vector<std::string> images = paths_of(command.images);
  const std::size_t n_frames =
      command.n_frames == 0 ? 0 : frame_weights(std::ssize(images), command.n_frames).size();
  const std::vector<std::string> outputs =
      n_frames == 0 ? std::vector{command.output} : frame_paths(command.output, n_frames);
  for (const std::string& output : outputs) check_not_input(output, images, "the picture");
}

std::vector<std::string> write_frames(const MorphCommand& command, const Morph& morph) {
  const auto frames = frame_weights(morph.model.n_groups(), command.n_frames);
  std::vector<std::string> paths = frame_paths(command.output, frames.size());
  Progress progress(command.common.quiet);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    stop_if_interrupted(i == 0 ? "nothing was written"
                               : to_text(i) + " of " + to_text(frames.size()) +
                                     " frames were written");
    progress.show("drawing frame " + to_text(i + 1) + " of " + to_text(frames.size()),
                  static_cast<double>(i) / static_cast<double>(frames.size()));
    write_png(paths[i], silhouette_at(morph, frames[i], picture_options(command)));
  }
  return paths;
}

ExitCode run_morph(const MorphCommand& command) {
  check_usage(command);
  check_output(command.output, picture_extensions);
  check_outputs_are_not_inputs(command);
  const Stopwatch watch;
  const Morph morph = fit_images(command);
  const double fit_seconds = watch.seconds();
  const std::vector<std::string> written =
      command.n_frames > 0 ? write_frames(command, morph) : write_grid(command, morph);
  if (command.common.json) {
    Json json = to_json(morph.model);
    json["pictures"] = written;
    write_json(json);
  }
  const bool converged = report_convergence(command.common.quiet, "morph", morph.model);
  for (const std::string& text : fit_warnings(morph.model)) {
    tell(command.common.quiet, "morph", "warning: " + text);
  }
  tell(command.common.quiet, "morph",
       counted(morph.model.n_groups(), "silhouette") + ", " +
           counted(command.mixture.n_components, "component") + " each, fitted in " +
           fixed(fit_seconds, 2) + " s; " + counted(written.size(), "picture") + " drawn in " +
           fixed(watch.seconds() - fit_seconds, 2) + " s");
  return converged ? exit_done : exit_not_converged;
}

void add_picture_options(Command& command, MorphCommand& state) {
  command.add(integer_option("points", state.n_points, {.least = 1, .most = 100'000'000},
                             "Number of points drawn from each silhouette"));
  command.add(integer_option("grid", state.grid, {.least = 2, .most = 64},
                             "Number of silhouettes per side of the strip or triangle"));
  command.add_without_default(integer_option("frames", state.n_frames,
                                             {.least = 2, .most = 100'000},
                                             "Write this many numbered images instead: from the "
                                             "first silhouette to the second, or through three or "
                                             "more and back to the first"));
  command.exclude("--grid", "--frames");
  command.add(integer_option("cell", state.picture.cell, {.least = 16, .most = 4096},
                             "Side length of one silhouette in pixels"));
  command.add(number_option("bandwidth", state.picture.bandwidth, {.least = 0.1, .most = 10.0},
                            "Bandwidth of the smoothing kernel, in percent of the side length"));
}

}  // namespace

void add_morph(Program& program) {
  Command& command =
      program.add_command("morph", "Interpolate between silhouettes and draw the shapes");
  const auto state = std::make_shared<MorphCommand>();
  command.add({"images",
               "PNG silhouettes, dark on light, as path or name=path; two, three, or more with "
               "--frames",
               "PNG", "", true},
              state->images);
  command.add({"-o,--output", "Output file, PNG", "PNG", "", true}, state->output);
  add_picture_options(command, *state);
  command.add(find_option(options_of(state->mixture), "n_components"),
              "-k,--components,--n-components");
  add_mixture_options(command, state->mixture);
  add_coupling_options(command, state->transport);
  add_common_options(command, state->common, "Print the model and the image files as JSON");
  command.set_footer(morph_examples);
  command.run_by([state] { return run_morph(*state); });
}

}  // namespace lbw::cli
