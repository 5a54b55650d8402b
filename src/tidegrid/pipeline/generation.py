"""A generation: its topics, its query, its checkpoint."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from tidegrid import kafka
from tidegrid.contract import topics
from tidegrid.contract.receipts import FORMAT, PAIR, Offsets, Receipt, flow_of, layout_of
from tidegrid.contract.slots import Demand
from tidegrid.pipeline import compiler, sources
from tidegrid.pipeline.query import SupervisedQuery
from tidegrid.pipeline.slots import Engine
from tidegrid.pipeline.spark_internals import RecordsGoneError, committed_offsets
from tidegrid.settings import Settings


def recipe(settings: Settings) -> dict[str, str]:
    """Return the settings that shape rows and state; a generation keeps its own."""
    return {
        "format": FORMAT,
        "max_value_bytes": str(settings.pipeline.max_value_bytes),
        "shuffle_partitions": str(settings.pipeline.shuffle_partitions),
        **({PAIR: "true"} if settings.pipeline.pair else {}),
    }


class Generation:
    """One running build of a flow, as its first receipt says; of a pair, one of the two copies."""

    def __init__(
        self, settings: Settings, birth: Receipt, folder: Path, copy: str = topics.COPIES[0]
    ) -> None:
        self._connection = settings.connection
        self._interval = settings.pipeline.checkpoint_interval
        self._checkpoint = folder / str(birth.generation) / birth.flow
        self._changelogs = layout_of(birth).changelogs
        self.birth = self._read_from = birth
        self.topics = self._topics(copy)
        self.query: SupervisedQuery | None = None

    @property
    def demand(self) -> Demand:
        """The task slots that its query holds."""
        partitions = sum(len(found) for found in self.birth.start.values())
        return Demand(partitions, int(self.birth.recipe["shuffle_partitions"]))

    def make_topics(self) -> None:
        """Make the changelogs, those of all copies, if they are not there yet."""
        copies = [self._topics(copy) for copy in self.birth.copies]
        for events, config in ((False, topics.CHANGELOG_CONFIG), (True, topics.EVENTS_CONFIG)):
            names = [c.name for c in self._changelogs if c.events == events]
            wanted = {of[name]: 1 for of in copies for name in names}
            kafka.ensure_topics(self._connection, wanted, config)

    def start(self, engine: Engine, other_commit: Callable[[], float | None] | None = None) -> None:
        """Start the query, when there are slots for it, and keep it running.

        Beside another pipeline it commits at another time than that, which `other_commit` says.
        """
        birth = self.birth
        committed = committed_offsets(self._checkpoint)
        if other_commit is not None and (
            committed is None or sources.gone(self._connection, committed)
        ):
            # What the other one has read since it began is a backlog here, as far as it is there.
            shutil.rmtree(self._checkpoint, ignore_errors=True)
            birth = self._read_from = sources.up_to_now(self._connection, birth)
        spec = compiler.spec(flow_of(birth), birth, self.topics, self._checkpoint)
        self.query = SupervisedQuery(
            engine,
            spec,
            self._connection.java(),
            self._interval,
            self.demand.slots,
            self._unread,
            other_commit,
        )
        self.query.start()

    def stop(self) -> bool:
        """Stop the query; return whether it is over."""
        return self.query is None or self.query.stop()

    def _topics(self, copy: str) -> dict[str, str]:
        flow, number = self.birth.flow, self.birth.generation
        return {c.name: topics.changelog(flow, number, c.name, copy) for c in self._changelogs}

    def _unread(self, committed: Offsets | None) -> tuple[Offsets, Offsets]:
        start = committed or self._read_from.start
        if gone := sources.gone(self._connection, start):
            raise RecordsGoneError(gone)
        topics = {topic: len(found) for topic, found in start.items()}
        return start, kafka.latest(self._connection, topics)
