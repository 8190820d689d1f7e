# SPDX-License-Identifier: MIT
"""The generated part of ``docs/performance.md``."""

from __future__ import annotations

from collections.abc import Sequence

from common.page import markdown

from .results import Comparison, Results, Side
from .verdicts import bytes_text, growth_exponent, judge, ratio_text, speedup

MARKS = ("<!-- written by `make bench`: begin -->", "<!-- written by `make bench`: end -->")
HEADER = ("job", "lbw", "compared with", "time", "ratio", "target", "result")


def seconds_text(seconds: float) -> str:
    """Format a time with three digits and a suitable unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}" if seconds < 1000 * scale else f"{seconds:.0f} s"
    return f"{seconds * 1e9:.3g} ns"


def times_text(side: Side) -> str:
    """Format the median and the shortest repetition, and their number if it is small."""
    if not side.seconds:
        return side.error.split(":")[0] if side.error else "–"
    if "flops_per_second" in side.checks:
        return f"{side.checks['flops_per_second'] / 1e9:.0f} GFLOP/s"
    if "extra_bytes" in side.checks:
        return bytes_text(side.checks["extra_bytes"])
    if "peak_bytes" in side.checks:
        return bytes_text(side.checks["peak_bytes"])
    text = f"{seconds_text(side.median)} ({seconds_text(side.least)})"
    runs = len(side.seconds)
    return text if runs >= 5 else f"{text}, {runs} run" + ("s" if runs > 1 else "")


def side_text(side: Side) -> str:
    """Format the name of a contestant and its number of threads."""
    return f"{side.name}, {side.threads} thread" + ("s" if side.threads != 1 else "")


def _ratio(ours: Side, other: Side) -> str:
    if "flops_per_second" in other.checks:
        return ""
    if not (ours.seconds and other.seconds):
        return "–"
    if "extra_bytes" in ours.checks and "extra_bytes" in other.checks:
        return ratio_text(other.checks["extra_bytes"] / max(ours.checks["extra_bytes"], 1.0))
    return ratio_text(speedup(ours, other))


def comparison_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """Return the rows of a comparison, as many as contestants or targets; lbw is in the first."""
    others = comparison.sides[1:]
    verdicts = [judge(comparison, target) for target in comparison.targets]
    rows: list[tuple[str, ...]] = []
    for i in range(max(len(others), len(verdicts), 1)):
        first = (comparison.title, times_text(comparison.ours)) if i == 0 else ("", "")
        other = others[i] if i < len(others) else None
        against = ("", "", "")
        if other:
            against = (side_text(other), times_text(other), _ratio(comparison.ours, other))
        verdict = verdicts[i] if i < len(verdicts) else None
        wanted = (verdict.wanted, f"{verdict.seen}: {verdict.word}") if verdict else ("", "")
        rows.append((*first, *against, *wanted))
    return rows


def comparison_table(results: Results) -> str:
    """Return the table of all comparisons."""
    rows = [row for comparison in results.comparisons for row in comparison_rows(comparison)]
    return markdown(HEADER, rows)


def about_table(results: Results) -> str:
    """Return the table of machine, versions, load and command."""
    about = results.about
    machine = about["machine"]
    rows = [
        ("command", f"`{about['command']}`"),
        ("date, commit", f"{about['date']}, {about['commit']}"),
        (
            "machine",
            f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB",
        ),
        ("system", f"{machine['system']}; {machine['compiler']}; {machine['instruction_set']}"),
        ("load before and after", f"{about['load_before']:.2f}, {about['load_after']:.2f}"),
        ("versions", ", ".join(f"{name} {v}" for name, v in about["versions"].items())),
        ("settings of the peers", about["peer_settings"]),
    ]
    return markdown(("", ""), [*rows, *about.get("peak", {}).items()])


def verdict_count(results: Results) -> str:
    """Return the numbers of targets that were met, missed and not measured."""
    words = [
        judge(comparison, target).word
        for comparison in results.comparisons
        for target in comparison.targets
    ]
    return (
        f"Targets: {words.count('met')} of {len(words)} met, {words.count('missed')} missed, "
        f"{words.count('not measured')} not measured."
    )


def growth_text(results: Results) -> str:
    """Return a sentence on the growth with the number of samples."""
    sweep = [entry for entry in results.sweeps if entry.key == "sweep_n"]
    all_threads = sweep[0].ours.threads
    exponents = [growth_exponent(sweep, "n", threads) for threads in (1, all_threads)]
    largest = max(entry.sizes["n"] for entry in sweep)
    return (
        f"The time of an EM iteration of lbw grows with the number of samples to the power of"
        f" {exponents[0]:.3f} on one thread and {exponents[1]:.3f} on {all_threads}, fitted to the"
        f" sizes from {largest // 1000:,} to {largest:,}."
    )


def generated_part(results: Results, pictures: Sequence[tuple[str, str]]) -> str:
    """Return the tables and pictures. A picture is a pair of description and path in ``docs/``."""
    parts = [
        "Times are medians of the repetitions, with the shortest in parentheses. Ratios compare"
        " medians and are above 1 where lbw is faster.",
        comparison_table(results),
        verdict_count(results),
        about_table(results),
        *(f"![{words}]({path})" for words, path in pictures),
        *([growth_text(results)] if results.sweeps else []),
    ]
    return "\n\n".join(parts)
