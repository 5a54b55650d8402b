"""What a person reads: the rows as a table, and the targets with whether they were reached."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.rows import Row

_BEGUN = time.monotonic()


def say(text: str) -> None:
    """Print one line of progress, with the time since the start."""
    print(f"[{time.monotonic() - _BEGUN:5.0f} s] {text}", flush=True)


@dataclass(frozen=True)
class Target:
    """Something the numbers should reach; `seen` is None when it was not measured."""

    what: str
    wanted: str
    seen: str | None
    reached: bool


def targets(rows: Sequence[Row]) -> list[Target]:
    """Compare what was measured with what is wanted."""
    by_name = {(r.measure, r.system): r for r in rows}
    ours = by_name.get(("event_to_screen", "tidegrid"))
    direct = by_name.get(("event_to_screen", "deephaven_direct"))
    defaults = by_name.get(("event_to_screen", "deephaven_defaults"))
    caught_up = by_name.get(("catch_up", "tidegrid"))
    gold, gold_direct = (by_name.get(("gold_latest", s)) for s in ("tidegrid", "deephaven_direct"))
    found = [
        *_ratios("event to screen", "at most 1.2 x deephaven_direct", ours, direct, most=1.2),
        *_ratios("event to screen", "8 x faster than deephaven_defaults", defaults, ours, least=8),
        *_ratios("gold_latest", "at most 1.2 x deephaven_direct", gold, gold_direct, most=1.2),
    ]
    rate = None if caught_up is None else caught_up.value
    found.append(
        Target(
            "catching up",
            "at least 80,000 events/s",
            None if rate is None else f"{rate:,.0f} events/s",
            rate is not None and rate >= 80_000,
        )
    )
    return [*found, *_page_targets(by_name), *_swap_targets(rows)]


def _page_targets(by_name: Mapping[tuple[str, str], Row]) -> Iterator[Target]:
    painted = by_name.get(("first_paint", "tidegrid"))
    wait = None if painted is None else painted.p50
    seen = None if wait is None else f"{wait:,.0f} ms (p50)"
    wanted = "at most 1,500 ms on a warm stack"
    yield Target("log-in to first rows painted", wanted, seen, wait is not None and wait <= 1500)
    loaded = by_name.get(("page_loaded", "tidegrid"))
    size = None if loaded is None else loaded.value
    seen = None if size is None else f"{size:,.0f} kB"
    yield Target("the page, loaded", "at most 100 kB", seen, size is not None and size <= 100)


def _ratios(
    what: str,
    wanted: str,
    upper: Row | None,
    lower: Row | None,
    most: float = float("inf"),
    least: float = 0,
) -> Iterator[Target]:
    for name in ("p50", "p99"):
        ratio = _ratio(upper, lower, name)
        seen = None if ratio is None else f"{ratio:.2f} x"
        yield Target(f"{what}, {name}", wanted, seen, ratio is not None and least <= ratio <= most)


def _swap_targets(rows: Sequence[Row]) -> list[Target]:
    found = []
    for measure, part, limit in (
        ("swap", "users", 3500),
        ("swap", "events", 20_000),
        ("rollback", "users", 300),
    ):
        row = next((r for r in rows if r.measure == measure and part in (r.at or "")), None)
        what = f"{measure}, message to painted" + (f", {row.at}" if row else "")
        seen = None if row is None or row.p50 is None else f"{row.p50:,.0f} ms (p50)"
        reached = row is not None and row.p50 is not None and row.p50 <= limit
        found.append(Target(what, f"at most {limit:,} ms", seen, reached))
    held = {r.measure: r.value for r in rows if r.measure.startswith("swaps_100_")}
    for name, before in held.items():
        if not name.endswith("_before") or before is None:
            continue
        what = name.removeprefix("swaps_100_").removesuffix("_before")
        after = held.get(f"swaps_100_{what}_after")
        if after is not None:
            found.append(
                Target(
                    f"after 100 swaps, {what.replace('_', ' ')}",
                    f"at most 110 % of {before:,.0f}",
                    f"{after:,.0f}",
                    after <= 1.1 * before,
                )
            )
    return found


def show(rows: Sequence[Row]) -> None:
    """Print the rows and the targets."""
    head = ("measure", "system", "at", "p50", "p99", "max", "value", "unit", "rounds", "samples")
    lines = [head, *((*_cells(row, head),) for row in rows)]
    table(lines, left=3)
    print()
    checked = [
        (t.what, t.wanted, *((t.seen, _verdict(t)) if t.seen else ("not measured", "")))
        for t in targets(rows)
    ]
    table([("target", "wanted", "seen", ""), *checked], left=4)
    sys.stdout.flush()


def _verdict(target: Target) -> str:
    return "reached" if target.reached else "MISSED"


def _ratio(upper: Row | None, lower: Row | None, name: str) -> float | None:
    if upper is None or lower is None:
        return None
    return float(getattr(upper, name)) / float(getattr(lower, name))


def _cells(row: Row, names: Sequence[str]) -> list[str]:
    cells = []
    for name in names:
        value = getattr(row, name)
        cells.append(
            "" if value is None else f"{value:,.0f}" if isinstance(value, float) else str(value)
        )
    if row.capped:
        cells[-1] += " (capped)"
    return cells


def table(lines: Sequence[Sequence[str]], left: int) -> None:
    """Print lines in columns, the first of them as the head; so many columns go to the left."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for number, line in enumerate(lines):
        cells = (
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
