"""A generation: its topics, its query, its checkpoint."""

from __future__ import annotations

from pathlib import Path

from tidegrid import kafka
from tidegrid.contract import topics
from tidegrid.contract.receipts import FORMAT, Offsets, Receipt, flow_of, layout_of
from tidegrid.contract.slots import Demand
from tidegrid.pipeline import compiler, sources
from tidegrid.pipeline.query import SupervisedQuery
from tidegrid.pipeline.slots import Engine
from tidegrid.settings import Settings


def recipe(settings: Settings) -> dict[str, str]:
    """Return the settings that shape rows and state; a generation keeps its own."""
    return {
        "format": FORMAT,
        "max_value_bytes": str(settings.pipeline.max_value_bytes),
        "shuffle_partitions": str(settings.pipeline.shuffle_partitions),
    }


class Generation:
    """One running build of a flow, as its first receipt says."""

    def __init__(self, settings: Settings, birth: Receipt, folder: Path) -> None:
        self._connection = settings.connection
        self._interval = settings.pipeline.checkpoint_interval
        self._checkpoint = folder / str(birth.generation) / birth.flow
        self._changelogs = layout_of(birth).changelogs
        self.birth = birth
        names = [c.name for c in self._changelogs]
        self.topics = {n: topics.changelog(birth.flow, birth.generation, n) for n in names}
        self.query: SupervisedQuery | None = None

    @property
    def demand(self) -> Demand:
        """The task slots that its query holds."""
        partitions = sum(len(found) for found in self.birth.start.values())
        return Demand(partitions, int(self.birth.recipe["shuffle_partitions"]))

    def make_topics(self) -> None:
        """Make the changelogs, if they are not there yet."""
        for events, config in ((False, topics.CHANGELOG_CONFIG), (True, topics.EVENTS_CONFIG)):
            wanted = {self.topics[c.name]: 1 for c in self._changelogs if c.events == events}
            kafka.ensure_topics(self._connection, wanted, config)

    def start(self, engine: Engine) -> None:
        """Start the query, when there are slots for it, and keep it running."""
        spec = compiler.spec(flow_of(self.birth), self.birth, self.topics, self._checkpoint)
        self.query = SupervisedQuery(
            engine,
            spec,
            self._connection.java(),
            self._interval,
            self.demand.slots,
            self._gone,
        )
        self.query.start()

    def stop(self) -> bool:
        """Stop the query; return whether it is over."""
        return self.query is None or self.query.stop()

    def _gone(self, committed: Offsets | None) -> str:
        return sources.gone(self._connection, committed or self.birth.start)
