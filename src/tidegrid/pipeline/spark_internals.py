"""Spark's internals: all that Tidegrid knows of Spark beyond what its API promises.

Written for Spark 4.3.0 with the Kafka connector 4.2.0. Look at everything here when either changes:
the files of a checkpoint, the texts of errors, and the classes that are reached through the JVM.
"""

from __future__ import annotations

import json
import re
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.listener import StateOperatorProgress

from tidegrid.contract.receipts import Offsets
from tidegrid.errors import PipelineError

#: A class of the Kafka connector, to see that its jars are there.
_CONNECTOR = "org.apache.spark.sql.kafka010.KafkaSourceProvider"


def committed_batches(checkpoint: Path) -> int:
    """Return how many batches a checkpoint has committed; the files of old ones are gone."""
    commits = checkpoint / "commits"
    found = commits.iterdir() if commits.is_dir() else ()
    return max((1 + int(p.name) for p in found if p.name.isdigit()), default=0)


def committed_at(checkpoint: Path) -> float:
    """Return when a checkpoint last committed a batch, in epoch seconds; 0 if it never did."""
    try:
        return (checkpoint / "commits" / str(committed_batches(checkpoint) - 1)).stat().st_mtime
    except OSError:
        return 0.0


def committed_offsets(checkpoint: Path) -> Offsets | None:
    """Return the offsets that a query of one source goes on from; None if there are none."""
    last = committed_batches(checkpoint) - 1
    try:
        # A version, the settings of the batch, and a line for each source.
        found = json.loads((checkpoint / "offsets" / str(last)).read_text().splitlines()[2])
    except (OSError, IndexError, ValueError):
        # Whatever is wrong with it, Spark says so.
        return None
    return found if isinstance(found, dict) else None


def clear_uncommitted(checkpoint: Path) -> None:
    """Remove a checkpoint that never committed: it holds nothing, and Spark refuses it."""
    if checkpoint.exists() and committed_batches(checkpoint) == 0:
        shutil.rmtree(checkpoint)


def plan_next_batch(spark: SparkSession, checkpoint: Path, end: Offsets) -> None:
    """Write the next entry of a query's offset log, as Spark does before a batch that ends there.

    Of a checkpoint that has no batch yet the query's name as well.
    """
    log, last = checkpoint / "offsets", committed_batches(checkpoint) - 1
    now = int(time.time() * 1000)
    if last >= 0:
        version, header, *_ = (log / str(last)).read_text().splitlines()
        settings = json.loads(header)
        after = json.loads((checkpoint / "commits" / str(last)).read_text().splitlines()[1])
        settings["batchWatermarkMs"] = after["nextBatchWatermarkMs"]
        settings["batchTimestampMs"] = now
    else:
        assert spark._jvm is not None
        logs = spark._jvm.org.apache.spark.sql.execution.streaming.checkpointing
        conf = spark._jsparkSession.conf()
        version, settings = "v1", json.loads(logs.OffsetSeqMetadata.apply(0, now, conf).json())
        # Left out there, because a query sets it only when it starts.
        partitions = "spark.sql.shuffle.partitions"
        settings["conf"][partitions] = spark.conf.get(partitions)
        (checkpoint / "metadata").write_text(json.dumps({"id": str(uuid.uuid4())}))
    log.mkdir(parents=True, exist_ok=True)
    planned = f"{version}\n{json.dumps(settings)}\n{json.dumps(end)}"
    (log / str(last + 1)).write_text(planned)
    # The checksum of one that was planned before and not committed.
    (log / f".{last + 1}.crc").unlink(missing_ok=True)


def forget_planned(checkpoint: Path) -> None:
    """Remove the entry of the offset log for a batch that is not committed."""
    name = str(committed_batches(checkpoint))
    for entry in (name, f".{name}.crc"):
        (checkpoint / "offsets" / entry).unlink(missing_ok=True)


class RecordsGoneError(Exception):
    """Records that a query has still to read are not there any more."""


def lost_records(error: Exception) -> str:
    """Return which records an error says are gone; empty if it is about something else."""
    text = str(error)
    if isinstance(error, RecordsGoneError):
        return text
    place = re.search(r"OffsetOutOfRange.*?offset=(\d+).*? for partition (\S+)-(\d+)", text)
    if place is not None:
        return f"{place[2]}[{place[3]}] from offset {place[1]} on"
    # Of a backlog, which is read as a batch.
    return "some of the backlog" if "data may have been lost" in text else ""


def state_bytes(operators: Iterable[StateOperatorProgress]) -> dict[str, int]:
    """Return how large the state of some operators is: in RocksDB's files, and in its memory."""
    found = {"files": 0, "memory": 0}
    for operator in operators:
        found["files"] += operator.customMetrics.get("rocksdbSstFileSize", 0)
        found["memory"] += operator.memoryUsedBytes
    return found


def groups_of(spark: SparkSession, pattern: str) -> int:
    """Return how many groups a regular expression has; Py4JError if it is none."""
    jvm: Any = spark._jvm
    return int(jvm.java.util.regex.Pattern.compile(pattern).matcher("").groupCount())


def parse_expression(spark: SparkSession, text: str) -> Any:
    """Return the tree that Spark's own parser makes of an expression, nothing resolved in it."""
    session: Any = spark._jsparkSession
    return session.sessionState().sqlParser().parseExpression(text)


def resolved_nodes(frame: DataFrame) -> Iterator[str]:
    """Yield the kind of each node of a query's expressions, as Spark resolved them."""
    plan: Any = frame._jdf.queryExecution().analyzed()
    left = [plan.expressions()]
    while left:
        found = left.pop().iterator()
        while found.hasNext():
            node = found.next()
            yield str(node.getClass().getSimpleName())
            left.append(node.children())


def total_slots(spark: SparkSession) -> int:
    """Return the task slots of the executors that are there now.

    It is what Spark itself counts before it starts a real-time query; `defaultParallelism` is at
    least 2, and can be set to anything.
    """
    context = _context(spark)
    try:
        profile = context.resourceProfileManager().defaultResourceProfile()
        return int(context.maxNumConcurrentTasks(profile))
    except (Py4JError, OSError) as e:
        raise _gone("does not answer") from e


def executors(spark: SparkSession) -> set[str]:
    """Return the addresses of the executors that are there now; a new one has another."""
    try:
        found = _context(spark).statusTracker().getExecutorInfos()
        return {f"{one.host()}:{one.port()}" for one in found}
    except (Py4JError, OSError) as e:
        raise _gone("does not answer") from e


def require_alive(spark: SparkSession) -> None:
    """Fail if Spark is gone: nothing in this process can bring it back."""
    process = getattr(spark.sparkContext._gateway, "proc", None)
    code = process.poll() if process is not None else None
    if code is not None:
        raise _gone(f"ended with code {code}")
    try:
        stopped = _context(spark).isStopped()
    except (Py4JError, OSError) as e:
        raise _gone("does not answer") from e
    if stopped:
        raise _gone("stopped: its cluster gave it up")


def require_connector(spark: SparkSession) -> None:
    """Fail if Spark cannot talk to Kafka."""
    jvm: Any = spark._jvm
    try:
        jvm.org.apache.spark.util.Utils.classForName(_CONNECTOR, False, False)
    except Py4JError as e:
        raise PipelineError(
            "Spark has no Kafka connector: give spark-submit the jars, as docs/spark.md says"
        ) from e


def class_path(spark: SparkSession) -> str:
    """Return the class path of Spark's JVM, with all its jars by name."""
    jvm: Any = spark._jvm
    return str(jvm.java.lang.System.getProperty("java.class.path"))


def _context(spark: SparkSession) -> Any:
    jsc: Any = spark.sparkContext._jsc
    return jsc.sc()


def _gone(how: str) -> PipelineError:
    return PipelineError(
        f"Spark's JVM {how}; start the pipeline again, it goes on from its checkpoints "
        "(tidegrid up does so by itself)"
    )
