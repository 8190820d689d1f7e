// SPDX-License-Identifier: MIT
// Tables: what is read is finite and consistent, and is read again from what is written.
#include <lbw/io.hpp>
#include <sstream>

#include "fuzz/fuzz_input.hpp"

using namespace lbw;

namespace {

CsvOptions options_from(fuzz::FuzzInput& input) {
  constexpr char delimiters[] = {'\0', ',', ';', '\t', ' ', '|', any_whitespace};
  const std::string columns[] = {"", "1", "2", "x", "\xc3\xa4", "3"};
  CsvOptions options;
  options.delimiter = delimiters[input.whole(0, 6)];
  options.header = static_cast<CsvHeader>(input.whole(0, 2));
  options.missing = static_cast<MissingValues>(input.whole(0, 2));
  options.decimal = input.whole(0, 3) == 0 ? ',' : '.';
  options.group_column = columns[input.whole(0, 5)];
  options.key_column = columns[input.whole(0, 5)];
  options.weight_column = columns[input.whole(0, 5)];
  const std::string& column = columns[input.whole(0, 5)];
  if (!column.empty()) options.columns = {column};
  const int flags = input.byte();
  options.keeps_others = (flags & 1) != 0;
  options.keeps_key = (flags & 2) != 0;
  options.all_text = (flags & 12) == 12;
  return options;
}

void check(const Table& table, const CsvOptions& options) {
  const auto rows = static_cast<std::size_t>(table.values.rows());
  fuzz::require(options.missing == MissingValues::keep || table.values.allFinite(),
                "numbers are finite");
  fuzz::require(table.feature_names.empty() ||
                    static_cast<Index>(table.feature_names.size()) == table.values.cols(),
                "there is one name per feature");
  fuzz::require(table.groups.empty() || table.groups.size() == rows, "there is one group per row");
  fuzz::require(table.keys.empty() || table.keys.size() == rows, "there is one key per row");
  fuzz::require(table.weights.empty() || table.weights.size() == rows, "one weight per row");
  fuzz::require(table.others.cells.size() == rows * table.others.count,
                "columns of text have all rows");
  fuzz::require(table.others.names.empty() || table.others.names.size() == table.others.count,
                "columns of text have all names");
}

void check_round_trip(Table table) {
  if (table.values.size() == 0 || !table.values.allFinite()) return;
  table = {table.feature_names, table.values, "", {}};
  std::stringstream text;
  write_csv(text, table);
  CsvOptions options{.delimiter = ','};
  options.header = table.feature_names.empty() ? CsvHeader::absent : CsvHeader::present;
  const Table again = read_csv(text, "again", options);
  fuzz::require(again.values == table.values, "numbers are read as they were written");
  fuzz::require(again.feature_names == table.feature_names, "names are read as they were written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzInput input(data, size);
  const CsvOptions options = options_from(input);
  std::istringstream text{std::string(input.rest())};
  Table table;
  if (!fuzz::accepts([&] { table = read_csv(text, "table.csv", options); })) return 0;
  check(table, options);
  check_round_trip(std::move(table));
  return 0;
}
