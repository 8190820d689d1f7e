// SPDX-License-Identifier: MIT
// Files that other programs change while they are read.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <lbw/io.hpp>
#include <thread>

#include "io/atomic_file.hpp"
#include "io/byte_source.hpp"
#include "io/mapped_file.hpp"
#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

namespace fs = std::filesystem;

constexpr Index rows_of_a_fit = 200'000;
constexpr Index rows_of_a_transport = 1'200'000;  // more than a batch

/// Two clusters in the plane.
void write_clusters(const fs::path& path, Index n_rows) {
  RowMatrix block(1000, 2);
  Random random(5);
  for (Index i = 0; i < block.rows(); ++i) {
    block(i, 0) = random.normal() + (i % 2 == 0 ? 5.0 : -5.0);
    block(i, 1) = random.normal();
  }
  NpyWriter writer(path, n_rows, 2);
  for (Index i = 0; i < n_rows; i += block.rows()) writer.append(block);
  writer.commit();
}

/// A file of samples that is changed during the test.
class ChangedFile {
 public:
  explicit ChangedFile(Index n_rows) : n_bytes_(128 + 16 * static_cast<std::uintmax_t>(n_rows)) {
    write_clusters(path_, n_rows);
  }

  void truncate(std::uintmax_t size) const { fs::resize_file(path_, size); }

  /// Overwrites bytes in place, at a time that the file system can distinguish from the first one.
  void overwrite() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(1'000'000);
    file << std::string(80, '\0');
  }

  [[nodiscard]] std::string changed(const std::string& how) const {
    return "cannot read '" + path_.string() + "': the file changed while it was used: " + how +
           ". Repeat this when no other program writes to it";
  }
  [[nodiscard]] std::string truncated(std::uintmax_t size) const {
    return changed("it had " + std::to_string(n_bytes_) + " bytes, now it has " +
                   std::to_string(size));
  }
  [[nodiscard]] const fs::path& path() const { return path_; }
  [[nodiscard]] std::uintmax_t n_bytes() const { return n_bytes_; }

 private:
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "samples.npy";
  std::uintmax_t n_bytes_;
};

MixtureOptions few_iterations(MixtureStart start, const std::function<void()>& change) {
  MixtureOptions options;
  options.n_components = 2;
  options.start = start;
  options.max_iterations = 3;
  options.tolerance = 0.0;
  options.execution.n_threads = 2;
  options.on_iteration = [change](const FitProgress&) { change(); };
  return options;
}

TEST(ChangedFile, TruncatedDuringAFitIsAnError) {
  for (const MixtureStart start :
       {MixtureStart::kmeans, MixtureStart::random_points, MixtureStart::random_responsibilities}) {
    // to nothing, to the middle of a page, and by one value, which no page notices
    for (const std::uintmax_t lost :
         {std::uintmax_t{3'200'128}, std::uintmax_t{1'600'100}, std::uintmax_t{8}}) {
      const ChangedFile file(rows_of_a_fit);
      const std::uintmax_t size = file.n_bytes() - lost;
      const NpySamples samples(file.path());
      ASSERT_TRUE(samples.is_mapped());
      const MixtureOptions options = few_iterations(start, [&] { file.truncate(size); });
      expect_error<IoError>([&] { (void)fit_mixture(samples.samples(), options); },
                            file.truncated(size));
    }
  }
}

TEST(ChangedFile, OverwrittenDuringAFitIsAnError) {
  const ChangedFile file(rows_of_a_fit);
  const NpySamples samples(file.path());
  const MixtureOptions options =
      few_iterations(MixtureStart::random_points, [&] { file.overwrite(); });
  expect_error<IoError>([&] { (void)fit_mixture(samples.samples(), options); },
                        file.changed("it was modified"));
}

TEST(ChangedFile, TruncatedBeforeAFitIsAnError) {
  const ChangedFile file(rows_of_a_fit);
  const NpySamples samples(file.path());
  file.truncate(1000);
  const std::vector<Group> groups = {{"a", samples.samples()}, {"b", samples.samples()}};
  TransportOptions options;
  options.mixture.n_components = 2;
  expect_error<IoError>([&] { (void)fit_transport(groups, options); }, file.truncated(1000));
}

LocalMap shift_map() {
  RowMatrix a(200, 2);
  Random random(2);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = random.normal();
  RowMatrix b = a;
  b.array() += 3.0;
  TransportOptions options;
  options.mixture.n_components = 1;
  const std::vector<Group> groups = {{"a", a}, {"b", b}};
  return map_between(fit_transport(groups, options), "a", "b");
}

TEST(ChangedFile, TruncatedDuringATransportIsAnError) {
  const ChangedFile file(rows_of_a_transport);
  const NpySamples samples(file.path());
  int n_batches = 0;
  expect_error<IoError>(
      [&] {
        transport_in_batches(shift_map(), samples.samples(), [&](const RowMatrix&) {
          ++n_batches;
          file.truncate(5000);
        });
      },
      file.truncated(5000));
  EXPECT_EQ(n_batches, 1);
}

TEST(ChangedFile, OverwrittenDuringATransportIsAnError) {
  const ChangedFile file(rows_of_a_transport);
  const NpySamples samples(file.path());
  expect_error<IoError>(
      [&] {
        transport_in_batches(shift_map(), samples.samples(),
                             [&](const RowMatrix&) { file.overwrite(); });
      },
      file.changed("it was modified"));
}

// The size is as before, so only the lost page tells.
TEST(ChangedFile, TruncatedAndGrownAgainIsAnError) {
  const ChangedFile file(rows_of_a_fit);
  const auto mapped = MappedFile::open(file.path());
  ASSERT_TRUE(mapped);
  const fs::file_time_type time = fs::last_write_time(file.path());
  file.truncate(0);
  EXPECT_EQ(static_cast<const volatile char*>(mapped->bytes().data())[file.n_bytes() / 2], '\0');
  file.truncate(file.n_bytes());
  fs::last_write_time(file.path(), time);
  expect_error<IoError>([&] { mapped->check(); },
                        "cannot read '" + file.path().string() +
                            "': a part of the file was lost while it was used, because another "
                            "program truncated it or the disk failed");
}

TEST(ChangedFile, MappedByTheCallerAndTruncatedIsAnError) {
  const ChangedFile file(rows_of_a_fit);
  const std::size_t size = file.n_bytes();
  char* const data = system::map(system::File::to_read(file.path()), size);
  ASSERT_NE(data, nullptr);
  {
    const auto storage = guarded_memory(data, size, "rows");
    const auto* const values = reinterpret_cast<const double*>(data + 128);
    const SampleView samples(values, rows_of_a_fit, 2, 2, storage.get());
    EXPECT_NO_THROW((void)fit_mixture(samples, few_iterations(MixtureStart::kmeans, [] {})));
    const MixtureOptions options =
        few_iterations(MixtureStart::kmeans, [&] { file.truncate(1'000'000); });
    expect_error<IoError>([&] { (void)fit_mixture(samples, options); },
                          "cannot read 'rows': a part of the file was lost while it was used, "
                          "because another program truncated it or the disk failed");
  }
  system::unmap(data, size);
}

TEST(ChangedFile, RenamedOrRemovedIsNoError) {
  const ChangedFile file(rows_of_a_fit);
  const NpySamples samples(file.path());
  fs::rename(file.path(), file.path().string() + ".old");
  fs::remove(file.path().string() + ".old");
  EXPECT_NO_THROW(samples.samples().check());
}

// A table that is cut while it is read would otherwise be a smaller table.
TEST(ChangedFile, TruncatedTextIsAnErrorAtItsEnd) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("a.csv", std::string(100'000, '1'));
  const std::unique_ptr<ByteSource> source = open_file(path);
  std::vector<char> buffer(1000);
  EXPECT_EQ(source->read(buffer), 1000U);
  fs::resize_file(path, 50'000);
  buffer.resize(200'000);
  expect_error<IoError>([&] { (void)source->read(buffer); },
                        "cannot read '" + path.string() +
                            "': the file changed while it was used: it had 100000 bytes, now it "
                            "has 50000. Repeat this when no other program writes to it");
}

TEST(ChangedFile, UnchangedTextAndPipesAreNoErrors) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("a.csv", "x\n1\n2\n");
  std::vector<char> buffer(1000);
  EXPECT_EQ(open_file(path)->read(buffer), 6U);
  EXPECT_EQ(open_file("/dev/null")->read(buffer), 0U);
}

}  // namespace
}  // namespace lbw
