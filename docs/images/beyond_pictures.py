# SPDX-License-Identifier: MIT
"""Draw the pictures of docs/beyond.md, by default beside this script, and print its numbers.

python docs/images/beyond_pictures.py [folder]    # needs lbw[plot]
"""

import sys
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image

from lbw import LocalTransport

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
SHIFT = np.array([0.5, 1.0])
TARGET, CARRIED, SOURCE = "#b9b9b9", "#d55e00", "#0072b2"


def sliced_wasserstein(first, second, n_directions=64):
    """Return the sliced Wasserstein distance between two samples of equal size."""
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(n_directions, first.shape[1]))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    gaps = np.sort(first @ directions.T, axis=0) - np.sort(second @ directions.T, axis=0)
    return float(np.sqrt(np.mean(gaps**2)))


def clean(axes, title):
    """Remove ticks and frames, and set the title."""
    axes.set(aspect="equal", xticks=[], yticks=[])
    axes.set_title(title, fontsize=10)
    for side in axes.spines.values():
        side.set_visible(False)


def save(figure, name):
    """Write a picture with 64 colours, for a small file."""
    figure.savefig(FOLDER / name, dpi=100, bbox_inches="tight")
    plt.close(figure)
    with Image.open(FOLDER / name) as picture:
        small = picture.convert("RGB").quantize(colors=64)
    small.save(FOLDER / name, optimize=True)


def clusters(rng, means, numbers):
    """Draw round clusters."""
    return np.concatenate(
        [rng.normal(mean, 0.35, (number, 2)) for mean, number in zip(means, numbers, strict=True)]
    )


def masses():
    """Compare matching and plan on unequal masses, then unequal numbers of components."""
    rng = np.random.default_rng(1)
    left = clusters(rng, [(0, 2), (0, 0)], (1600, 400))
    right = clusters(rng, [(5, 2.2), (5, -0.2)], (400, 1600))
    three = clusters(rng, [(5, 3), (5, 1), (5, -1)], (600, 600, 800))
    figure, panels = plt.subplots(1, 3, figsize=(11, 3.4))
    cases = [
        (right, 2, "matching", "hard", "matching: keeps the source masses"),
        (right, 2, "plan", "random", "plan: reaches the target masses"),
        (three, {"from": 2, "onto": 3}, "plan", "random", "plan: 2 components to 3"),
    ]
    for axes, (target, k, coupling, kind, title) in zip(panels, cases, strict=True):
        X = np.concatenate([left, target])
        groups = np.repeat(["from", "onto"], [len(left), len(target)])
        fit = LocalTransport(k, coupling=coupling, map=kind, random_state=0).fit(X, groups)
        carried = fit.transform(left, "from", to="onto")
        axes.scatter(*left.T, s=1, color=SOURCE)
        axes.scatter(*target.T, s=14, color=TARGET, linewidths=0)
        axes.scatter(*carried.T, s=1, color=CARRIED)
        place = {name: i for i, name in enumerate(fit.groups_)}
        for pair, mass in zip(fit.coupling_, fit.coupling_masses_, strict=True):
            ends = [fit.mixtures_[place[name]].means_[pair[place[name]]] for name in place]
            axes.plot(*np.transpose(ends), color="k", lw=0.5 + 8 * mass, alpha=0.6)
        distance = sliced_wasserstein(carried, target)
        upper = np.mean(carried[:, 1] > 1) if coupling == "matching" or k == 2 else None
        print(f"masses: {title}: sliced Wasserstein {distance:.3f}", end="")
        print("" if upper is None else f", fraction in the upper cluster {upper:.2f}")
        axes.set(xlim=(-1.3, 6.4), ylim=(-2.3, 4.2))
        clean(axes, f"{title}\ndistance to the target {distance:.2f}")
    save(figure, "beyond-masses.png")


def arch(rng, n_points):
    """Draw points of an arch, whose gap should stay empty."""
    box = rng.uniform((-1.5, 0), (1.5, 2), (8 * n_points, 2))
    x, y = box.T
    inside = (np.abs(x) > 0.5) | (y > 1.2)
    return box[inside][:n_points]


def tears():
    """Transport a disc to an arch by the three kinds of maps."""
    rng = np.random.default_rng(2)
    disc = rng.uniform(-1, 1, (40000, 2))
    disc = disc[np.hypot(*disc.T) < 1][:9000]
    target = arch(rng, 9000)
    X, groups = np.concatenate([disc, target]), np.repeat(["disc", "arch"], 9000)
    colors = plt.get_cmap("viridis")((disc[:, 0] + 1) / 2)
    figure, panels = plt.subplots(1, 5, figsize=(15, 3))
    panels[0].scatter(*disc.T, s=1, c=colors)
    clean(panels[0], "the source\n")
    panels[1].scatter(*target.T, s=1, color=TARGET)
    clean(panels[1], "the target\n")
    panels[0].set(xlim=(-1.9, 1.9), ylim=(-1.4, 1.4))
    panels[1].set(xlim=(-1.9, 1.9), ylim=(-0.4, 2.4))
    for axes, kind in zip(panels[2:], ("hard", "soft", "random"), strict=True):
        fit = LocalTransport(8, coupling="plan", map=kind, random_state=0).fit(X, groups)
        carried = fit.transform(disc, "disc", to="arch")
        x, y = carried.T
        in_gap = np.mean((np.abs(x) < 0.4) & (y < 1.1))
        distance = sliced_wasserstein(carried, target)
        print(f"tears: {kind}: in the gap {in_gap:.3f}, sliced Wasserstein {distance:.3f}")
        axes.scatter(x, y, s=1, c=colors)
        axes.set(xlim=(-1.9, 1.9), ylim=(-0.4, 2.4))
        clean(axes, f"{kind}: {100 * in_gap:.1f} % in the gap,\ndistance {distance:.3f}")
    save(figure, "beyond-tears.png")


def reach():
    """Compare transported samples of the source mixture with the target mixture."""
    rng = np.random.default_rng(3)
    source = clusters(rng, [(0, 0), (2, 1)], (7000, 3000))
    target = clusters(rng, [(6, 2), (7.5, 0), (5.4, -0.6)], (3000, 3000, 4000))
    X = np.concatenate([source, target])
    groups = np.repeat(["a", "b"], 10000)
    figure, panels = plt.subplots(1, 2, figsize=(10, 3.2))
    lines = {"hard": "--", "soft": ":", "random": "-"}
    table = []
    for kind in lines:
        fit = LocalTransport({"a": 2, "b": 3}, coupling="plan", map=kind, random_state=0)
        fit.fit(X, groups)
        drawn, _ = fit.mixtures_[0].sample(20000)
        carried = fit.transform(drawn, "a", to="b")
        fresh, _ = fit.mixtures_[1].sample(20000)
        levels = np.linspace(-2, 3.6, 90)
        for axes, axis, name in zip(panels, (0, 1), ("first", "second"), strict=True):
            grid = levels + (5.2 if axis == 0 else 0)
            if kind == "hard":
                density = np.histogram(fresh[:, axis], grid, density=True)[0]
                axes.fill_between(grid[1:], density, color=TARGET, label="the target")
            density = np.histogram(carried[:, axis], grid, density=True)[0]
            axes.plot(grid[1:], density, lines[kind], color=CARRIED, lw=1.3, label=kind)
            axes.set(yticks=[], xlabel=f"{name} feature")
        own = fit.mixtures_[1].score(fresh)
        table.append((kind, fit.mixtures_[1].score(carried), own))
        print(
            f"reach: {kind}: log-likelihood {table[-1][1]:.3f}, of the target itself {own:.3f}, "
            f"sliced Wasserstein {sliced_wasserstein(carried, fresh):.3f}"
        )
    panels[0].legend(frameon=False, fontsize=9)
    save(figure, "beyond-reach.png")


def bent(rng, n_points, curve, skew):
    """Draw a curved group with a skewed thickness."""
    x = rng.normal(size=n_points)
    noise = rng.exponential(size=n_points) - 1 if skew else rng.normal(size=n_points)
    return np.column_stack([x, curve * x**2 + 0.5 * noise])


def largest_gap(first, second):
    """Return the largest Kolmogorov-Smirnov distance over 32 directions."""
    rng = np.random.default_rng(0)
    gaps = []
    for direction in rng.normal(size=(32, 2)):
        a, b = np.sort(first @ direction), np.sort(second @ direction)
        both = np.concatenate([a, b])
        shares = [np.searchsorted(sample, both, side="right") / len(sample) for sample in (a, b)]
        gaps.append(np.abs(shares[0] - shares[1]).max())
    return max(gaps)


def refinement():
    """Measure the gap of two curved groups at the barycenter by the number of sliced steps."""
    rng = np.random.default_rng(4)
    first, second = bent(rng, 6000, 0.8, True), bent(rng, 6000, -0.6, False) + SHIFT
    new_first, new_second = bent(rng, 6000, 0.8, True), bent(rng, 6000, -0.6, False) + SHIFT
    X, groups = np.concatenate([first, second]), np.repeat(["a", "b"], 6000)
    steps = [0, 1, 2, 5, 10, 20, 40]
    figure, axes = plt.subplots(figsize=(5.6, 3.2))
    for k, style in ((1, "o-"), (5, "s--")):
        gaps = []
        for refine in steps:
            fit = LocalTransport(k, map="random", refine=refine, random_state=0).fit(X, groups)
            carried = fit.transform(new_first, "a"), fit.transform(new_second, "b")
            gaps.append(largest_gap(*carried))
        print(f"refinement: k = {k}: " + ", ".join(f"{g:.3f}" for g in gaps))
        axes.plot(range(len(steps)), gaps, style, color=CARRIED if k == 1 else SOURCE)
        axes.annotate(f"k = {k}", (0.12, gaps[0]), fontsize=9)
    noise = np.mean(
        [largest_gap(*np.split(rng.permutation(new_first), 2)) / np.sqrt(2) for _ in range(20)]
    )
    print(f"refinement: noise of groups with equal distributions {noise:.3f}")
    axes.axhline(noise, color=TARGET)
    axes.annotate("equal groups", (0.05, noise - 0.017), color="#777777", fontsize=9)
    axes.set(
        xticks=range(len(steps)),
        xticklabels=steps,
        xlabel="sliced steps",
        ylabel="largest gap, new points",
        ylim=(0, None),
    )
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    save(figure, "beyond-refinement.png")


if __name__ == "__main__":
    masses()
    tears()
    reach()
    refinement()
