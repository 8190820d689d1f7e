// SPDX-License-Identifier: MIT
// The interface of the WebAssembly module for JavaScript. Load lbw-module.js first.
//
//   const lbw = await loadLbw();
//   const model = lbw.fit([{name: "A", samples: a}, {name: "B", samples: b}], 2, {n_components: 8});
//   const there = model.transport("A", "B", a);  // samples are Float64Arrays, row by row
//   model.delete();                              // frees the memory of the model
//
// Errors have the messages of the C++ library. Options have its names too (docs/options.md).
"use strict";

/** Return the value of a call of the module, or throw the error of the library. */
function lbwValue(result) {
  if (result.error !== undefined) throw new Error(result.error);
  return result.value;
}

/** A fitted transport model. */
class LbwModel {
  constructor(model) {
    this.model = model;
  }

  /** Transport samples from one group to another; amount 0 leaves them where they are. */
  transport(from, to, samples, amount = 1) {
    return lbwValue(this.model.transport(from, to, samples, amount));
  }

  /** Transport samples of a group to the barycenter of all groups with these weights. */
  toBarycenter(from, weights, samples, amount = 1) {
    return lbwValue(this.model.to_barycenter(from, weights, samples, amount));
  }

  /** Return the barycenter as {weights, means, covariances}, one component per coupled tuple. */
  barycenter(weights) {
    return lbwValue(this.model.barycenter(weights));
  }

  /** Return the mixture of a group as {weights, means, covariances}. */
  mixture(group) {
    return lbwValue(this.model.mixture(group));
  }

  /** Return {tuples, masses}: which components are coupled, and by how much mass. */
  coupling() {
    return lbwValue(this.model.coupling());
  }

  /** Return {n_samples, iterations, converged, mean_log_likelihood} of the fit of a group. */
  report(group) {
    return lbwValue(this.model.report(group));
  }

  delete() {
    this.model.delete();
  }
}

/** Start the module; settings are those of Emscripten modules. */
async function loadLbw(settings = {}) {
  // In Node.js, the module is a file beside this one.
  const create = typeof createLbwModule === "undefined" ? require("./lbw-module.js") : createLbwModule;
  const module = await create(settings);
  return {
    /** Fit a model to groups [{name, samples}] of n_features numbers a sample. */
    fit: (groups, nFeatures, options = {}) =>
      new LbwModel(lbwValue(module.Model.fit(groups, nFeatures, options))),
    /** The largest number of groups that a table of so many rows may have. */
    maxGroups: (nRows) => module.max_groups(nRows),
  };
}

if (typeof module !== "undefined") module.exports = { loadLbw };
