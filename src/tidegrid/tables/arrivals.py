"""Arrivals: an update cycle begins when rows have come from Kafka, not only when the clock says so.

Deephaven looks at what has come once per cycle, by its clock: a row waits for half a cycle on
average. Here the threads that read from Kafka say that something came, and one thread asks for a
cycle at once, if the last one is long enough ago; else for one a moment later, for all that came
until then. While nothing comes nothing is asked for, and the clock goes on as before.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

import jpy
from deephaven.jcompat import j_lambda, j_properties
from deephaven.stream.kafka import consumer
from deephaven.table import Table
from deephaven.update_graph import UpdateGraph

from tidegrid.errors import KafkaError

_TOOLS = "io.deephaven.kafka.KafkaTools"
_KafkaTools = jpy.get_type(_TOOLS)
_Offsets = jpy.get_type(f"{_TOOLS}$InitialOffsetLookup")
_Registrar = jpy.get_type(f"{_TOOLS}$PerPartitionConsumerRegistrar")
_Registrars = jpy.get_type(f"{_TOOLS}$StreamConsumerRegistrarProvider")
_LoopCallback = jpy.get_type(f"{_TOOLS}$ConsumerLoopCallback")
_BlinkTable = jpy.get_type("io.deephaven.stream.StreamToBlinkTableAdapter")
_PeriodicGraph = jpy.get_type("io.deephaven.engine.updategraph.impl.PeriodicUpdateGraph")
_EventHandler = jpy.get_type("java.beans.EventHandler")
_Semaphore = jpy.get_type("java.util.concurrent.Semaphore")

#: The shortest time between two cycles that are asked for, as a share of the clock's cycle. Rows
#: come every few milliseconds: a cycle for each would take all of a core.
_REST = 0.4
#: Kafka's own columns are not needed: a row says where it came from.
_NO_KAFKA_COLUMNS = {
    f"deephaven.{name}.column.name": "" for name in ("partition", "offset", "timestamp")
}


class Arrivals:
    """Topics read as blink tables whose rows are shown as soon as they come."""

    def __init__(self, graph: UpdateGraph, client: Mapping[str, str]) -> None:
        self._client = {**client, **_NO_KAFKA_COLUMNS}
        #: The graph whose cycles begin with them.
        self.graph = graph
        self._graph = graph.j_update_graph
        self._rest = _REST * _PeriodicGraph.getDefaultTargetCycleDurationMillis() / 1000
        self._came = _Semaphore(0)
        # Called in the thread of a reader, after what it has read was put into its table. All of
        # it is Java, so that no reader waits for Python.
        self._callback = _EventHandler.create(
            _LoopCallback.jclass, self._came, "release", None, "afterPoll"
        )

    def start(self) -> None:
        """Start the thread that asks for cycles."""
        threading.Thread(target=self._run, name="tidegrid-arrivals", daemon=True).start()

    def blink(self, topic: str, value: consumer.KeyValueSpec) -> Table:
        """Read the values of a topic of one partition from its beginning as a blink table.

        It is what `consume` makes, and lives as long: `consume` takes no callback.
        """
        made: list[Table] = []

        def register(definition: jpy.JType, _partition: jpy.JType, publisher: jpy.JType) -> None:
            rows = _BlinkTable(definition, publisher, self._graph, f"Kafka-{topic}")
            made.append(Table(rows.table()))

        _KafkaTools.consume(
            j_properties(self._client),
            topic,
            _KafkaTools.ALL_PARTITIONS,
            _Offsets.adapt(_KafkaTools.ALL_PARTITIONS_SEEK_TO_BEGINNING),
            consumer.KeyValueSpec.IGNORE.j_object,
            value.j_object,
            _Registrars.perPartition(j_lambda(register, _Registrar)),
            self._callback,
        )
        if not made:
            # One of several brokers may not have heard of a new topic. Nothing would ever come.
            raise KafkaError(f"the broker that was asked does not know topic {topic} yet")
        (table,) = made
        return table

    def _run(self) -> None:
        clock = self._graph.clock()
        while True:
            self._came.acquire()
            self._came.drainPermits()
            self._graph.requestRefresh()
            time.sleep(self._rest)
            # A cycle that takes so long is not followed by another at once.
            while clock.currentState().toString() == "Updating":
                time.sleep(self._rest)
