"""Health: what each part says of itself, as JSON records on a compacted topic, newest per part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from tidegrid.contract import wire
from tidegrid.contract.wire import Malformed

#: How often a part reports, in seconds; one that has not for `STALE` is taken for gone.
EVERY, STALE = 2.0, 8.0
#: The parts that report: of several tables processes, `tables` is the one that writes receipts.
PARTS = ("pipeline", "tables")
#: The pipeline of a pair that does not lead, which reports where there is a pair.
SECOND = "second pipeline"
_REPLICA = "tables at "
#: Measures that only grow as long as their generation runs.
COUNTERS = frozenset({"events", "rejects", "rows_written", "restarts", "errors"})


def replica(place: str) -> str:
    """Return the part that a tables process is which does not write receipts."""
    return f"{_REPLICA}{place}"


def is_replica(part: str) -> bool:
    """Whether a part is such a tables process; there are as many as have reported lately."""
    return part.startswith(_REPLICA)


class Figure(msgspec.Struct, frozen=True, array_like=True):
    """One number, and what it is about; what does not apply is empty, 0 or -1.

    A report has many of them, so each is an array; new fields come at its end.
    """

    measure: str
    value: float
    flow: str = ""
    generation: int = 0
    topic: str = ""
    partition: int = -1
    #: A view, a changelog, a reason, a state, a step or a place, depending on the measure.
    label: str = ""

    @property
    def key(self) -> tuple[str, str, int, str, int, str]:
        """All but the value."""
        return self.measure, self.flow, self.generation, self.topic, self.partition, self.label


@dataclass(frozen=True)
class Health:
    """One report of a part."""

    part: str
    at: float
    state: str
    generation: int = 0
    detail: str = ""
    #: Rows of each view.
    rows: dict[str, int] = field(default_factory=dict)
    #: Seconds from the newest event seen to this report.
    age: float | None = None
    restarts: int = 0
    #: What the part has counted.
    figures: tuple[Figure, ...] = ()

    def to_json(self) -> str:
        """Return the report as the JSON that goes on the topic."""
        return msgspec.json.encode(self).decode()


_DECODER = msgspec.json.Decoder(Health)


def parse(value: bytes | str | None) -> Health | Malformed:
    """Return the report in a record."""
    return wire.decode(_DECODER, value)


_Mark = tuple[str, tuple[str, str, int, str, int, str]]


class Reports:
    """The newest report of each part, and the figures of all of them.

    A part that starts again counts again, from what it finds: here a counter never falls while its
    generation runs.
    """

    def __init__(self) -> None:
        self._newest: dict[str, Health] = {}
        self._highest: dict[_Mark, float] = {}
        self._rates: dict[str, list[Figure]] = {}

    def take(self, report: Health) -> None:
        """Enter a report."""
        before = self._newest.get(report.part)
        old = self._events(report.part)
        # In one step each, for another thread may read them.
        newest = {**self._newest, report.part: report}
        self._newest = {p: r for p, r in newest.items() if not self._is_gone(r, report.at)}
        self._highest = self._marks(report)
        if before is not None and report.at > before.at:
            self._rates[report.part] = [
                Figure(
                    "events_per_second", round((events - old[of]) / (report.at - before.at), 1), *of
                )
                for of, events in self._events(report.part).items()
                if of in old
            ]

    def state(self, part: str, now: float) -> Health | None:
        """Return the newest report of a part, unless it has been silent for too long."""
        report = self._newest.get(part)
        return report if report is not None and now - report.at <= STALE else None

    def _is_gone(self, report: Health, now: float) -> bool:
        """Whether it is of a replica that nobody needs to know of any more."""
        return is_replica(report.part) and now - report.at > STALE

    def figures(self, now: float) -> Iterator[tuple[str, Figure]]:
        """Yield the figures of the parts that report, and which parts do."""
        highest = self._highest
        newest = self._newest
        others = (p for p in sorted(newest) if p not in PARTS and not self._is_gone(newest[p], now))
        for part in (*PARTS, *others):
            report = self.state(part, now)
            yield part, Figure("up", int(report is not None))
            for figure in report.figures if report is not None else ():
                value = max(figure.value, highest.get((part, figure.key), figure.value))
                yield part, msgspec.structs.replace(figure, value=value)
            if report is not None:
                yield from ((part, rate) for rate in self._rates.get(part, ()))

    def _marks(self, report: Health) -> dict[_Mark, float]:
        """Return how high each counter was, of the generations that are still counted."""
        figures = (figure for newest in self._newest.values() for figure in newest.figures)
        counted = {(f.flow, f.generation) for f in figures if f.measure in COUNTERS}
        marks = {m: v for m, v in self._highest.items() if (m[1][1], m[1][2]) in counted}
        for figure in report.figures:
            if figure.measure in COUNTERS:
                mark = (report.part, figure.key)
                marks[mark] = max(figure.value, marks.get(mark, figure.value))
        return marks

    def _events(self, part: str) -> dict[tuple[str, int], float]:
        """Return how many events each generation has seen."""
        found: dict[tuple[str, int], float] = {}
        for (whose, (measure, flow, generation, *_)), value in self._highest.items():
            if whose == part and measure == "events":
                found[flow, generation] = found.get((flow, generation), 0) + value
        return found
