"""The rows of the result: percentiles, the median over rounds, and the file they go to."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One measured thing of one system; what was not measured is None and left out."""

    measure: str
    system: str
    at: str | None = None
    p50: float | None = None
    p99: float | None = None
    max: float | None = None
    value: float | None = None
    unit: str = "ms"
    rounds: int | None = None
    samples: int | None = None
    capped: bool | None = None


@dataclass(frozen=True)
class Spread:
    """The percentiles of one set of samples."""

    p50: float
    p99: float
    max: float
    samples: int


@dataclass(frozen=True)
class Comparison:
    """One figure of this version beside the same of another, measured in one run."""

    measure: str
    at: str | None
    figure: str
    ours: float
    theirs: float
    #: How many times as long this version takes.
    ratio: float
    within: bool
    #: What was measured, and when.
    ours_commit: str
    commit: str
    when: str


def spread(samples: Sequence[float]) -> Spread:
    """Return the percentiles of some samples: the nearest that was seen, none in between."""
    ordered = sorted(samples)

    def at(share: float) -> float:
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    return Spread(at(0.5), at(0.99), ordered[-1], len(ordered))


def over_rounds(measure: str, system: str, at: str, rounds: Sequence[Spread]) -> Row:
    """Return one row for several rounds: the median of each percentile, the highest maximum."""
    return Row(
        measure,
        system,
        at,
        p50=statistics.median(r.p50 for r in rounds),
        p99=statistics.median(r.p99 for r in rounds),
        max=max(r.max for r in rounds),
        rounds=len(rounds),
        samples=sum(r.samples for r in rounds),
    )


def write(path: Path, section: str, rows: Sequence[Row | Comparison]) -> None:
    """Write rows to a section of the file, one to a line; what was not measured stays as it was."""
    sections = json.loads(path.read_text("utf-8")) if path.exists() else {}
    measured = {row.measure for row in rows}
    kept = [row for row in sections.get(section, ()) if row["measure"] not in measured]
    kept += [{k: v for k, v in asdict(row).items() if v is not None} for row in rows]
    sections[section] = kept
    lists = (
        f"{json.dumps(name)}: [\n" + ",\n".join(map(json.dumps, found)) + "\n]"
        for name, found in sections.items()
    )
    path.write_text("{\n" + ",\n".join(lists) + "\n}\n", "utf-8")
