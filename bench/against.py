"""This version beside another: what both measured in turn in one run, and how they compare."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from bench.report import table
from bench.rows import Comparison, Row
from bench.versions import Version

#: How many times as long as the other version this one may take.
_MOST = 1.05


def compare(
    rows: Sequence[Row], versions: Sequence[Version], commits: Sequence[str]
) -> list[Comparison]:
    """Return each figure that both versions have; `commits` are what was checked out.

    Each is the mean of its turns.
    """
    when = datetime.now(UTC).isoformat(timespec="minutes")
    ours_commit, commit = commits
    ours, theirs = versions
    turns: dict[tuple[str, str | None], dict[str, list[Row]]] = {}
    for row in rows:
        turns.setdefault((row.measure, row.at), {}).setdefault(row.system, []).append(row)
    found = []
    for (measure, at), by in turns.items():
        for figure, a, b in _figures(by.get(ours.name, []), by.get(theirs.name, [])):
            ratio = b / a if figure == "events/s" else a / b
            found.append(
                Comparison(
                    measure,
                    at,
                    figure,
                    a,
                    b,
                    round(ratio, 3),
                    within=ratio <= _MOST,
                    ours_commit=ours_commit,
                    commit=commit,
                    when=when,
                )
            )
    return found


def show(found: Sequence[Comparison]) -> None:
    """Print the comparison, with what takes longer than it may."""
    head = ("measure", "at", "figure", "ours", "theirs", "ratio", f"within {_MOST}")
    lines = [
        (
            c.measure,
            c.at or "",
            c.figure,
            f"{c.ours:,.4g}",
            f"{c.theirs:,.4g}",
            f"{c.ratio:.3f}",
            "yes" if c.within else "NO",
        )
        for c in found
    ]
    table([head, *lines], left=3)


def _figures(ours: Sequence[Row], theirs: Sequence[Row]) -> Iterator[tuple[str, float, float]]:
    for figure in ("p50", "p99", "value"):
        a, b = (
            [v for v in (getattr(r, figure) for r in rows) if v is not None]
            for rows in (ours, theirs)
        )
        # Nothing is a ratio of 0.
        if a and b and statistics.mean(b):
            called = ours[0].unit if figure == "value" else figure
            yield called, round(statistics.mean(a), 3), round(statistics.mean(b), 3)
