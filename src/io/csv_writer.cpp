// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <lbw/io.hpp>
#include <numeric>
#include <ostream>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/atomic_file.hpp"

namespace lbw {

namespace {

bool has_groups(const Table& table) { return !table.groups.empty() || !table.group_column.empty(); }

void check_table(const Table& table) {
  const std::size_t n_rows = to_size(table.values.rows());
  const std::size_t n_features = to_size(table.values.cols());
  require(n_features > 0, "write_csv: table has no columns");
  require(table.feature_names.empty() || table.feature_names.size() == n_features,
          "write_csv: feature_names has ", counted(table.feature_names.size(), "entry"),
          ", expected ", n_features);
  require(!has_groups(table) || table.groups.size() == n_rows, "write_csv: groups has ",
          counted(table.groups.size(), "entry"), ", expected ", n_rows);
  for (const TextColumn& column : table.others) {
    require(column.cells.size() == n_rows, "write_csv: the column '", column.name, "' has ",
            counted(column.cells.size(), "cell"), ", expected ", n_rows);
  }
  for (Index row = 0; row < table.values.rows(); ++row) {
    for (Index column = 0; column < table.values.cols(); ++column) {
      require(std::isfinite(table.values(row, column)), "write_csv: values contains ",
              table.values(row, column), " at row ", row, ", column ", column,
              " (counted from 0), expected finite values");
    }
  }
}

// All three delimiters need quotes, because readers guess the delimiter.
bool needs_quotes(std::string_view text) {
  return text.empty() || text.find_first_of(",;\t\"\r\n") != std::string_view::npos ||
         text.front() == ' ' || text.back() == ' ' || text.front() == '\xEF';
}

void append_text(std::string& line, std::string_view text) {
  require(text.find('\0') == std::string_view::npos,
          "write_csv: a name contains a NUL byte, which CSV readers reject");
  if (!needs_quotes(text)) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    line += c;
    if (c == '"') line += c;
  }
  line += '"';
}

void append_number(std::string& line, double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  line.append(buffer.data(), result.ptr);
}

/// A column of the file: a feature, the group, or a column of text.
struct Slot {
  enum class Kind { feature, group, other } kind;
  std::size_t index;
};

std::vector<Slot> slots_of(const Table& table) {
  std::vector<Slot> slots;
  const std::size_t n_features = to_size(table.values.cols());
  for (std::size_t i = 0; i < n_features; ++i) slots.push_back({Slot::Kind::feature, i});
  if (has_groups(table)) slots.push_back({Slot::Kind::group, 0});
  for (std::size_t i = 0; i < table.others.size(); ++i) slots.push_back({Slot::Kind::other, i});
  if (table.places.empty()) return slots;
  require(table.places.size() == slots.size(), "write_csv: places has ",
          counted(table.places.size(), "entry"), ", expected ", slots.size(),
          ", one for each column");
  std::vector<std::size_t> order(slots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t slot) { return table.places[slot]; });
  std::vector<Slot> sorted;
  for (const std::size_t slot : order) sorted.push_back(slots[slot]);
  return sorted;
}

const std::string& name_of(const Slot& slot, const Table& table) {
  if (slot.kind == Slot::Kind::feature) return table.feature_names[slot.index];
  return slot.kind == Slot::Kind::group ? table.group_column : table.others[slot.index].name;
}

void append_header(std::string& text, const Table& table, const std::vector<Slot>& slots) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (i > 0) text += ',';
    append_text(text, name_of(slots[i], table));
  }
  text += '\n';
}

void append_cell(std::string& text, const Table& table, const Slot& slot, Index row) {
  if (slot.kind == Slot::Kind::feature) {
    append_number(text, table.values(row, static_cast<Index>(slot.index)));
  } else if (slot.kind == Slot::Kind::group) {
    append_text(text, at(table.groups, row));
  } else {
    const std::string& cell = at(table.others[slot.index].cells, row);
    if (!cell.empty()) append_text(text, cell);  // an empty cell stays one
  }
}

void append_row(std::string& text, const Table& table, const std::vector<Slot>& slots, Index row) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (i > 0) text += ',';
    append_cell(text, table, slots[i], row);
  }
  text += '\n';
}

template <typename Write>
void write_table(const Table& table, const Write& write) {
  check_table(table);
  const std::vector<Slot> slots = slots_of(table);
  std::string text;
  if (!table.feature_names.empty()) append_header(text, table, slots);
  for (Index row = 0; row < table.values.rows(); ++row) {
    append_row(text, table, slots, row);
    if (text.size() < FileWriter::flush_at) continue;
    write(text);
    text.clear();
  }
  write(text);
}

}  // namespace

void write_csv(const std::filesystem::path& path, const Table& table) {
  FileWriter file(path);
  write_table(table, [&](const std::string& text) { file.write(text); });
  file.commit();
}

void write_csv(std::ostream& output, const Table& table) {
  write_table(table, [&](const std::string& text) { output << text; });
  // a full disk is detected only when the last buffer is written
  output.flush();
  if (!output) throw IoError("write_csv: cannot write to the stream; is the disk full?");
}

}  // namespace lbw
