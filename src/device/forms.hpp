// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>

namespace lbw {

/// form_k(terms) = constants_k + coefficients_k . terms
struct FormTable {
  Vector constants;        ///< (n_forms)
  RowMatrix coefficients;  ///< (n_forms, n_terms)

  [[nodiscard]] Index n_forms() const { return coefficients.rows(); }
  [[nodiscard]] Index n_terms() const { return coefficients.cols(); }
};

}  // namespace lbw
