// SPDX-License-Identifier: MIT
// A table to begin with: measurements of two laboratories whose instruments differ.
"use strict";

const Example = (() => {
  const laboratories = [
    { name: "North", shift: [0, 0, 0], scale: [1, 1, 1] },
    { name: "South", shift: [4.5, 0.55, 1.1], scale: [1.5, 0.7, 1.3] },
  ];

  function table(rowsEach = 300, seed = 7) {
    const uniform = Shapes.randomNumbers(seed);
    const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    const lines = ["laboratory,sodium,potassium,glucose"];
    for (const { name, shift, scale } of laboratories) {
      for (let row = 0; row < rowsEach; ++row) {
        const isIll = uniform() < 0.35;
        const common = normal();
        const values = [
          140 + scale[0] * ((isIll ? -3.5 : 0) + 1.6 * common + normal()) + shift[0],
          4.2 + scale[1] * ((isIll ? 0.7 : 0) - 0.15 * common + 0.2 * normal()) + shift[1],
          5.1 + scale[2] * ((isIll ? 1.8 : 0) + 0.35 * normal()) + shift[2],
        ];
        lines.push([name, ...values.map((value) => value.toFixed(2))].join());
      }
    }
    return lines.join("\n") + "\n";
  }

  return { table };
})();
