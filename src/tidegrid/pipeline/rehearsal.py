"""A rehearsal: what a swap does is done once with made-up records, soon after a start.

People swap once a day, so the swap that counts is the first one after a start, and then nothing is
warm: no class is loaded, no code generated or compiled. The rehearsal takes a backlog of the flow's
own declaration through the same steps, a part of a core for some seconds, and writes nothing.
"""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from tidegrid import logs
from tidegrid.contract.declaration.sources import HEADERS, KAFKA_KEY
from tidegrid.contract.declaration.types import Field, Flow, Source
from tidegrid.errors import first_line
from tidegrid.pipeline.backlog import Bulk

_log = logs.get("pipeline")

#: Records that differ, and how often each comes.
_DIFFERENT, _TIMES = 500, 60
#: Passes, and the seconds before the first and between two: what is being shown goes on meanwhile.
_PASSES, _AFTER, _PAUSE = 4, 5.0, 1.0
#: Every so many records the value has an object and an escape, as what `json.dumps` writes.
_ODD = 2


class Rehearsals:
    """Rehearses each flow once, one after the other, while nothing is being built."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._known: set[str] = set()
        self._thread = ThreadPoolExecutor(1, "rehearsal")
        self._closing = threading.Event()
        #: Whether something is being built: it makes Spark warm itself, and is not to be held up.
        self.busy = False

    def add(self, flow: Flow, bulk: Bulk) -> None:
        """Rehearse a flow, some seconds from now, if that was not done."""
        if flow.name not in self._known:
            self._known.add(flow.name)
            self._thread.submit(self._attempt, flow, bulk)

    def close(self) -> None:
        """Begin no other pass."""
        self._closing.set()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _attempt(self, flow: Flow, bulk: Bulk) -> None:
        with logs.about(flow=flow.name):
            try:
                self._rehearse(flow, bulk)
            except Exception as e:
                if not self._closing.is_set():
                    _log.warning("%s: a swap could not be rehearsed: %s", flow.name, first_line(e))

    def _rehearse(self, flow: Flow, bulk: Bulk) -> None:
        pause = _AFTER
        for _ in range(_PASSES):
            if self._closing.wait(pause) or self.busy:
                return
            pause = _PAUSE
            raw = made_up(self._spark, flow)
            bulk.rows(raw, None).write.format("noop").mode("append").save()
        _log.info("%s: a swap is rehearsed: the first one finds Spark warm", flow.name)


def made_up(spark: SparkSession, flow: Flow) -> DataFrame:
    """Return records as Kafka brings them, of all sources of a flow."""
    rows = list(_records(flow))
    columns = "key string, value string, topic string, partition int, offset long"
    data = spark.createDataFrame(rows, columns).coalesce(1)
    # One task: the other cores are for what is being shown.
    times = f"explode(sequence(1, {_TIMES}))"
    return data.selectExpr("*", f"{times} AS n").selectExpr(
        "cast(key AS binary) AS key",
        "cast(value AS binary) AS value",
        "topic",
        "partition",
        f"offset * {_TIMES} + n AS offset",
        f"timestamp_millis({int(time.time() * 1000)}) AS timestamp",
        "0 AS timestampType",
        "cast(null AS array<struct<key: string, value: binary>>) AS headers",
    )


def _records(flow: Flow) -> Iterator[tuple[str, str, str, int, int]]:
    sources = list(flow.sources.values())
    for number in range(_DIFFERENT):
        source = sources[number % len(sources)]
        value = json.dumps(_value(source, number))
        if source.encoding == "base64":
            value = base64.b64encode(value.encode()).decode()
        yield f"k{number}", value, source.topic, number % 2, number


def _value(source: Source, number: int) -> dict[str, Any]:
    """Return a record that has all the fields of a source."""
    found: dict[str, Any] = {}
    for field in source.fields.values():
        if field.path[0] in (KAFKA_KEY, HEADERS):
            continue
        place = found
        for name in field.path[:-1]:
            inner = place.setdefault(name, {})
            place = inner if isinstance(inner, dict) else {}
        place.setdefault(field.path[-1], _example(field, number))
    if number % _ODD == 0:
        found["tg_more"] = {"text": 'a "quoted" line\n'}
    return found


def _example(field: Field, number: int) -> Any:
    if field.one_of:
        return field.one_of[number % len(field.one_of)]
    match field.type:
        case "long":
            return number
        case "double":
            return number * 1.5
        case "boolean":
            return number % 3 == 0
        case "time":
            return int(time.time() * 1000) - number
        case "json":
            return {"n": number}
        case _:
            # Few of them, so that parents have children.
            return f"made up {number % 97}"
