"""This version beside another: what both measured in one run, and how they compare."""

from __future__ import annotations

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
    """Return each figure that both versions have; `commits` are what was checked out."""
    when = datetime.now(UTC).isoformat(timespec="minutes")
    ours, theirs = versions
    ours_commit, commit = commits
    other = {(r.measure, r.at): r for r in rows if r.system == theirs.name}
    found = []
    for row in rows:
        if row.system != ours.name or (row.measure, row.at) not in other:
            continue
        for figure, a, b in _figures(row, other[row.measure, row.at]):
            ratio = b / a if row.unit == "events/s" else a / b
            found.append(
                Comparison(
                    row.measure,
                    row.at,
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
            f"{c.ours:,.0f}",
            f"{c.theirs:,.0f}",
            f"{c.ratio:.3f}",
            "yes" if c.within else "NO",
        )
        for c in found
    ]
    table([head, *lines], left=3)


def _figures(ours: Row, theirs: Row) -> Iterator[tuple[str, float, float]]:
    pairs = {
        "p50": (ours.p50, theirs.p50),
        "p99": (ours.p99, theirs.p99),
        ours.unit: (ours.value, theirs.value),
    }
    for figure, (a, b) in pairs.items():
        # None was not measured, and nothing is a ratio of 0.
        if a and b:
            yield figure, a, b
