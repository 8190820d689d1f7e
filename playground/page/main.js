// SPDX-License-Identifier: MIT
// Starts the module and connects the tabs.
"use strict";

(() => {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const drawings = { shapes: Morph.draw, table: Tables.draw };

  function show(tab) {
    for (const other of tabs) {
      const isShown = other === tab;
      other.setAttribute("aria-selected", isShown);
      other.tabIndex = isShown ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !isShown;
    }
    Morph.pause();
    drawings[tab.getAttribute("aria-controls")]();
  }

  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const next = tabs[(i + 1) % tabs.length];  // there are two
      next.focus();
      show(next);
    });
  }

  function drawShown() {
    for (const tab of tabs) {
      const panel = tab.getAttribute("aria-controls");
      if (!document.getElementById(panel).hidden) drawings[panel]();
    }
  }

  loadLbw().then((lbw) => {
    Morph.start(lbw);
    Tables.start(lbw);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawShown);
    window.addEventListener("resize", drawShown);
    const tab = tabs.find((other) => `#${other.getAttribute("aria-controls")}` === location.hash);
    if (tab) show(tab);
  }).catch((error) => {
    const status = document.getElementById("shapes-status");
    status.textContent = `The module cannot start: ${error.message ?? error}. ` +
      "It needs a browser with WebAssembly exceptions and SIMD, of 2023 or later.";
    status.classList.add("error");
  });
})();
