# SPDX-License-Identifier: MIT
"""Write README.md of the results from the tables."""

from __future__ import annotations

from pathlib import Path

from common.claim import Claim
from common.page import markdown, write_page
from common.tables import read_table

from .study import Study
from .tables import means
from .transfer import KINDS

TEMPLATE = Path(__file__).with_name("report.md")
OURS, NONE, EMD = "lbw default", "no adaptation", "POT EMD"


def write_report(study: Study) -> None:
    """Write README.md beside the tables."""
    parts = {
        "claims": markdown(["claim", "measured", "verdict"], claims_of(study)),
        "moons": by_column(study, "moons", "angle", "SVM"),
        "moons_nn": by_column(study, "moons", "angle", "1-NN"),
        "digits": by_column(study, "digits", "shift", "SVM"),
        "digits_nn": by_column(study, "digits", "shift", "1-NN"),
        "colours": colours_of(study),
        "sizes": f"{study.n_points} points per domain, {study.n_seeds} seeds",
        "splits": f"{study.n_splits}",
    }
    write_page(TEMPLATE, parts, study.results)


def by_column(study: Study, name: str, column: str, classifier: str) -> str:
    """Return the accuracy of every method, one column per angle or shift, with its interval."""
    rows = read_table(study.results, name)
    if rows is None:
        return "not measured"
    found = means(rows[rows.classifier == classifier], ["method", column], "accuracy")
    values = list(dict.fromkeys(found[column]))
    lines = []
    for method, own in found.groupby("method", sort=False):
        cells = own.set_index(column).loc[values]
        pairs = zip(cells["mean"], cells["half"], strict=True)
        texts = [f"{mean:.3f}" + (f" ± {half:.3f}" if half == half else "") for mean, half in pairs]
        lines.append([str(method), *texts])
    return markdown(["method", *map(str, values)], lines)


def colours_of(study: Study) -> str:
    """Return the distance to the colours of the target and the roughness, as means over pairs."""
    rows = read_table(study.results, "colours")
    if rows is None:
        return "not measured"
    mean = rows.groupby("method", sort=False)[["distance", "roughness"]].mean().loc[list(KINDS)]
    lines = [[name, f"{d:.4f}", f"{r:.2f}"] for name, d, r in mean.itertuples()]
    before = rows.groupby(["source", "target"]).distance_before.first().mean()
    lines.insert(0, ["source, unchanged", f"{before:.4f}", "1.00"])
    return markdown(["map", "distance to the colours of the target", "roughness"], lines)


def claims_of(study: Study) -> list[Claim]:
    """Return the claims about the defaults with measured values and verdicts."""
    claims = []
    moons, digits, colours = (
        read_table(study.results, name) for name in ("moons", "digits", "colours")
    )
    if moons is not None:
        mean = moons.groupby(["classifier", "method", "angle"]).accuracy.mean()
        for other, at in ((NONE, "every angle from 20 degrees"), (EMD, "40 degrees")):
            gaps = (mean.xs(OURS, level="method") - mean.xs(other, level="method")).unstack()
            gaps = gaps.loc[:, gaps.columns >= 20] if other == NONE else gaps[[40]]
            claims.append(
                verdict(
                    f"moons: the default is better than {other} at {at}", float(gaps.min().min())
                )
            )
        gaps = (mean.xs(OURS, level="method") - mean.xs("lbw, random", level="method")).unstack()
        claims.append(
            verdict(
                "moons: the default is better than random maps, mean over angles",
                float(gaps.mean(axis=1).min()),
            )
        )
    if digits is not None:
        mean = digits.groupby(["classifier", "method", "shift"]).accuracy.mean()
        gaps = (mean.xs(OURS, level="method") - mean.xs(NONE, level="method")).unstack()
        claims.append(
            verdict(
                "digits: the default is better than no adaptation at every shift",
                float(gaps.min().min()),
            )
        )
    if colours is not None:
        mean = colours.groupby("method").roughness.mean()
        text = ", ".join(
            f"{kind} {mean[f'lbw, {kind}']:.2f}" for kind in ("soft", "hard", "random")
        )
        smooth = mean["lbw, soft"] < min(mean["lbw, hard"], mean["lbw, random"])
        claims.append(
            Claim(
                "colours: soft maps are smoother than hard and random maps",
                text,
                "holds" if smooth else "fails",
            )
        )
    return claims


def verdict(claim: str, gap: float) -> Claim:
    """Return a claim about a difference that should be positive."""
    return Claim(claim, f"smallest difference {gap:+.3f}", "holds" if gap > 0 else "fails")
