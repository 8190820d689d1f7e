// SPDX-License-Identifier: MIT
#include "io/csv_format.hpp"

#include <lbw/io.hpp>
#include <string_view>

#include "core/message.hpp"
#include "io/excerpt.hpp"

namespace lbw {

bool is_csv_delimiter(char character) {
  constexpr std::string_view punctuation = ",;\t |:/\\!#$%&()*<=>?@[]^_`{}~'";
  const bool is_control = (character > '\0' && character < ' ') || character == '\x7f';
  return punctuation.find(character) != std::string_view::npos ||
         (is_control && character != '\n' && character != '\r');
}

void check_notation(const char* function, char delimiter, char decimal) {
  const bool is_special = delimiter == '\0' || delimiter == any_whitespace;
  require(is_special || is_csv_delimiter(delimiter), function, ": delimiter is '",
          excerpt({&delimiter, 1}),
          "', expected a comma, semicolon, tab, space, other ASCII punctuation that is not part of "
          "numbers or quotes, or a control character");
  require(decimal == '.' || decimal == ',', function, ": decimal is '", excerpt({&decimal, 1}),
          "', expected '.' or ','");
  require(delimiter != decimal, function, ": delimiter and decimal are both '",
          excerpt({&decimal, 1}), "', expected different characters");
}

}  // namespace lbw
