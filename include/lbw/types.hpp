// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

namespace lbw {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
/// Samples, means and costs: one row each, row major as NumPy has it.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// The same in single precision, accepted as input; every sum is double.
using RowMatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// One component or column number per row; -1 stands for none where a function says so.
using Labels = Eigen::VectorXi;

}  // namespace lbw
