// SPDX-License-Identifier: MIT
#include <lbw/fit_mixture.hpp>
#include <lbw/select_components.hpp>

#include "core/message.hpp"

namespace lbw {

std::string_view to_string(MixtureStart start) {
  switch (start) {
    case MixtureStart::kmeans:
      return "kmeans";
    case MixtureStart::kmeans_plusplus:
      return "kmeans++";
    case MixtureStart::random_points:
      return "random";
    case MixtureStart::random_responsibilities:
      return "responsibilities";
  }
  return "";
}

MixtureStart mixture_start_from(std::string_view name) {
  for (const MixtureStart start :
       {MixtureStart::kmeans, MixtureStart::kmeans_plusplus, MixtureStart::random_points,
        MixtureStart::random_responsibilities}) {
    if (to_string(start) == name) return start;
  }
  throw InvalidArgument(
      message("start: '", name,
              "' is unknown, expected 'kmeans', 'kmeans++', 'random' or 'responsibilities'"));
}

std::string_view to_string(Criterion criterion) {
  switch (criterion) {
    case Criterion::aic:
      return "aic";
    case Criterion::bic:
      return "bic";
    case Criterion::heldout:
      return "heldout";
  }
  return "";
}

Criterion criterion_from(std::string_view name) {
  for (const Criterion criterion : {Criterion::aic, Criterion::bic, Criterion::heldout}) {
    if (to_string(criterion) == name) return criterion;
  }
  throw InvalidArgument(
      message("criterion: '", name, "' is unknown, expected 'aic', 'bic' or 'heldout'"));
}

}  // namespace lbw
