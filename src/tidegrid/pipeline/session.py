"""The Spark session: sized for real-time queries, whose tasks hold their slots while they run.

Spark runs on this machine, or on a cluster: `pipeline.master`, or what spark-submit was
given. What the settings do not name is left to spark-submit and `spark-defaults.conf`.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import threading
from pathlib import Path

import pyspark
from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tidegrid.contract.slots import LOCAL_SLOTS
from tidegrid.errors import PipelineError, first_line
from tidegrid.machine import jars
from tidegrid.machine.classes import Archive
from tidegrid.machine.java import java_home
from tidegrid.pipeline import spark_internals
from tidegrid.pipeline.slots import Engine, Slots
from tidegrid.settings import Settings

_LOG4J = Path(__file__).with_name("log4j2.properties")
# The code Spark generates for a whole query is larger than what HotSpot compiles by default.
_JAVA_OPTIONS = "-XX:-DontCompileHugeMethods -XX:+UseParallelGC"
_OPTIONS = "spark.driver.extraJavaOptions"
_SPARK = Path(pyspark.__file__).parent
_one_at_a_time = threading.Lock()
#: For the JVM that puts together the command of Spark's, and ends.
_FOR_A_MOMENT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

_NOT_TO_SHOW = "(?i)secret|password|token|access[.]?key|jaas"
_ROCKS_DB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

#: How Spark runs queries, wherever it is.
QUERIES = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.codegen.wholeStage": "false",
    # Declared expressions make nothing of what they cannot compute, and names are what they are.
    "spark.sql.ansi.enabled": "false",
    "spark.sql.caseSensitive": "true",
    # Nothing in a query stands for a variable of this process.
    "spark.sql.variable.substitute": "false",
    "spark.shuffle.streaming.networkBufferMaxWaitTimeMs": "2",
    "spark.sql.streaming.stopTimeout": "10s",
    # It would parse a record once for each field that is used.
    "spark.sql.optimizer.enableJsonExpressionOptimization": "false",
    # What real-time queries use anyway; the bulk jobs must leave them the same state.
    "spark.sql.streaming.stateStore.providerClass": _ROCKS_DB,
    "spark.sql.streaming.stateStore.checkpointFormatVersion": "2",
    # Each query would leave its threads for checksums behind.
    "spark.sql.streaming.checkpoint.fileChecksum.enabled": "false",
    # This is also when the state of queries that are over is let go.
    "spark.sql.streaming.stateStore.maintenanceInterval": "10s",
    # Kept for a page that is not served: plans and jobs of queries that are over.
    "spark.sql.ui.retainedExecutions": "10",
    "spark.ui.retainedJobs": "10",
    "spark.ui.retainedStages": "10",
    "spark.ui.retainedTasks": "100",
    "spark.sql.streaming.ui.retainedQueries": "1",
    "spark.sql.streaming.ui.retainedProgressUpdates": "1",
    # Counting the keys costs a look-up for each write.
    "spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows": "false",
    # A sort costs more than the memory of one entry per key.
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "200000",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Kafka's login is among the options of a query, which plans and logs would show.
    "spark.sql.redaction.options.regex": _NOT_TO_SHOW,
    "spark.redaction.regex": _NOT_TO_SHOW,
}
#: Without its native library, Hadoop starts a process (chmod, readlink) for each file that it makes
#: or renames here: some eighty for a commit, which were two fifths of its pause.
_LOCAL_FILES = {
    "spark.hadoop.fs.file.impl": "com.globalmentor.apache.hadoop.fs.BareLocalFileSystem",
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
    ),
}
#: Real-time queries are refused with these, which a cluster may have as its defaults.
_NEVER = {"spark.dynamicAllocation.enabled": "false", "spark.speculation": "false"}


def launch(settings: Settings) -> None:
    """Begin to start Spark's JVM, in the background: `start` waits for it.

    What goes wrong here goes wrong there again, and is said there.
    """

    def attempt() -> None:
        with contextlib.suppress(Exception):
            _launch(settings)

    if not _by_spark_submit():
        threading.Thread(target=attempt, daemon=True).start()


def start(settings: Settings, slots: int) -> Engine:
    """Start Spark, with these slots if it runs here, or say why it cannot be started."""
    master = settings.pipeline.master
    try:
        if _by_spark_submit():
            SparkContext._ensure_initialized()
            given = dict(SparkConf().getAll())
            master = master or given.get("spark.master", "")
        else:
            given = {}
            _launch(settings)
        builder = SparkSession.builder.appName("tidegrid")
        for name, value in options(settings, slots, given).items():
            builder = builder.config(name, value)
        if not given and not is_local(master):
            builder = builder.config("spark.jars", ",".join(_jars(settings)))
        spark = builder.getOrCreate()
    except (PySparkException, Py4JError, OSError) as e:
        raise PipelineError(
            f"Spark at {master or 'this machine'} could not be started: {first_line(e)}; see that "
            "its master runs and can be reached from here, and what Spark said before this line"
        ) from e
    spark_internals.require_connector(spark)
    if not given:
        _archive(settings).make_later(spark_internals.class_path(spark))
    return Engine(
        spark,
        Slots(lambda: spark_internals.total_slots(spark), lambda: spark_internals.executors(spark)),
    )


def _launch(settings: Settings) -> None:
    """Start Spark's JVM, if there is none yet."""
    with _one_at_a_time:
        if SparkContext._gateway is None:
            _launch_alone(settings)


def _launch_alone(settings: Settings) -> None:
    os.environ["JAVA_HOME"] = java_home()
    # Else one of Spark's scripts starts a Python to find it.
    os.environ.setdefault("SPARK_HOME", str(_SPARK))
    os.environ.setdefault("SPARK_LAUNCHER_OPTS", _FOR_A_MOMENT)
    if on_loopback(settings.pipeline.master) and not settings.pipeline.driver_host:
        # Nothing here talks to other machines, and a name that does not resolve must not stop it.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    driver = _driver(settings)
    driver[_OPTIONS] += f" {shlex.join(_archive(settings).arguments())}"
    # Of `spark.jars` each would be copied, and loaded by a loader of its own.
    driver["spark.driver.extraClassPath"] = os.pathsep.join(_jars(settings))
    SparkContext._ensure_initialized(conf=SparkConf().setAll(list(driver.items())))


def _jars(settings: Settings) -> list[str]:
    return [str(jar.resolve()) for jar in jars.spark_jars(settings.home)]


def _archive(settings: Settings) -> Archive:
    own = (Path(os.environ["SPARK_HOME"]) / "jars").glob("*.jar")
    files = [*map(Path, _jars(settings)), *own]
    return Archive(settings.home, "pipeline", files, settings.pipeline.heap_mb)


def _driver(settings: Settings) -> dict[str, str]:
    """Return what shapes the JVM of a driver."""
    return {
        "spark.driver.memory": f"{settings.pipeline.heap_mb}m",
        _OPTIONS: (
            f"-Dlog4j2.configurationFile=file:{_LOG4J} -Dtidegrid.logs={settings.logs.format} "
            f"{_java_options(settings)} -Xms1g"
        ),
    }


def _java_options(settings: Settings) -> str:
    return " ".join([_JAVA_OPTIONS, *settings.connection.jvm()])


def options(settings: Settings, slots: int, given: dict[str, str]) -> dict[str, str]:
    """Return the configuration of Spark, all but its jars.

    `given` is what spark-submit was told, if it started this process: its driver runs already, so
    what shapes that one is left out.
    """
    pipeline = settings.pipeline
    master = pipeline.master or given.get("spark.master", "")
    found = {
        "spark.master": master or f"local[{max(slots, LOCAL_SLOTS)}]",
        "spark.sql.shuffle.partitions": str(pipeline.shuffle_partitions),
        **QUERIES,
        **_NEVER,
    }
    if not given:
        found |= _driver(settings)
        # On a cluster the class is not there when an executor starts.
        found |= _LOCAL_FILES if is_local(master) else {}
    if pipeline.driver_host:
        found["spark.driver.host"] = pipeline.driver_host
    elif on_loopback(master):
        for name in ("spark.driver.host", "spark.driver.bindAddress"):
            found[name] = given.get(name, "127.0.0.1")
    if not is_local(master):
        if not pipeline.checkpoints:
            raise PipelineError(
                f"Spark is at {master}, and pipeline.checkpoints is not set: name a folder that is "
                "mounted at the same path here and on every machine of the cluster"
            )
        executors = {
            "spark.executor.memory": f"{pipeline.executor_heap_mb}m",
            "spark.executor.extraJavaOptions": _java_options(settings),
            # Executors would write each step of theirs to their logs.
            "spark.log.level": "WARN",
            "spark.executor.syncLogLevel.enabled": "true",
        }
        found |= {name: given.get(name, value) for name, value in executors.items()}
    return found


def is_local(master: str) -> bool:
    """Whether Spark runs inside its driver: no machine or process but this one.

    >>> is_local(""), is_local("local[8]"), is_local("spark://here:7077"), is_local("yarn")
    (True, True, False, False)
    """
    return not master or re.match(r"local(\[.*\])?\Z", master) is not None


def on_loopback(master: str) -> bool:
    """Whether all of Spark is on this machine.

    >>> on_loopback("local[8]"), on_loopback("spark://127.0.0.1:7077"), on_loopback("spark://a:1")
    (True, True, False)
    """
    return is_local(master) or re.match(r"spark://(127\.|localhost:)", master) is not None


def _by_spark_submit() -> bool:
    """Whether spark-submit has started this process, and Spark's JVM before it."""
    return "PYSPARK_GATEWAY_PORT" in os.environ
