"""The time: which field orders the records of a row, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidegrid.infer import words
from tidegrid.infer.seen import Path, Record
from tidegrid.infer.types import Column, times

_DAY = 86_400 * 10**9
_ENOUGH, _LIKELY = 20, 50


@dataclass(frozen=True)
class When:
    """The time of a source; without a field it is Kafka's timestamp."""

    field: str
    says: str


def best(
    columns: Sequence[Column], key: Sequence[str], found: Sequence[Record], envelope: Path
) -> When:
    """Return the likeliest time; `envelope` is where an envelope has it."""
    rated = []
    by_name = {c.name: c for c in columns}
    rows = _rows([by_name[name] for name in key if name in by_name], len(found))
    for column in columns:
        if column.guess.type != "time":
            continue
        if column.seen.path == envelope:
            return When(column.name, "sure (the envelope has it)")
        rated.append(_rate(column, rows, found))
    score, _, name, why = max(rated, default=(0, 0, "", ""), key=lambda r: r[:2])
    if score >= _ENOUGH:
        return When(name, f"{'likely' if score >= _LIKELY else 'a guess'} ({why})")
    if rated:
        others = ", ".join(name for _, _, name, _ in rated)
        return When("", f"Kafka's timestamp ({others}: not when a record changed, as it seems)")
    return When("", "Kafka's timestamp (no field is a time)")


def _rate(
    column: Column, rows: Sequence[str], found: Sequence[Record]
) -> tuple[float, float, str, str]:
    """Return how likely a time is, how near to when records were written, its name and why."""
    at = times(column.seen, found)
    lags = [found[i].timestamp * 10**6 - t for i, t in at.items()]
    near = sum(abs(lag) < _DAY for lag in lags) / len(lags)
    reasons = []
    score = 40 * near
    middle = sorted(lags)[len(lags) // 2] / 10**9
    if near > 0.5:
        reasons.append(
            f"{_span(abs(middle))} {'before' if middle >= 0 else 'after'} it was written"
        )
    said = set(words.words(column.name))
    if said & words.CHANGES:
        score += 15
        reasons.append("its name")
    if said & words.STAYS:
        score -= 20
    changing = _changes(at, rows)
    if changing is not None:
        score += 20 * changing - 10
        if changing > 0.5:
            reasons.append("it changes from record to record of a row")
    if column.seen.share < 1:
        score -= 10
        reasons.append(f"in {len(at)} of {column.seen.of}, else Kafka's timestamp")
    if all(t % _DAY == 0 for t in at.values()):
        score -= 30
    return score, -abs(middle), column.name, "; ".join(reasons) or "the only time"


def _rows(key: Sequence[Column], count: int) -> list[str]:
    return ["/".join(c.seen.texts.get(i, "") for c in key) for i in range(count)]


def _changes(at: dict[int, int], rows: Sequence[str]) -> float | None:
    """Return how often the time differs between neighbours of one row; None if there are none."""
    before: dict[str, int] = {}
    pairs = []
    for i, t in at.items():
        if rows[i] in before:
            pairs.append(before[rows[i]] != t)
        before[rows[i]] = t
    return sum(pairs) / len(pairs) if pairs else None


def _span(seconds: float) -> str:
    for size, unit in ((3600, "h"), (60, "min"), (1, "s")):
        if seconds >= size:
            return f"about {seconds / size:.0f} {unit}"
    return f"{seconds * 1000:.0f} ms"
