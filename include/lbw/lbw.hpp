// SPDX-License-Identifier: MIT
// All of lbw.
#pragma once

#include <lbw/barycenter.hpp>
#include <lbw/coupling.hpp>
#include <lbw/coupling_cost.hpp>
#include <lbw/covariance_type.hpp>
#include <lbw/csv.hpp>
#include <lbw/dither.hpp>
#include <lbw/error.hpp>
#include <lbw/execution.hpp>
#include <lbw/fit_mixture.hpp>
#include <lbw/gaussian.hpp>
#include <lbw/image.hpp>
#include <lbw/inverse_transport.hpp>
#include <lbw/map_kind.hpp>
#include <lbw/matching.hpp>
#include <lbw/mixture.hpp>
#include <lbw/mixture_distance.hpp>
#include <lbw/model_file.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/npy.hpp>
#include <lbw/npy_samples.hpp>
#include <lbw/npy_writer.hpp>
#include <lbw/plan.hpp>
#include <lbw/precision.hpp>
#include <lbw/quantile_map.hpp>
#include <lbw/random.hpp>
#include <lbw/refinement.hpp>
#include <lbw/sample_view.hpp>
#include <lbw/select_components.hpp>
#include <lbw/select_per_group.hpp>
#include <lbw/shrinkage.hpp>
#include <lbw/silhouette.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <lbw/version.hpp>
