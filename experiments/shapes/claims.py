# SPDX-License-Identifier: MIT
"""The paper's claims and our own targets, each with the number that the tables give."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .budget import PEER
from .curves import table
from .measure import Study
from .methods import BEST_K, OURS


class Claim(NamedTuple):
    """A claim, what we measure, and the verdict."""

    claim: str
    measured: str
    verdict: str


def claims_of(study: Study) -> list[Claim]:
    """Check the claims of the paper one by one; those without a table yet are left out."""
    rivals, ours = table(study, "rivals"), table(study, "ours")
    information, large = table(study, "information"), table(study, "large")
    found = []
    if rivals is not None:
        found += [speed(rivals, large), atoms_of_rivals(rivals), kernels(rivals)]
    if ours is not None:
        found.append(plateau(ours))
    if information is not None:
        found.append(criterion(information))
    return found


def seconds_by_atoms(rows: pd.DataFrame, method: str) -> pd.Series:
    """Return the median seconds of learning and carrying, by k."""
    own = rows[rows.method == method]
    seconds = own.train_seconds + own.transport_seconds
    return seconds.groupby(own.k).median().dropna()


def ratios(rows: pd.DataFrame, slow: str, fast: str) -> pd.Series:
    """Return how many times as long the one takes as the other, by k."""
    return (seconds_by_atoms(rows, slow) / seconds_by_atoms(rows, fast)).dropna()


def listed(values: pd.Series, digits: str = ".0f") -> str:
    """Return numbers by k as text."""
    return ", ".join(f"k = {k}: {value:{digits}}" for k, value in values.items())


def speed(rivals: pd.DataFrame, large: pd.DataFrame | None) -> Claim:
    """L-BW against ME-Linear at equal numbers of points."""
    ratio = ratios(rivals, "ME-Linear", "L-BW, paper")
    n_train = int(rivals.n_train.max())
    text = f"{ratio.mean():.0f} times on average at {n_train} points ({listed(ratio)})"
    largest = ratio.mean()
    if large is not None:
        for n_more, rows in large[large.outcome == "done"].groupby("n_train"):
            more = ratios(rows, "ME-Linear", "L-BW, paper")
            if len(more):
                text += f"; {more.mean():.0f} times at {n_more} points ({listed(more)})"
                largest = max(largest, more.mean()) if len(more) > 1 else largest
    verdict = "holds, and by far more" if largest >= 80 else "does not hold"
    return Claim("L-BW is 80 times as fast as ME-Linear on average", text, verdict)


def atoms_of_rivals(rivals: pd.DataFrame) -> Claim:
    """Find the atoms that ME needs to reach what L-BW has with 20, at equal points."""
    mean = rivals.groupby(["method", "k"]).iou.mean()
    goal = mean["L-BW, paper"][20]
    parts = []
    needs = []
    for method in ("ME-Linear", "ME-Gaussian, scaled"):
        reached = [k for k, iou in mean[method].items() if iou >= goal]
        needs.append(min(reached) / 20 if reached else np.inf)
        most = mean[method].idxmax()
        parts.append(
            f"{method} "
            + (f"passes it at k = {min(reached)}" if reached else "never reaches it")
            + f" (best {mean[method].max():.3f} at k = {most})"
        )
    verdict = "in part: " if np.isinf(needs).any() else "holds: "
    verdict += "the linear kernel never gets there" if np.isinf(needs[0]) else "both get there"
    if np.isfinite(needs[1]):
        verdict += f", the Gaussian one needs at most {needs[1]:.0f} times the atoms"
    return Claim(
        "ME needs five times the atoms of L-BW",
        f"L-BW, paper, at k = 20 has IoU {goal:.3f}; " + "; ".join(parts),
        verdict,
    )


def kernels(rivals: pd.DataFrame) -> Claim:
    """ME-Gaussian against ME-Linear."""
    scaled = ratios(rivals, "ME-Gaussian, scaled", "ME-Linear")
    pixels = ratios(rivals, "ME-Gaussian, pixels", "ME-Linear")
    low = scaled[scaled.index < 40].mean()
    verdict = "holds" if low >= 8 else "does not hold with today's POT and these sizes"
    return Claim(
        "ME-Gaussian is ten times as slow as ME-Linear for k < 40, 1.5 times above",
        f"scaled coordinates {listed(scaled, '.1f')}; pixels {listed(pixels, '.2f')}",
        verdict,
    )


def plateau(ours: pd.DataFrame) -> Claim:
    """Tell whether support recovery stands still from k = 20 on."""
    mean = ours[ours.method == "L-BW, paper"].groupby("k").iou.mean()
    plan = ours[ours.method == "L-BW, plan"].groupby("k").iou.mean()
    chosen = [k for k in (10, 20, 40, 100) if k in mean.index]
    rise = mean[chosen[-1]] - mean[20]
    verdict = "holds" if abs(rise) < 0.01 else "does not hold: recovery goes on rising"
    return Claim(
        "support recovery has a plateau at k = 20",
        f"paper's setting {listed(mean[chosen], '.3f')}; plan {listed(plan[chosen], '.3f')}",
        verdict,
    )


def criterion(information: pd.DataFrame) -> Claim:
    """Find where AIC and BIC have their minima."""
    parts = {}
    for name in ("aic", "bic"):
        parts[name] = {
            shape: int(rows.set_index("k")[name].idxmin())
            for shape, rows in information.groupby("shape")
        }
    text = "; ".join(
        f"{name.upper()}: " + ", ".join(f"{shape} {k}" for shape, k in by_shape.items())
        for name, by_shape in parts.items()
    )
    holds = all(k == 20 for k in parts["aic"].values())
    near = all(15 <= k <= 30 for k in parts["bic"].values())
    verdict = "holds" if holds else "does not hold"
    if not holds and near:
        verdict += " for AIC; BIC is the one that says about 20"
    return Claim("AIC has its minimum at k = 20 for all shapes", text, verdict)


def targets_of(study: Study) -> list[Claim]:
    """Check what this study set out to show."""
    ours, budget, truth = (table(study, name) for name in ("ours", "budget", "truth"))
    found = []
    if truth is not None:
        exact = truth[truth.check == "exact assignment"].iou
        text = f"IoU {exact.mean():.3f}, least {exact.min():.3f}"
        found.append(
            target("ground truth against exact assignment, IoU ≥ .94", text, exact.min() >= 0.94)
        )
    if ours is not None:
        found += recovery_targets(ours)
    if budget is not None:
        found.append(budget_target(budget))
    return found


def target(claim: str, text: str, met: bool) -> Claim:
    """Return a target with its verdict."""
    return Claim(claim, text, "met" if met else "missed")


def recovery_targets(ours: pd.DataFrame) -> list[Claim]:
    """Return the targets of IoU."""
    found = []
    wanted = dict(zip(OURS, (0.75, 0.83, 0.85), strict=True)) | {"L-BW, best": 0.90}
    for method, least in wanted.items():
        k = BEST_K if method == "L-BW, best" else 20
        rows = ours[(ours.method == method) & (ours.k == k)]
        if rows.empty:
            continue
        by_split = rows.groupby("split")[["iou", "pixel_agreement"]].mean()
        iou, agree = by_split.mean()
        claim = f"{method}, k = {k}: IoU ≥ {least:.2f}"
        met = iou >= least
        if method == "L-BW, paper":
            claim += ", agreement ≥ .87"
            met = met and agree >= 0.87
        text = f"IoU {iou:.3f} ± {by_split.iou.std():.3f}, agreement {agree:.3f}"
        found.append(target(claim, text, met))
    return found


def budget_target(budget: pd.DataFrame) -> Claim:
    """Compare the time of the best setting with that of the scikit-learn pipeline."""
    median = budget.groupby(["method", "k"])[["seconds", "iou"]].median()
    best, peer = median.loc[("L-BW, best", BEST_K)], median.loc[(PEER, 20)]
    text = (
        f"IoU {best.iou:.3f} in {best.seconds:.2f} s; {PEER} at k = 20: IoU {peer.iou:.3f} in "
        f"{peer.seconds:.2f} s"
    )
    return target("best setting in less time than the pipeline", text, best.seconds < peer.seconds)
