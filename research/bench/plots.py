# SPDX-License-Identifier: MIT
"""The pictures of ``docs/performance.md``, drawn from ``results.json``."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from common.figures import plt, save

from .results import Comparison, Results
from .sizes import SKLEARN
from .verdicts import em_flops

WORDS = {"n": "samples n", "k": "components k", "d": "dimensions d"}
OURS_COLOUR, PEER_COLOUR, FLOOR_COLOUR = "#0b6e4f", "#c8553d", "#444444"


def line_of(
    sweep: list[Comparison], axis: str, name: str, threads: int
) -> tuple[list[int], list[float]]:
    """Return the sizes and median times of a contestant, without sizes at which it did not run."""
    at, seconds = [], []
    for comparison in sweep:
        for side in comparison.sides:
            if side.name == name and side.threads == threads and side.seconds:
                at.append(comparison.sizes[axis])
                seconds.append(side.median)
    return at, seconds


def floor_of(
    sweep: list[Comparison], axis: str, flops_per_second: float
) -> tuple[list[int], list[float]]:
    """Return the sizes and the time that the operations take at the peak rate."""
    at = [comparison.sizes[axis] for comparison in sweep]
    return at, [em_flops(**comparison.sizes) / flops_per_second for comparison in sweep]


def size_text(size: float) -> str:
    """Format a size briefly: 64, 10⁴."""
    power = len(str(int(size))) - 1
    if size < 1000 or size != 10**power:
        return f"{size:g}"
    return f"$10^{power}$"


def draw_panel(axes: Axes, sweep: list[Comparison], axis: str, peaks: dict[str, float]) -> None:
    """Draw one sweep: scikit-learn, lbw and the lower bound, on one and two threads."""
    for name, label, colour in ((SKLEARN, SKLEARN, PEER_COLOUR), ("lbw", "lbw", OURS_COLOUR)):
        for threads, style, face in ((1, "--", "white"), (2, "-", colour)):
            at, seconds = line_of(sweep, axis, name, threads)
            text = f"{label}, {threads} thread" + ("s" if threads > 1 else "")
            axes.loglog(
                at, seconds, style, color=colour, marker="o", mfc=face, ms=4.5, lw=1.6, label=text
            )
    at, seconds = floor_of(sweep, axis, peaks["f64_2"])
    bound = "lower bound: FMA peak, 2 threads"
    axes.loglog(at, seconds, ":", color=FLOOR_COLOUR, lw=1.6, label=bound)
    fixed = sweep[0].sizes
    others = ", ".join(f"{name} = {size_text(fixed[name])}" for name in "ndk" if name != axis)
    axes.set_title(others, fontsize=10)
    axes.set_xlabel(WORDS[axis])
    ticks = at if axis != "n" else [size for size in at if str(size).strip("0") == "1"]
    if axis == "d":
        ticks = ticks[::2]  # long numbers side by side would touch
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: size_text(size)))
    axes.grid(True, which="major", lw=0.4, color="#dddddd")


def draw_sweeps(results: Results, path: Path) -> None:
    """Draw the three sweeps side by side."""
    plt.rcParams.update({"font.size": 10, "svg.hashsalt": "lbw", "svg.fonttype": "path"})
    figure, panels = plt.subplots(1, 3, figsize=(11, 4.1), sharey=True, layout="constrained")
    for axes, axis in zip(panels, "nkd", strict=True):
        sweep = [entry for entry in results.sweeps if entry.key == f"sweep_{axis}"]
        draw_panel(axes, sweep, axis, results.about["peak_flops"])
    panels[0].set_ylabel("seconds per EM iteration, double precision")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=9)
    save(figure, path)
