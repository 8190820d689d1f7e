// SPDX-License-Identifier: MIT
// Drawing on canvases: points, ellipses of components, lines of a matching, scatter plots.
"use strict";

const Plot = (() => {
  /** Return the value of a custom property of the style sheet, such as --first. */
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

  /** Return the colour between two colours of the form #rrggbb. */
  function mixed(first, second, amount) {
    const [from, to] = [channels(first), channels(second)];
    return `rgb(${from.map((value, i) => Math.round(value + amount * (to[i] - value))).join()})`;
  }

  /** Clear a canvas, fit it to the pixels of the screen, and return its context in CSS pixels. */
  function begin(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = canvas;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return { context, width, height };
  }

  /** A scale from the unit square to a canvas. */
  const square = ({ width, height }) => ({ x: (x) => x * width, y: (y) => y * height, unit: width });

  function points(context, scale, samples, colour, radius, alpha) {
    context.fillStyle = colour;
    context.globalAlpha = alpha;
    context.beginPath();
    for (let i = 0; i < samples.length; i += 2) {
      const x = scale.x(samples[i]), y = scale.y(samples[i + 1]);
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
    context.fill();
    context.globalAlpha = 1;
  }

  /** Draw the ellipses of two standard deviations of a mixture in two dimensions. */
  function ellipses(context, scale, mixture, colour) {
    const heaviest = Math.max(...mixture.weights);
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    mixture.covariances.forEach(([a, b, , c], i) => {
      const middle = (a + c) / 2, spread = Math.hypot((a - c) / 2, b);
      const [long, short] = [middle + spread, middle - spread].map((v) => 2 * Math.sqrt(Math.max(v, 0)));
      context.globalAlpha = 0.25 + 0.75 * (mixture.weights[i] / heaviest);
      context.beginPath();
      context.ellipse(scale.x(mixture.means[2 * i]), scale.y(mixture.means[2 * i + 1]),
        long * scale.unit, short * scale.unit, Math.atan2(2 * b, a - c) / 2, 0, 2 * Math.PI);
      context.stroke();
    });
    context.globalAlpha = 1;
  }

  /** Draw the means of coupled components and a line between them, as wide as their mass. */
  function matching(context, scale, first, second, coupling, colours) {
    const heaviest = Math.max(...coupling.masses);
    const place = (mixture, i) => [scale.x(mixture.means[2 * i]), scale.y(mixture.means[2 * i + 1])];
    coupling.masses.forEach((mass, tuple) => {
      const from = place(first, coupling.tuples[2 * tuple]);
      const to = place(second, coupling.tuples[2 * tuple + 1]);
      context.strokeStyle = colours.line;
      context.lineWidth = 0.75 + 2.25 * (mass / heaviest);
      context.beginPath();
      context.moveTo(...from);
      context.lineTo(...to);
      context.stroke();
      dot(context, from, colours.first);
      dot(context, to, colours.second);
    });
  }

  function dot(context, [x, y], colour) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, 3.5, 0, 2 * Math.PI);
    context.fill();
  }

  /** Return about `count` round numbers inside an interval. */
  function ticks([least, most], count) {
    const raw = (most - least) / count;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw);
    const first = Math.ceil(least / step);
    const length = Math.floor(most / step) - first + 1;
    return Array.from({ length }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  }

  /** Return the interval of some numbers with a margin. */
  function interval(values) {
    let least = Infinity, most = -Infinity;
    for (const value of values) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    const margin = 0.05 * (most - least) || 1;
    return [least - margin, most + margin];
  }

  /** Draw the axes of a scatter plot. */
  function axes(context, scale, { left, right, top, bottom }, intervals, names) {
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = style("--quiet");
    context.strokeStyle = style("--line");
    context.textAlign = "center";
    for (const tick of ticks(intervals.x, (right - left) / 70)) {
      gridLine(context, [scale.x(tick), top], [scale.x(tick), bottom]);
      context.fillText(tick, scale.x(tick), bottom + 13);
    }
    context.fillText(names.x, (left + right) / 2, bottom + 29);
    context.textAlign = "right";
    for (const tick of ticks(intervals.y, (bottom - top) / 45)) {
      gridLine(context, [left, scale.y(tick)], [right, scale.y(tick)]);
      context.fillText(tick, left - 5, scale.y(tick) + 4);
    }
    context.save();
    context.translate(11, (top + bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText(names.y, 0, 0);
    context.restore();
  }

  /** Draw points of groups [{colour, x, y}] with axes. */
  function scatter(canvas, groups, intervals, names) {
    const { context, width, height } = begin(canvas);
    const box = { left: 46, right: width - 6, top: 6, bottom: height - 36 };
    const at = (value, [least, most], from, to) => from + ((value - least) / (most - least)) * (to - from);
    const scale = {
      x: (value) => at(value, intervals.x, box.left, box.right),
      y: (value) => at(value, intervals.y, box.bottom, box.top),
    };
    axes(context, scale, box, intervals, names);
    for (const group of groups) {
      const pairs = group.x.flatMap((value, i) => [value, group.y[i]]);
      points(context, scale, pairs, group.colour, pairs.length > 4000 ? 1.4 : 2.2, 0.7);
    }
  }

  function gridLine(context, from, to) {
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
  }

  return { style, mixed, begin, square, points, ellipses, matching, interval, scatter };
})();
