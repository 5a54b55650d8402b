"""A generation: its topics, its query, its checkpoint."""

from __future__ import annotations

from pathlib import Path

from tidegrid import kafka
from tidegrid.contract import topics
from tidegrid.contract.receipts import Offsets, Receipt
from tidegrid.contract.slots import Demand
from tidegrid.pipeline import sources
from tidegrid.pipeline.flow import FlowPipeline
from tidegrid.pipeline.query import SupervisedQuery
from tidegrid.pipeline.slots import Engine
from tidegrid.settings import Settings


class Generation:
    """One running build of a flow from the topics its receipt names."""

    def __init__(
        self, settings: Settings, flow: FlowPipeline, receipt: Receipt, checkpoints: Path
    ) -> None:
        self._connection = settings.connection
        self._interval = settings.pipeline.checkpoint_interval
        self._flow = flow
        self.receipt = receipt
        self._checkpoints = checkpoints
        names = [c.name for c in flow.contract.changelogs]
        self.topics = {n: topics.changelog(receipt.flow, receipt.generation, n) for n in names}
        self.query: SupervisedQuery | None = None

    @property
    def demand(self) -> Demand:
        """The task slots that its query holds."""
        partitions = sum(len(found) for found in self.receipt.start.values())
        return Demand(partitions, int(self.receipt.recipe["shuffle_partitions"]))

    def make_topics(self) -> None:
        """Make the changelogs, if they are not there yet."""
        changelogs = self._flow.contract.changelogs
        for events, config in ((False, topics.CHANGELOG_CONFIG), (True, topics.EVENTS_CONFIG)):
            wanted = {self.topics[c.name]: 1 for c in changelogs if c.events == events}
            kafka.ensure_topics(self._connection, wanted, config)

    def start(self, engine: Engine) -> None:
        """Start the query, when there are slots for it, and keep it running."""
        checkpoint = self._checkpoints / self.receipt.flow
        spec = self._flow.query(self.receipt, self.topics, checkpoint)
        client = self._connection.java()
        slots = self.demand.slots
        self.query = SupervisedQuery(engine, spec, client, self._interval, slots, self._gone)
        self.query.start()

    def stop(self) -> None:
        """Stop the query."""
        if self.query is not None:
            self.query.stop()

    def _gone(self, committed: Offsets | None) -> str:
        return sources.gone(self._connection, committed or self.receipt.start)
