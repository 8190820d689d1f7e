// SPDX-License-Identifier: MIT
// The tab of two shapes: painting, fitting, and the animation from one shape to the other.
"use strict";

const Morph = (() => {
  const nSamples = 2000;
  const seconds = 3;  // from one shape to the other
  const element = (id) => document.getElementById(id);
  const sides = [
    { key: "first", name: "A", preset: "Ring" },
    { key: "second", name: "B", preset: "Letter S" },
  ];
  const state = { lbw: null, model: null, fitted: null, playing: false, direction: 1, time: 0 };

  const options = () => element("shapes-options").elements;
  const amount = () => Number(element("amount").value);

  function say(text, isError = false) {
    const status = element("shapes-status");
    status.textContent = text;
    status.classList.toggle("error", isError);
  }

  /** Fit a model and transport the samples of A. */
  function fitModel() {
    const { n_components, map, coupling, seed } = options();
    state.model = state.lbw.fit(sides.map(({ name, samples }) => ({ name, samples })), 2, {
      n_components: n_components.value, map: map.value, coupling: coupling.value, seed: seed.value,
    });
    state.fitted = {
      there: state.model.transport("A", "B", sides[0].samples),
      mixtures: sides.map(({ name }) => state.model.mixture(name)),
      coupling: state.model.coupling(),
    };
  }

  /** Draw samples from both shapes, fit a model to them, and show everything. */
  function update() {
    state.model?.delete();
    state.model = state.fitted = null;
    for (const [i, side] of sides.entries()) side.samples = side.mask.samples(nSamples, i + 1);
    const empty = sides.find(({ samples }) => samples.length === 0);
    if (empty) {
      say(`Shape ${empty.name} is empty. Draw on it, or choose a shape from its list.`);
      return drawAll();
    }
    try {
      const start = performance.now();
      fitModel();
      say(description(performance.now() - start));
    } catch (error) {
      say(`${Terms.ofThePage(error.message)}.`, true);
    }
    drawAll();
  }

  function description(milliseconds) {
    const steps = sides.map(({ name }) => state.model.report(name).iterations).join(" and ");
    const { masses } = state.fitted.coupling;
    return `Fitted in ${Math.round(milliseconds)} ms: ${nSamples} samples of each shape, ` +
      `${steps} steps of EM, ${masses.length} pairs of components.`;
  }

  /** Draw one of the two shapes. */
  function drawSide(side, index) {
    const view = Plot.begin(side.canvas);
    const scale = Plot.square(view);
    const colour = Plot.style(`--${side.key}`);
    if (side.painting) {
      view.context.drawImage(side.mask.context.canvas, 0, 0, view.width, view.height);
      view.context.globalCompositeOperation = "source-in";
      view.context.globalAlpha = 0.5;
      view.context.fillStyle = colour;
      view.context.fillRect(0, 0, view.width, view.height);
      return;
    }
    Plot.points(view.context, scale, side.samples, colour, 1.1, 0.5);
    if (options().components.checked && state.fitted) {
      Plot.ellipses(view.context, scale, state.fitted.mixtures[index], colour);
    }
  }

  /** Draw the samples of A on their way to B. Points move on straight lines, as their maps do. */
  function drawMorph() {
    const view = Plot.begin(element("morph-canvas"));
    const t = amount();
    element("amount-text").value = t.toFixed(2);
    if (!state.fitted) return;
    const scale = Plot.square(view);
    const colours = {
      first: Plot.style("--first"), between: Plot.style("--between"), second: Plot.style("--second"),
      line: Plot.style("--matching"),
    };
    const { there, mixtures, coupling } = state.fitted;
    const here = sides[0].samples.map((value, i) => value + t * (there[i] - value));
    const colour = t < 0.5 ? Plot.mixed(colours.first, colours.between, 2 * t)
      : Plot.mixed(colours.between, colours.second, 2 * t - 1);
    Plot.points(view.context, scale, here, colour, 1.5, 0.55);
    if (options().matching.checked) {
      Plot.matching(view.context, scale, ...mixtures, coupling, colours);
    }
    if (options().components.checked) {
      Plot.ellipses(view.context, scale, state.model.barycenter([1 - t, t]), colour);
    }
  }

  function drawAll() {
    sides.forEach(drawSide);
    drawMorph();
  }

  function advance(now) {
    if (!state.playing) return;
    const next = amount() + (state.direction * (now - state.time)) / (1000 * seconds);
    state.time = now;
    if (next >= 1 || next <= 0) state.direction = next >= 1 ? -1 : 1;
    element("amount").value = Math.min(1, Math.max(0, next));
    drawMorph();
    requestAnimationFrame(advance);
  }

  function play(playing) {
    state.playing = playing;
    state.time = performance.now();
    element("play").textContent = playing ? "Pause" : "Play";
    if (playing) requestAnimationFrame(advance);
  }

  /** Return the place of a pointer in the unit square. */
  function placeOf(event, canvas) {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  function connectPainting(side, index) {
    let last = null;
    const paint = (event) => {
      const next = placeOf(event, side.canvas);
      side.mask.paint(last ?? next, next);
      last = next;
      drawSide(side, index);
    };
    side.canvas.addEventListener("pointerdown", (event) => {
      side.canvas.setPointerCapture(event.pointerId);
      if (side.select.value !== "") side.mask.clear();  // a drawing replaces the chosen shape
      side.select.value = "";
      side.painting = true;
      paint(event);
    });
    side.canvas.addEventListener("pointermove", (event) => side.painting && paint(event));
    for (const end of ["pointerup", "pointercancel"]) {
      side.canvas.addEventListener(end, () => {
        side.painting = false;
        last = null;
        update();
      });
    }
  }

  function connectSide(side, index) {
    side.canvas = element(`${side.key}-canvas`);
    side.select = element(`${side.key}-preset`);
    side.mask = new Shapes.Mask();
    side.samples = new Float64Array(0);
    side.select.add(new Option("Your drawing", ""));
    for (const name of Shapes.presets) side.select.add(new Option(name));
    side.select.value = side.preset;
    side.mask.showPreset(side.preset);
    side.select.addEventListener("change", () => {
      if (side.select.value === "") side.mask.clear();
      else side.mask.showPreset(side.select.value);
      update();
    });
    element(`${side.key}-clear`).addEventListener("click", () => {
      side.select.value = "";
      side.mask.clear();
      update();
    });
    connectPainting(side, index);
  }

  /** Connect the elements of the tab. */
  function start(lbw) {
    state.lbw = lbw;
    sides.forEach(connectSide);
    element("shapes-options").addEventListener("submit", (event) => event.preventDefault());
    element("shapes-options").addEventListener("change", (event) =>
      event.target.type === "checkbox" ? drawAll() : update());
    element("amount").addEventListener("input", () => {
      play(false);
      drawMorph();
    });
    element("play").addEventListener("click", () => play(!state.playing));
    new ResizeObserver(drawAll).observe(element("morph-canvas"));
    update();
  }

  return { start, draw: drawAll, pause: () => play(false) };
})();
