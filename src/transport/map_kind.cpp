// SPDX-License-Identifier: MIT
#include <lbw/map_kind.hpp>

#include "core/message.hpp"

namespace lbw {

std::string_view to_string(MapKind kind) {
  switch (kind) {
    case MapKind::hard:
      return "hard";
    case MapKind::soft:
      return "soft";
    case MapKind::random:
      return "random";
  }
  return "";
}

MapKind map_kind_from(std::string_view name) {
  for (const MapKind kind : {MapKind::hard, MapKind::soft, MapKind::random}) {
    if (to_string(kind) == name) return kind;
  }
  throw InvalidArgument(
      message("map: '", name, "' is unknown, expected 'hard', 'soft' or 'random'"));
}

}  // namespace lbw
