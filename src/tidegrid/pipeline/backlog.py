"""The backlog: what a generation finds in its sources when it starts, read in bulk.

A real-time query merges record by record, into a state store, which is right for what happens now
and slow for what happened before. So a long backlog is read by an ordinary batch first, and the
real-time query goes on from the state that it leaves. Rows that cannot be made from that state, if
there are any, are made by a second job. The last records of each partition are left to the
real-time query: event lists are made of those.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery

from tidegrid import logs
from tidegrid.contract.receipts import Offsets
from tidegrid.pipeline import spark_internals

_log = logs.get("pipeline")

#: Fewer records than this take the real-time query no longer than starting the jobs would.
WORTH_IT = 50_000


@dataclass(frozen=True)
class Backlog:
    """A part of the sources, and what is to be made of it."""

    start: Offsets
    until: Offsets
    #: Rows made with the state of the real-time query, which this fills.
    rows: Callable[[DataFrame], DataFrame]
    #: The name of a metric in those rows, not 0 if some are missing, and what makes them.
    missing: str = ""
    rest: Callable[[DataFrame], DataFrame] | None = None

    @property
    def records(self) -> int:
        """How many offsets it spans."""
        return _span(self.start, self.until)


def until(start: Offsets, end: Offsets, keep: int, worth_it: int = WORTH_IT) -> Offsets | None:
    """Return how far to read in bulk, `keep` before the end, or None if it is not worth it."""
    found = {
        topic: {
            partition: max(start[topic][partition], offset - keep)
            for partition, offset in partitions.items()
        }
        for topic, partitions in end.items()
    }
    return found if _span(start, found) >= worth_it else None


def read(
    spark: SparkSession,
    backlog: Backlog,
    reader: Mapping[str, str],
    writer: Mapping[str, str],
    checkpoint: Path,
) -> None:
    """Read a backlog in bulk; afterwards the checkpoint stands at its end."""
    began = time.monotonic()
    _log.info("reading %s records of the sources in bulk", f"{backlog.records:,}")
    # A batch that is planned and not committed is what a query does first: so it ends where we say.
    spark_internals.plan_first_batch(spark, checkpoint, backlog.until)
    source = {
        **reader,
        "subscribe": ",".join(backlog.start),
        "startingOffsets": json.dumps(backlog.start),
    }
    query = (
        backlog.rows(spark.readStream.format("kafka").options(**source).load())
        .writeStream.format("kafka")
        .options(**writer)
        .option("checkpointLocation", str(checkpoint))
        .outputMode("update")
        .trigger(once=True)
        .start()
    )
    query.awaitTermination()
    if backlog.rest is not None and _missing(query, backlog.missing):
        _log.info("read after %.1f s; once more for what is rare", time.monotonic() - began)
        source["endingOffsets"] = json.dumps(backlog.until)
        raw = spark.read.format("kafka").options(**source).load()
        backlog.rest(raw).write.format("kafka").options(**writer).save()
    _done(checkpoint).touch()
    seconds = time.monotonic() - began
    _log.info("read in %.1f s, %s records/s", seconds, f"{backlog.records / seconds:,.0f}")


def is_read(checkpoint: Path) -> bool:
    """Whether a backlog was read to its end into a checkpoint."""
    return _done(checkpoint).exists()


def _done(checkpoint: Path) -> Path:
    return checkpoint / "backlog-read"


def _missing(query: StreamingQuery, metric: str) -> bool:
    """Whether a query that has ended left rows out; if it does not say, then it may have."""
    counts = [
        p.observedMetrics[metric] for p in query.recentProgress if metric in p.observedMetrics
    ]
    return not counts or any(value for row in counts for value in row)


def _span(start: Offsets, end: Offsets) -> int:
    return sum(
        offset - start[topic][partition]
        for topic, partitions in end.items()
        for partition, offset in partitions.items()
    )
