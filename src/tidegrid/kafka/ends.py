"""Ends: where partitions end, looked up every few seconds by a thread of its own.

Whoever asks has an answer at once, and does not wait for a broker that is away.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

from tidegrid import kafka, logs
from tidegrid.contract.health import EVERY
from tidegrid.contract.receipts import Offsets
from tidegrid.errors import KafkaError
from tidegrid.kafka.connection import Connection

_log = logs.get("ends")

#: A flow and the number of a generation.
Whom = tuple[str, int]
_Place = tuple[str, str]


class Ends:
    """The ends of the partitions that generations read or write."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._read: dict[Whom, Offsets] = {}
        self._known: dict[Whom, Offsets] = {}
        #: What the last look found: the end of a partition, and how far it had been read.
        self._before: dict[tuple[Whom, _Place], tuple[int, int]] = {}
        #: Of a partition: an end of it, and the end of the records before that.
        self._records: dict[_Place, tuple[int, int]] = {}

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._run, name="tidegrid-ends", daemon=True).start()

    def follow(self, read: Mapping[Whom, Offsets]) -> None:
        """Say which partitions to look at, each with the offset after the last one read."""
        self._read = dict(read)

    @property
    def known(self) -> Mapping[Whom, Offsets]:
        """The ends as they were at the last look."""
        return self._known

    def look(self) -> None:
        """Look up the ends, once."""
        known: dict[Whom, Offsets] = {}
        before: dict[tuple[Whom, _Place], tuple[int, int]] = {}
        for whom, read in self._read.items():
            try:
                ends = kafka.latest(
                    self._connection, {t: len(places) for t, places in read.items()}
                )
                now = {(whom, p): (ends[p[0]][p[1]], offset) for p, offset in _places(read)}
                still = [p for whom, p in now if self._before.get((whom, p)) == now[whom, p]]
                self._settle(read, ends, still)
            except KafkaError as e:
                about = dict(zip(("flow", "generation"), whom, strict=True))
                _log.debug("%s generation %d: %s", *whom, e, extra=about)
                continue
            before.update(now)
            known[whom] = {topic: {} for topic in ends}
            for place, end in _places(ends):
                looked_at, records = self._records.get(place, (-1, -1))
                known[whom][place[0]][place[1]] = records if looked_at == end else end
        self._known, self._before = known, before
        followed = {place for _, place in before}
        self._records = {p: found for p, found in self._records.items() if p in followed}

    def _run(self) -> None:
        never = threading.Event()
        while not never.wait(EVERY):
            try:
                self.look()
            except Exception:
                # Nothing is better than what was true once.
                self._known = {}
                _log.exception("the ends of partitions could not be looked up")

    def _settle(self, read: Offsets, ends: Offsets, still: list[_Place]) -> None:
        """Find out whether there is anything left to read where nothing moves any more.

        A transaction leaves a marker at the end of a partition, and compaction a gap.
        """
        start: Offsets = {}
        end: Offsets = {}
        for topic, partition in still:
            offset, last = read[topic][partition], ends[topic][partition]
            if offset < last and self._records.get((topic, partition), (-1, -1))[0] != last:
                start.setdefault(topic, {})[partition] = offset
                end.setdefault(topic, {})[partition] = last
        if start:
            found = kafka.ends_of_records(self._connection, start, end)
            for topic, partition in [place for place, _ in _places(start)]:
                self._records[topic, partition] = (end[topic][partition], found[topic][partition])


def _places(offsets: Offsets) -> Iterator[tuple[_Place, int]]:
    for topic, places in offsets.items():
        for partition, offset in places.items():
            yield (topic, partition), offset
