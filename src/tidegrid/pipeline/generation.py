"""A generation of the customers flow: its topics, its queries, its checkpoints."""

from __future__ import annotations

import json
from pathlib import Path

from pyspark.sql import SparkSession

from tidegrid import kafka
from tidegrid.contract import topics
from tidegrid.contract.receipts import Receipt
from tidegrid.contract.views import CUSTOMERS
from tidegrid.pipeline import backlog, customers
from tidegrid.pipeline.backlog import Backlog
from tidegrid.pipeline.customer_rows import Plan
from tidegrid.pipeline.query import QuerySpec, SupervisedQuery
from tidegrid.pipeline.session import Demand
from tidegrid.settings import Settings


class CustomersGeneration:
    """One running build of the customers flow from the topics its receipt names."""

    def __init__(self, settings: Settings, receipt: Receipt, checkpoints: Path) -> None:
        self.receipt = receipt
        self._settings = settings
        self._checkpoints = checkpoints
        names = [c.name for c in CUSTOMERS.changelogs]
        self.topics = {n: topics.changelog(receipt.flow, receipt.generation, n) for n in names}
        self.queries: list[SupervisedQuery] = []

    @property
    def demands(self) -> list[Demand]:
        """The task slots of each query."""
        shuffle = self._settings.pipeline.shuffle_partitions
        sources = sum(len(partitions) for partitions in self.receipt.start.values())
        return [Demand(sources, shuffle)]

    def make_topics(self) -> None:
        """Make the changelogs, if they are not there yet."""
        bootstrap = self._settings.kafka.bootstrap
        for events, config in ((False, topics.CHANGELOG_CONFIG), (True, topics.EVENTS_CONFIG)):
            wanted = {self.topics[c.name]: 1 for c in CUSTOMERS.changelogs if c.events == events}
            kafka.ensure_topics(bootstrap, wanted, config)

    def start(self, spark: SparkSession) -> None:
        """Start the queries and keep them running."""
        plan = self._plan()
        receipt = self.receipt
        # Twice the list, for records that are rejects or gone from a compacted topic.
        until = backlog.until(receipt.start, receipt.end, 2 * plan.event_list)
        bulk = None
        if until is not None:
            bulk = Backlog(
                receipt.start,
                until,
                plain=lambda raw: customers.backlog_accounts(raw, plan),
                stateful=lambda raw: customers.backlog_users(raw, plan),
            )
        specs = [
            QuerySpec(
                f"customers {receipt.generation}",
                (plan.users_topic, plan.accounts_topic),
                json.dumps(self.receipt.start),
                lambda raw: customers.rows(raw, plan),
                self._checkpoints / "customers",
                bulk,
            ),
        ]
        client = {"bootstrap.servers": self._settings.kafka.bootstrap}
        interval = self._settings.pipeline.checkpoint_interval
        self.queries = [SupervisedQuery(spark, spec, client, interval) for spec in specs]
        for query in self.queries:
            query.start()

    def stop(self) -> None:
        """Stop the queries."""
        for query in self.queries:
            query.stop()

    def _plan(self) -> Plan:
        chosen = self._settings.customers
        return Plan(
            users_topic=self.receipt.sources["users"],
            accounts_topic=self.receipt.sources["accounts"],
            join=self.receipt.join,
            encoding=chosen.encoding,
            event_list=chosen.event_list,
            as_of_depth=chosen.as_of_depth,
            max_value_bytes=self._settings.pipeline.max_value_bytes,
            out=self.topics,
        )
