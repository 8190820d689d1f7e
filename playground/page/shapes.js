// SPDX-License-Identifier: MIT
// Shapes are painted on a small canvas, the mask, and samples are drawn from its painted pixels.
"use strict";

const Shapes = (() => {
  const size = 160;  // pixels of the mask
  const brush = 13;

  /** Numbers that are uniform on [0, 1), from a seed (mulberry32). */
  function randomNumbers(seed) {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let bits = Math.imul(state ^ (state >>> 15), state | 1);
      bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
      return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
    };
  }

  function circle(context, x, y, radius) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }

  function curve(context, width, points) {
    context.lineWidth = width;
    context.lineCap = context.lineJoin = "round";
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x, y);
    context.stroke();
  }

  function letter(text) {
    return (context) => {
      context.font = `bold ${size}px system-ui, sans-serif`;
      context.textAlign = "center";
      const box = context.measureText(text);
      const middle = (box.actualBoundingBoxAscent - box.actualBoundingBoxDescent) / 2;
      context.fillText(text, size / 2, size / 2 + middle);
    };
  }

  const along = (count, point) => Array.from({ length: count + 1 }, (_, i) => point(i / count));

  const presets = {
    Ring: (context) => curve(context, 22, along(60, (t) =>
      [80 + 52 * Math.cos(2 * Math.PI * t), 80 + 52 * Math.sin(2 * Math.PI * t)])),
    Moon: (context) => {
      circle(context, 74, 80, 62);
      context.globalCompositeOperation = "destination-out";
      circle(context, 104, 68, 50);
      context.globalCompositeOperation = "source-over";
    },
    Spiral: (context) => curve(context, 13, along(120, (t) => {
      const angle = 1 + 4.6 * Math.PI * t, radius = 7 + 57 * t;
      return [80 + radius * Math.cos(angle), 80 + radius * Math.sin(angle)];
    })),
    Heart: (context) => {
      context.beginPath();
      for (const [x, y] of along(80, (t) => {
        const a = 2 * Math.PI * t;
        const rise = 13 * Math.cos(a) - 5 * Math.cos(2 * a) - 2 * Math.cos(3 * a) - Math.cos(4 * a);
        return [80 + 3.9 * 16 * Math.sin(a) ** 3, 72 - 3.9 * rise];
      })) context.lineTo(x, y);
      context.fill();
    },
    Wave: (context) => curve(context, 20, along(60, (t) =>
      [18 + 124 * t, 80 + 40 * Math.sin(2 * Math.PI * t)])),
    "Two dots": (context) => {
      circle(context, 46, 104, 26);
      circle(context, 116, 52, 26);
    },
    ...Object.fromEntries([..."ABLSWX&"].map((text) => [`Letter ${text}`, letter(text)])),
  };

  /** A shape that can be painted and sampled. */
  class Mask {
    constructor() {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = size;
      this.context = canvas.getContext("2d", { willReadFrequently: true });
    }

    clear() {
      this.context.clearRect(0, 0, size, size);
    }

    showPreset(name) {
      this.clear();
      presets[name](this.context);
    }

    /** Paint a line between two points of the unit square. */
    paint([fromX, fromY], [toX, toY]) {
      // a line to the same point would paint nothing
      curve(this.context, brush, [[fromX * size, fromY * size], [toX * size + 0.01, toY * size]]);
    }

    /** Draw samples in the unit square, from pixels with the probability of their paint. */
    samples(count, seed) {
      const paint = this.context.getImageData(0, 0, size, size).data;
      const pixels = [];
      for (let i = 0; i < size * size; ++i) if (paint[4 * i + 3] > 127) pixels.push(i);
      const random = randomNumbers(seed);
      const samples = new Float64Array(pixels.length > 0 ? 2 * count : 0);
      for (let i = 0; i < samples.length; i += 2) {
        const pixel = pixels[Math.floor(random() * pixels.length)];
        samples[i] = ((pixel % size) + random()) / size;
        samples[i + 1] = (Math.floor(pixel / size) + random()) / size;
      }
      return samples;
    }
  }

  return { presets: Object.keys(presets), Mask, randomNumbers };
})();
