// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <thread>

#include "io/mapped_file.hpp"
#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"
#include "support/npy_bytes.hpp"

namespace lbw {
namespace {

using namespace std::string_literals;

RowMatrix values_of(SampleView samples) {
  RowMatrix values(samples.n_samples(), samples.n_features());
  for (Index row = 0; row < values.rows(); ++row) values.row(row) = samples.row(row).transpose();
  return values;
}

RowMatrix normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  RowMatrix values(rows, columns);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = random.normal();
  return values;
}

/// The model of two groups, as in a file.
std::string model_bytes(SampleView a, SampleView b, MixtureStart start, int n_threads) {
  TransportOptions options;
  options.mixture.n_components = 3;
  options.mixture.max_iterations = 5;
  options.mixture.start = start;
  options.mixture.execution.n_threads = n_threads;
  const std::vector<Group> groups = {{"a", a}, {"b", b}};
  return model_to_bytes(fit_transport(groups, options));
}

void expect_same_bits(const NpySamples& mapped, const RowMatrix& values) {
  ASSERT_TRUE(mapped.is_mapped());
  const RowMatrix other = normal_matrix(500, values.cols(), 8);
  for (const MixtureStart start : {MixtureStart::kmeans, MixtureStart::random_points}) {
    const std::string expected = model_bytes(values, other, start, 1);
    for (const int n_threads : {1, 2}) {
      EXPECT_EQ(model_bytes(mapped.samples(), other, start, n_threads), expected);
    }
  }
  const TransportModel model =
      model_from_bytes(model_bytes(values, other, MixtureStart::kmeans, 1), "model");
  const LocalMap map = map_between(model, "a", "b");
  EXPECT_EQ(transport(map, mapped.samples()), transport(map, values));
  EXPECT_EQ(log_density(map.source, mapped.samples()), log_density(map.source, values));
}

TEST(NpySamples, OfAMappedFileGiveTheBitsOfThoseInMemory) {
  const TemporaryFolder folder;
  const RowMatrix values = normal_matrix(5000, 3, 7);
  write_npy(folder / "a.npy", values);
  expect_same_bits(NpySamples(folder / "a.npy"), values);
}

TEST(NpySamples, OfFloatsGiveTheBitsOfThoseInMemory) {
  const TemporaryFolder folder;
  const RowMatrixF values = normal_matrix(5000, 3, 7).cast<float>();
  const std::string bytes(reinterpret_cast<const char*>(values.data()),
                          sizeof(float) * static_cast<std::size_t>(values.size()));
  const auto path = folder.file("a.npy", padded_npy_of("<f4", "(5000, 3)", bytes));
  expect_same_bits(NpySamples(path), read_npy(path));
}

TEST(NpySamples, AreMappedWhereTheFileHoldsThemAsMemoryDoes) {
  struct Case {
    std::string bytes;
    bool mapped;
  };
  const std::string two = "\0\0\0\0\0\0\xf8\xbf\0\0\0\0\0\0\xf8\x3f"s;  // -1.5 and 1.5
  const Case cases[] = {
      {padded_npy_of("<f8", "(2, 1)", two), true},
      {padded_npy_of("<f8", "(2,)", two), true},
      {padded_npy_of("=f8", "(2,)", two), true},
      {padded_npy_of("<f4", "(2,)", "\0\0\xc0\xbf\0\0\xc0\x3f"s), true},
      {padded_npy_of("<f8", "(2, 1)", two, "True"), false},
      {padded_npy_of(">f8", "(2,)", "\xbf\xf8\0\0\0\0\0\0\x3f\xf8\0\0\0\0\0\0"s), false},
      {npy_of("<f8", "(2,)", two), false},  // the data do not start at a multiple of 8
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.bytes.substr(10, 60));
    const TemporaryFolder folder;
    const NpySamples samples(folder.file("a.npy", c.bytes));
    EXPECT_EQ(samples.is_mapped(), c.mapped);
    EXPECT_EQ(values_of(samples.samples()), (RowMatrix{{-1.5}, {1.5}}));
  }
  const TemporaryFolder folder;
  const NpySamples integers(folder.file("a.npy", padded_npy_of("|i1", "(1, 2)", "\xfe\x03")));
  EXPECT_FALSE(integers.is_mapped());
  EXPECT_EQ(values_of(integers.samples()), (RowMatrix{{-2, 3}}));
}

TEST(NpySamples, RefuseWhatReadNpyRefusesWithTheSameMessage) {
  const std::string nan = "\0\0\0\0\0\0\xf8\x7f"s;
  for (const std::string& bytes :
       {""s, "x"s, npy_of("<f8", "(2,)", std::string(15, 'x')), padded_npy_of("<f8", "(0, 2)", ""),
        padded_npy_of("<f8", "(3, 2)", std::string(40, '\0') + nan),
        padded_npy_of("<f4", "(1, 2)", "\0\0\0\0\0\0\x80\xff"s),
        npy_of("<c16", "(1,)", nan + nan)}) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.file("a.npy", bytes);
    std::string expected;
    try {
      (void)read_npy(path);
      ADD_FAILURE() << "was read";
    } catch (const IoError& error) {
      expected = error.what();
    }
    expect_error<IoError>([&] { NpySamples{path}; }, expected);
  }
  const TemporaryFolder folder;
  const std::string path =
      folder.file("a.npy", padded_npy_of("<f8", "(3, 2)", std::string(40, '\0') + nan)).string();
  expect_error<IoError>(
      [&] { NpySamples{path}; },
      path + ": contains nan at row 2, column 1 (counted from 0), expected finite values");
  expect_error<IoError>(
      [&] { NpySamples{folder / "missing.npy"}; },
      "cannot read '" + (folder / "missing.npy").string() + "': No such file or directory");
}

TEST(NpySamples, ReadAPipe) {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", RowMatrix{{1, 2}});
  ASSERT_EQ(::mkfifo((folder / "pipe.npy").c_str(), 0600), 0);
  std::jthread writer(
      [&] { std::ofstream(folder / "pipe.npy", std::ios::binary) << bytes_of(folder / "a.npy"); });
  const NpySamples samples(folder / "pipe.npy");
  EXPECT_FALSE(samples.is_mapped());
  EXPECT_EQ(values_of(samples.samples()), (RowMatrix{{1, 2}}));
}

TEST(NpySamples, StayWhenTheFileIsReplaced) {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", RowMatrix{{1, 2}});
  const NpySamples samples(folder / "a.npy");
  write_npy(folder / "a.npy", RowMatrix{{3, 4}});
  samples.samples().release(0, 1);
  EXPECT_EQ(values_of(samples.samples()), (RowMatrix{{1, 2}}));
}

/// Bytes of mapped files that are currently in the memory of this process.
long resident_file_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "RssFile:") continue;
    long kib = 0;
    status >> kib;
    return kib;
  }
  return -1;
}

TEST(NpySamples, TakeNoMemoryBetweenPasses) {
  if (resident_file_kib() < 0)
    GTEST_SKIP() << "this system does not report the resident pages of files";
  const TemporaryFolder folder;
  const RowMatrix block = normal_matrix(10'000, 8, 3);
  NpyWriter writer(folder / "a.npy", 400'000, 8);  // 25 MiB
  for (int i = 0; i < 40; ++i) writer.append(block);
  writer.commit();
  MixtureOptions options;
  options.n_components = 2;
  options.start = MixtureStart::random_points;
  options.execution.n_threads = 2;
  options.max_iterations = 1;
  const RowMatrix others = block.replicate(4, 1);
  (void)fit_mixture(others, options);  // the code of a fit is a mapped file too
  const long before = resident_file_kib();
  const NpySamples samples(folder / "a.npy");
  ASSERT_TRUE(samples.is_mapped());
  EXPECT_LT(resident_file_kib() - before, 4 * 1024);
  double sum = 0.0;
  for (Index row = 0; row < 400'000; ++row) sum += samples.samples()(row, 0);
  EXPECT_TRUE(std::isfinite(sum));
  EXPECT_GT(resident_file_kib() - before, 20 * 1024);  // without release the memory is kept
  long most = 0;
  options.on_iteration = [&](const FitProgress&) {
    most = std::max(most, resident_file_kib() - before);
  };
  EXPECT_EQ(fit_mixture(samples.samples(), options).iterations, 1);
  EXPECT_LT(most, 6 * 1024);
}

TEST(MappedFile, ReleasedBytesComeBack) {
  const TemporaryFolder folder;
  std::string bytes(3'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  const auto file = MappedFile::open(folder.file("a", bytes));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->bytes() == bytes);
  file->release(file->bytes().data() + 5000, 1'500'000);
  EXPECT_TRUE(file->bytes() == bytes);
  file->release(file->bytes().data() + 2'999'999, 1);
  file->release(file->bytes().data(), bytes.size());
  EXPECT_TRUE(file->bytes() == bytes);
}

TEST(MappedFile, IsNullForWhatCannotBeMapped) {
  const TemporaryFolder folder;
  EXPECT_FALSE(MappedFile::open(folder.path()));
  EXPECT_FALSE(MappedFile::open(folder / "missing"));
  EXPECT_FALSE(MappedFile::open(folder.file("empty", "")));
}

}  // namespace
}  // namespace lbw
