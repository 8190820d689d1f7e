// SPDX-License-Identifier: MIT
// Messages of the library in terms of the page, which has few of its options.
"use strict";

const Terms = (() => {
  const replacements = [
    [/(^|': )(fit_transport|fit_mixture|barycenter|map_to_barycenter|map_between): /, "$1"],
    [/, remove it, or set small_groups to keep$/, " or remove it"],
    [/, or increase (relative_)?covariance_floor( to \S+)?$/, ""],
    [/increase covariance_floor in the fit$/, "use the program or Python with a larger covariance_floor"],
    [/ plus the covariance_floor of \S+ is singular/, " is singular"],
    [/n_components( = \d+ exceeds)/, "Components$1"],
    [/Reduce n_components or/, "Reduce Components or"],
    [/^n_components is/, "Components is"],
    [/^seed is/, "Seed is"],
  ];

  /** Return a message with the names of the page, and without options that it does not have. */
  const ofThePage = (message) =>
    replacements.reduce((text, [form, words]) => text.replace(form, words), message);

  return { ofThePage };
})();

if (typeof module !== "undefined") module.exports = Terms;
