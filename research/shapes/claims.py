# SPDX-License-Identifier: MIT
"""The paper's claims and the targets of the study, with measured values and verdicts."""

from __future__ import annotations

import pandas as pd

from common.claim import Claim

from .budget import PEER
from .measure import Study
from .methods import BEST_K, OURS

SET_BEFOREHAND = 1000  # largest number of points per shape for the verdict on the ratio of times
TUNED_ON = (0, 1, 2)  # splits on which the best setting was selected
MAPPING_ESTIMATION = ("ME-Linear", "ME-Gaussian, scaled")


def claims_of(study: Study) -> list[Claim]:
    """Check the claims of the paper whose tables exist."""
    rivals, ours = study.table("rivals"), study.table("ours")
    information, large = study.table("information"), study.table("large")
    found = []
    if rivals is not None:
        found += [speed(rivals, large), atoms_of_rivals(rivals), kernels(rivals)]
    if ours is not None:
        found.append(plateau(ours))
    if information is not None:
        found.append(criterion(information))
    return found


def seconds_by_atoms(rows: pd.DataFrame, method: str) -> pd.Series:
    """Return the median seconds of learning and transport, by k."""
    own = rows[rows.method == method]
    seconds = own.train_seconds + own.transport_seconds
    return seconds.groupby(own.k).median().dropna()


def ratios(rows: pd.DataFrame, slow: str, fast: str) -> pd.Series:
    """Return the ratio of the times of two methods, by k."""
    return (seconds_by_atoms(rows, slow) / seconds_by_atoms(rows, fast)).dropna()


def listed(values: pd.Series, digits: str = ".0f") -> str:
    """Return numbers by k as text."""
    return ", ".join(f"k = {k}: {value:{digits}}" for k, value in values.items())


def speed_ratios(rivals: pd.DataFrame, large: pd.DataFrame | None) -> dict[int, pd.Series]:
    """Return the ratio of the times of ME-Linear and L-BW by k, for each number of points."""
    found = {int(rivals.n_train.max()): ratios(rivals, "ME-Linear", "L-BW, paper")}
    if large is not None:
        for n_train, rows in large[large.outcome == "done"].groupby("n_train"):
            found[int(n_train)] = ratios(rows, "ME-Linear", "L-BW, paper")
    return {n_train: ratio for n_train, ratio in found.items() if len(ratio)}


def speed(rivals: pd.DataFrame, large: pd.DataFrame | None) -> Claim:
    """Compare the times of L-BW and ME-Linear with equal numbers of points."""
    found = speed_ratios(rivals, large)
    text = "; ".join(
        f"{ratio.mean():.0f} times at {n_train} points ({listed(ratio)})"
        for n_train, ratio in found.items()
    )
    holds = all(ratio.mean() >= 80 for ratio in found.values())
    verdict = "holds, with a larger factor" if holds else "does not hold"
    return Claim("L-BW is 80 times as fast as ME-Linear on average", text, verdict)


def speed_target(rivals: pd.DataFrame, large: pd.DataFrame | None) -> Claim:
    """Compare the target for speed with the sizes set beforehand; larger sizes show a trend."""
    found = speed_ratios(rivals, large)
    judged = [ratio.mean() for n, ratio in found.items() if n <= SET_BEFOREHAND]
    later = {n: ratio for n, ratio in found.items() if n > SET_BEFOREHAND}
    text = ", ".join(
        f"{ratio.mean():.0f} at {n} points per shape"
        for n, ratio in found.items()
        if n <= SET_BEFOREHAND
    )
    if later:
        text += "; sizes added afterwards: " + ", ".join(
            f"{ratio.mean():.0f} at {n} (k = {', '.join(map(str, ratio.index))})"
            for n, ratio in later.items()
        )
    claim = "time ratio to ME-Linear at equal points (500, 1000), averaged over k, ≥ 1000"
    return target(claim, text, max(judged) >= 1000)


def atoms_of_rivals(rivals: pd.DataFrame) -> Claim:
    """Find the number of atoms with which ME reaches the IoU of L-BW with 5 and with 20."""
    mean = rivals.groupby(["method", "k"]).iou.mean()
    parts, factors = [], []
    for own in (5, 20):
        goal = mean["L-BW, paper"][own]
        reached = {method: first_above(mean[method], goal) for method in MAPPING_ESTIMATION}
        factors += [k / own for k in reached.values() if k]
        texts = [f"{method} {f'at k = {k}' if k else 'never'}" for method, k in reached.items()]
        parts.append(
            f"IoU {goal:.3f} of L-BW, paper, at k = {own} is reached by " + ", ".join(texts)
        )
    best = ", ".join(f"{method} {mean[method].max():.3f}" for method in MAPPING_ESTIMATION)
    verdict = "does not hold: neither kernel reaches the IoU of L-BW"
    if factors:
        few, many = min(factors), max(factors)
        verdict = f"in part: {few:.0f} to {many:.0f} times where the IoU is reached"
    return Claim(
        "ME needs five times the atoms of L-BW", "; ".join([*parts, f"best {best}"]), verdict
    )


def first_above(by_atoms: pd.Series, goal: float) -> int | None:
    """Return the smallest number of atoms that reaches a value, or None."""
    reached = [int(k) for k, value in by_atoms.sort_index().items() if value >= goal]
    return reached[0] if reached else None


def kernels(rivals: pd.DataFrame) -> Claim:
    """Compare the times of ME-Gaussian and ME-Linear."""
    scaled = ratios(rivals, "ME-Gaussian, scaled", "ME-Linear")
    pixels = ratios(rivals, "ME-Gaussian, pixels", "ME-Linear")
    low = scaled[scaled.index < 40].mean()
    verdict = "holds" if low >= 8 else "does not hold with the current POT and these sizes"
    return Claim(
        "ME-Gaussian is ten times as slow as ME-Linear for k < 40, 1.5 times above",
        f"scaled coordinates {listed(scaled, '.1f')}; pixels {listed(pixels, '.2f')}",
        verdict,
    )


def plateau(ours: pd.DataFrame) -> Claim:
    """Check whether support recovery is constant from k = 20."""
    mean = ours[ours.method == "L-BW, paper"].groupby("k").iou.mean()
    plan = ours[ours.method == "L-BW, plan"].groupby("k").iou.mean()
    chosen = [k for k in (10, 20, 40, 100) if k in mean.index]
    rise = mean[chosen[-1]] - mean[20]
    verdict = "holds" if abs(rise) < 0.01 else "does not hold: recovery continues to increase"
    return Claim(
        "support recovery has a plateau at k = 20",
        f"paper's setting {listed(mean[chosen], '.3f')}; plan {listed(plan[chosen], '.3f')}",
        verdict,
    )


def criterion(information: pd.DataFrame) -> Claim:
    """Find the minima of AIC and BIC."""
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
        verdict += " for AIC; BIC has its minimum at about 20"
    return Claim("AIC has its minimum at k = 20 for all shapes", text, verdict)


def targets_of(study: Study) -> list[Claim]:
    """Check the targets of the study."""
    ours, budget, truth = (study.table(name) for name in ("ours", "budget", "truth"))
    found = []
    if truth is not None:
        exact = {
            width: truth[truth.check == f"exact assignment, bandwidth {width}"].iou
            for width in (2, 3)
        }
        text = "; ".join(
            f"bandwidth {width}: mean {iou.mean():.3f}, minimum {iou.min():.3f}, "
            f"{(iou < 0.94).sum()} of {len(iou)} below"
            for width, iou in exact.items()
        )
        claim = "ground truth and exact assignment: IoU ≥ .94 with a bandwidth of 2"
        found.append(target(claim, text, exact[2].min() >= 0.94))
    if ours is not None:
        found += recovery_targets(ours)
    if budget is not None:
        found.append(budget_target(budget))
    rivals, large = study.table("rivals"), study.table("large")
    if rivals is not None:
        found.append(speed_target(rivals, large))
    return found


def target(claim: str, text: str, met: bool) -> Claim:
    """Return a target with its verdict."""
    return Claim(claim, text, "met" if met else "missed")


def recovery_targets(ours: pd.DataFrame) -> list[Claim]:
    """Return the targets for IoU."""
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
        if method == "L-BW, best":
            fresh = by_split[~by_split.index.isin(TUNED_ON)]
            text += f"; on the {len(fresh)} other splits: IoU {fresh.iou.mean():.3f}"
            met = fresh.iou.mean() >= least
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
    return target("the best setting is faster than the pipeline", text, best.seconds < peer.seconds)
