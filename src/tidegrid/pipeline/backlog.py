"""The backlog: what a query finds in its sources when it starts, read in bulk.

A real-time query merges record by record, into a state store, which is right for what happens now
and slow for what happened before. So a long backlog is read by an ordinary batch first, from the
checkpoint if there is one, and the real-time query goes on from the state that it leaves. Rows that
cannot be made from that state, if there are any, are made by a second job. The last records of each
partition are left to the real-time query: event lists are made of those.

A crash loses nothing: what is being read is written down before, and finished or begun again.
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

#: Fewer records than this take the real-time query no longer than starting the jobs would: of one
#: that begins, and of one that goes on, which viewers wait for.
WORTH_IT, WORTH_IT_AGAIN = 50_000, 10_000


@dataclass(frozen=True)
class Bulk:
    """What is made of records that are read in bulk."""

    #: How many of the last records of each partition are left to the real-time query.
    keep: int
    #: Rows made with the state of the real-time query, which this fills, of records from an offset
    #: on; None if nothing was read before.
    rows: Callable[[DataFrame, Offsets | None], DataFrame]
    #: The name of a metric in those rows, not 0 if some are missing, and what makes them.
    missing: str = ""
    rest: Callable[[DataFrame], DataFrame] | None = None


@dataclass(frozen=True)
class Backlog:
    """A part of the sources."""

    start: Offsets
    until: Offsets

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
    bulk: Bulk,
    start: Offsets,
    end: Offsets,
    reader: Mapping[str, str],
    writer: Mapping[str, str],
    checkpoint: Path,
) -> None:
    """Read in bulk what there is from a start to near an end; the checkpoint stands there then.

    The start is what the checkpoint has committed, if it has anything.
    """
    committed = spark_internals.committed_offsets(checkpoint)
    before = begun(checkpoint)
    if before is not None:
        if committed == before.until:
            _read_rest(spark, bulk, before, reader, writer)
        else:
            spark_internals.forget_planned(checkpoint)
        _note(checkpoint).unlink()
    found = until(start, end, bulk.keep, WORTH_IT_AGAIN if committed else WORTH_IT)
    if found is None:
        return
    backlog = Backlog(start, found)
    began = time.monotonic()
    what = "that came since the last commit" if committed else "of the sources"
    _log.info("reading %s records %s in bulk", f"{backlog.records:,}", what)
    checkpoint.mkdir(parents=True, exist_ok=True)
    _note(checkpoint).write_text(json.dumps([backlog.start, backlog.until]))
    # A batch that is planned and not committed is what a query does first: so it ends where we say.
    spark_internals.plan_next_batch(spark, checkpoint, backlog.until)
    raw = spark.readStream.format("kafka").options(**_source(backlog, reader)).load()
    query = (
        bulk.rows(raw, backlog.start if committed else None)
        .writeStream.format("kafka")
        .options(**writer)
        .option("checkpointLocation", str(checkpoint))
        .outputMode("update")
        .trigger(once=True)
        .start()
    )
    query.awaitTermination()
    if _missing(query, bulk.missing):
        _log.info("read after %.1f s; once more for what is rare", time.monotonic() - began)
        _read_rest(spark, bulk, backlog, reader, writer)
    _note(checkpoint).unlink()
    seconds = time.monotonic() - began
    _log.info("read in %.1f s, %s records/s", seconds, f"{backlog.records / seconds:,.0f}")


def _read_rest(
    spark: SparkSession,
    bulk: Bulk,
    backlog: Backlog,
    reader: Mapping[str, str],
    writer: Mapping[str, str],
) -> None:
    """Write what could not be made of the state."""
    if bulk.rest is None:
        return
    source = {**_source(backlog, reader), "endingOffsets": json.dumps(backlog.until)}
    raw = spark.read.format("kafka").options(**source).load()
    bulk.rest(raw).write.format("kafka").options(**writer).save()


def _source(backlog: Backlog, reader: Mapping[str, str]) -> dict[str, str]:
    return {
        **reader,
        "subscribe": ",".join(backlog.start),
        "startingOffsets": json.dumps(backlog.start),
    }


def begun(checkpoint: Path) -> Backlog | None:
    """Return what is being read, or was when the one before ended; None if all is written."""
    try:
        return Backlog(*json.loads(_note(checkpoint).read_text()))
    except (FileNotFoundError, ValueError):
        # Half a note is of one that ended before it planned anything.
        return None


def _note(checkpoint: Path) -> Path:
    """Return the file that says what is being read, for as long as not all of it is written."""
    return checkpoint / "backlog"


def _missing(query: StreamingQuery, metric: str) -> bool:
    """Whether a query that has ended left rows out; if it does not say, then it may have."""
    if not metric:
        return False
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
