"""The Spark session: sized for real-time queries, whose tasks hold their slots while they run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import SparkSession

from tidegrid import jars
from tidegrid.errors import PipelineError
from tidegrid.java import java_home
from tidegrid.settings import Settings

#: Generations that may run at once while one takes over from another.
GENERATIONS_AT_ONCE = 2
#: Slots on this machine: an idle task costs little, and topics of later swaps may have more
#: partitions.
_LOCAL_SLOTS = 64

_LOG4J = Path(__file__).with_name("log4j2.properties")
_JAVA_OPTIONS = (
    "-Dlog4j2.configurationFile=file:{log4j} -Dtidegrid.logs={format} "
    # The code Spark generates for a whole query is larger than what HotSpot compiles by default.
    "-XX:-DontCompileHugeMethods -XX:+UseParallelGC -Xms1g"
)

_NOT_TO_SHOW = "(?i)secret|password|token|access[.]?key|jaas"
_ROCKS_DB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


@dataclass(frozen=True)
class Demand:
    """How many task slots a query holds."""

    source_partitions: int
    shuffle_partitions: int

    @property
    def slots(self) -> int:
        """One for each partition it reads and each it shuffles to."""
        return self.source_partitions + self.shuffle_partitions


def slots_needed(demands: Iterable[Demand]) -> int:
    """Return the slots for the largest of a flow's generations, with room for one beside it."""
    return GENERATIONS_AT_ONCE * max((d.slots for d in demands), default=0)


def start(settings: Settings, slots: int) -> SparkSession:
    """Start Spark, or say why it cannot run with these slots."""
    os.environ["JAVA_HOME"] = java_home()
    # Nothing here talks to other machines, and a name that does not resolve must not stop it.
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    pipeline = settings.pipeline
    spark = (
        SparkSession.builder.appName("tidegrid")
        .master(pipeline.master or f"local[{max(slots, _LOCAL_SLOTS)}]")
        .config("spark.jars", ",".join(str(j) for j in jars.spark_jars(settings.home)))
        .config("spark.driver.memory", f"{pipeline.heap_mb}m")
        .config(
            "spark.driver.extraJavaOptions",
            " ".join(
                [
                    _JAVA_OPTIONS.format(log4j=_LOG4J, format=settings.logs.format),
                    *settings.connection.jvm(),
                ]
            ),
        )
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        # Kafka's login is among the options of a query, which plans and logs would show.
        .config("spark.sql.redaction.options.regex", _NOT_TO_SHOW)
        .config("spark.redaction.regex", _NOT_TO_SHOW)
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", pipeline.shuffle_partitions)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.shuffle.streaming.networkBufferMaxWaitTimeMs", "2")
        .config("spark.sql.streaming.stopTimeout", "10s")
        # It would parse a record once for each field that is used.
        .config("spark.sql.optimizer.enableJsonExpressionOptimization", "false")
        # What real-time queries use anyway; the bulk jobs must leave them the same state.
        .config("spark.sql.streaming.stateStore.providerClass", _ROCKS_DB)
        .config("spark.sql.streaming.stateStore.checkpointFormatVersion", "2")
        # Each query would leave its threads for checksums behind.
        .config("spark.sql.streaming.checkpoint.fileChecksum.enabled", "false")
        # This is also when the state of queries that are over is let go.
        .config("spark.sql.streaming.stateStore.maintenanceInterval", "10s")
        # Kept for a page that is not served: plans and jobs of queries that are over.
        .config("spark.sql.ui.retainedExecutions", "10")
        .config("spark.ui.retainedJobs", "10")
        .config("spark.ui.retainedStages", "10")
        .config("spark.ui.retainedTasks", "100")
        .config("spark.sql.streaming.ui.retainedQueries", "1")
        .config("spark.sql.streaming.ui.retainedProgressUpdates", "1")
        # Counting the keys costs a look-up for each write.
        .config("spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows", "false")
        # A sort costs more than the memory of one entry per key.
        .config("spark.sql.objectHashAggregate.sortBased.fallbackThreshold", "200000")
        .getOrCreate()
    )
    require_slots(spark.sparkContext.defaultParallelism, slots, str(spark.sparkContext.master))
    return spark


def require_alive(spark: SparkSession) -> None:
    """Fail if Spark's JVM is gone: nothing in this process can bring it back."""
    process = getattr(spark.sparkContext._gateway, "proc", None)
    code = process.poll() if process is not None else None
    if code is not None:
        raise PipelineError(
            f"Spark's JVM ended with code {code}; start the pipeline again, it goes on from its "
            "checkpoints (tidegrid up does so by itself)"
        )


def require_slots(available: int, needed: int, master: str) -> None:
    """Fail with one clear line when a cluster has too few slots."""
    if available < needed:
        raise PipelineError(
            f"Spark at {master} has {available} task slots and {needed} are needed: real-time "
            "queries hold one for each partition they read and shuffle, for two generations; "
            "give it more cores, or use topics with fewer partitions"
        )
