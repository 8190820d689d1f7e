// SPDX-License-Identifier: MIT
// A program that uses Eigen itself, passes its matrices to lbw and computes with the matrices of
// lbw. It exits with 1 if the two disagree, and prints a digest of the results of the library,
// which must not depend on the compiler flags of this program.
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <lbw/lbw.hpp>
#include <string>
#include <vector>

namespace {

std::uint64_t digest = 1469598103934665603U;

// FNV-1a over the bits
void add(const double* values, lbw::Index count) {
  for (lbw::Index i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, values + i, sizeof bits);
    digest = (digest ^ bits) * 1099511628211U;
  }
}

template <typename Matrix>
void add(const Matrix& matrix) {
  add(matrix.data(), matrix.size());
}

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "own_eigen: %s\n", what);
  std::exit(1);
}

/// Integers and halves, which are exact, so that the flags cannot change them.
Eigen::MatrixXd points(Eigen::Index n, Eigen::Index d, std::uint64_t state) {
  Eigen::MatrixXd values(n, d);
  for (Eigen::Index i = 0; i < n * d; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    values(i / d, i % d) =
        0.5 * static_cast<double>((state >> 33) % 41) + (i % 2 == 0 ? 100.0 : 0.0);
  }
  return values;
}

/// Every decomposition that the library uses, compiled with the flags of this program.
void decompose(const Eigen::MatrixXd& covariance) {
  const Eigen::Index d = covariance.rows();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(d, d);
  const auto is_identity = [&](const Eigen::MatrixXd& matrix) {
    return (matrix - identity).norm() < 1e-6;
  };
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  expect(is_identity(solver.eigenvectors() * solver.eigenvectors().transpose()), "eigenvectors");
  expect(is_identity(covariance.partialPivLu().solve(covariance)), "LU");
  expect(is_identity(covariance.householderQr().solve(covariance)), "QR");
}

void use_gaussians() {
  const Eigen::MatrixXd root = points(7, 7, 3);
  const Eigen::MatrixXd covariance = root * root.transpose() + Eigen::MatrixXd::Identity(7, 7);
  decompose(covariance);
  const lbw::Gaussian first{Eigen::VectorXd::Zero(7), covariance};
  const lbw::Gaussian second{Eigen::VectorXd::Ones(7), 4.0 * covariance};
  const lbw::AffineMap map = lbw::gaussian_map(first, second);
  // between multiples of a covariance the map is the root of their ratio
  expect((map.matrix - 2.0 * Eigen::MatrixXd::Identity(7, 7)).norm() < 1e-6, "map of Gaussians");
  const Eigen::MatrixXd back = map.matrix * covariance * map.matrix.transpose();
  expect((back - second.covariance).norm() < 1e-6 * back.norm(), "T S T = R");
  std::vector<lbw::Gaussian> both = {first, second};
  both.push_back(both.front());
  const std::vector<double> weights = {0.25, 0.5, 0.25};
  add(lbw::barycenter(both, weights).barycenter.covariance);
  add(map.matrix);
}

void use_transport() {
  const Eigen::MatrixXd columns = points(600, 3, 1);
  const lbw::RowMatrix before = columns;
  // temporaries: the group keeps them
  std::vector<lbw::Group> groups;
  groups.push_back({"before", before});
  groups.push_back({"after", lbw::RowMatrix((2.0 * points(500, 3, 2)).array() + 7.0),
                    std::vector<double>(500, 0.5)});
  groups.push_back({"floats", points(400, 3, 5).cast<float>().eval()});
  lbw::TransportOptions options;
  options.mixture.n_components = 3;
  options.mixture.execution.n_threads = 3;
  lbw::TransportModel model = lbw::fit_transport(groups, options);
  const lbw::LocalMap map = lbw::map_between(model, "before", "after");
  const lbw::RowMatrix carried = lbw::transport(map, before);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> place = before;
  lbw::transport_into(map, place, place);
  expect(place == carried, "transport in place");
  add(carried);
  for (const lbw::Mixture& mixture : model.mixtures) {
    add(mixture.means);
    for (const lbw::Matrix& covariance : mixture.covariances) add(covariance);
  }
  // created by the library, resized and freed here
  model.mixtures.insert(model.mixtures.begin(), 40, model.mixtures.back());
  for (lbw::Mixture& mixture : model.mixtures) {
    mixture.means.conservativeResize(9, 5);
    mixture.weights = Eigen::VectorXd::LinSpaced(11, 0.0, 1.0);
    mixture.covariances.front() = mixture.covariances.back() * mixture.covariances.back();
  }
  const Eigen::MatrixXd cost = points(12, 12, 9);
  const lbw::Matching matching = lbw::match(cost + cost.transpose());
  add(&matching.cost, 1);
}

void use_errors() {
  try {
    (void)lbw::read_csv("there is no such file.csv");
    expect(false, "a missing file is not an error");
  } catch (const lbw::IoError& error) {
    expect(std::string(error.what()).find("there is no such file") != std::string::npos, "message");
  }
  int calls = 0;
  lbw::MixtureOptions options;
  options.on_iteration = [&](const lbw::FitProgress&) { ++calls; };
  const lbw::Mixture mixture = lbw::fit_mixture(lbw::RowMatrix(points(50, 2, 4)), options).mixture;
  expect(calls > 0 && mixture.n_components() == 1, "callback");
}

}  // namespace

int main() {
  use_gaussians();
  use_transport();
  use_errors();
  std::printf("%016llx\n", static_cast<unsigned long long>(digest));
  return 0;
}
