// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/io.hpp>
#include <numeric>
#include <utility>

namespace lbw {

TextList::TextList(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) push_back(text);
}

std::string_view TextList::operator[](std::size_t place) const {
  const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
  return std::string_view(characters_).substr(begin, ends_[place] - begin);
}

std::size_t TextList::count(std::string_view text) const {
  if (!sorted_.empty()) {
    const auto text_at = [this](std::size_t place) { return (*this)[place]; };
    const auto first = std::ranges::lower_bound(sorted_, text, {}, text_at);
    const auto last = std::ranges::upper_bound(sorted_, text, {}, text_at);
    return static_cast<std::size_t>(last - first);
  }
  std::size_t n_equal = 0;
  for (std::size_t i = 0; i < size(); ++i) n_equal += (*this)[i] == text ? 1 : 0;
  return n_equal;
}

std::size_t TextList::find(std::string_view text) const {
  if (!sorted_.empty()) {
    const auto text_at = [this](std::size_t place) { return (*this)[place]; };
    const auto found = std::ranges::lower_bound(sorted_, text, {}, text_at);
    return found != sorted_.end() && text_at(*found) == text ? *found : size();
  }
  std::size_t place = 0;
  while (place < size() && (*this)[place] != text) ++place;
  return place;
}

void TextList::push_back(std::string_view text) {
  sorted_.clear();
  characters_ += text;
  ends_.push_back(characters_.size());
}

void TextList::prepare_search() {
  sorted_.resize(size());
  std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
  // the first of equal texts is found
  std::ranges::sort(sorted_, {},
                    [this](std::size_t place) { return std::pair((*this)[place], place); });
}

std::string_view TextColumns::name(std::size_t column) const {
  return names.empty() ? std::string_view() : names[column];
}

std::string_view TextColumns::cell(std::size_t row, std::size_t column) const {
  return cells[row * count + column];
}

std::vector<std::string> TextColumns::column(std::size_t column) const {
  std::vector<std::string> texts;
  for (std::size_t i = column; i < cells.size(); i += count) texts.emplace_back(cells[i]);
  return texts;
}

}  // namespace lbw
