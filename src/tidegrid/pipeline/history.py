"""History: what is known of each symbol beforehand, its sector and its exchange.

A missing or broken history is said and is no reason to stop: both columns then stay empty. It is
read once, when a query starts, so that a file which goes away later does not matter.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tidegrid import logs
from tidegrid.errors import first_line

_log = logs.get("pipeline")

_COLUMNS = ("symbol", "sector", "exchange")
_NONE = pyarrow.table({name: pyarrow.array([], pyarrow.string()) for name in _COLUMNS})
#: Of several rows of a symbol the newest counts, if they say when they were made.
_MADE = "updated_at"


def load(spark: SparkSession, path: str) -> tuple[DataFrame, str]:
    """Return the history, one row for each symbol, and what is wrong with it, if anything is."""
    try:
        if "://" not in path:
            # Spark would say the same in many lines.
            Path(path).stat()
        found = spark.read.parquet(path)
        missing = [c for c in _COLUMNS if c not in found.columns]
        if missing:
            there = ", ".join(found.columns)
            return _empty(spark, f"history {path} has no column {missing[0]}, only {there}")
        made = F.col(_MADE) if _MADE in found.columns else F.lit(0)
        texts = (F.col(c).cast("string").alias(c) for c in _COLUMNS)
        rows = (
            found.select(*texts, made.alias(_MADE))
            .where("symbol is not null")
            .groupBy("symbol")
            .agg(F.expr(f"max_by(struct(sector, exchange), struct({_MADE}, sector))").alias("s"))
            .select("symbol", "s.sector", "s.exchange")
            .toArrow()
        )
    except FileNotFoundError:
        return _empty(spark, f"no history of symbols at {path}")
    except (PySparkException, Py4JError, OSError) as e:
        return _empty(spark, f"history {path} cannot be read: {first_line(e)}")
    _log.info("history of %s symbols from %s", f"{rows.num_rows:,}", path)
    # Of an Arrow table Spark makes a local relation: its broadcast takes no task slot, which the
    # real-time queries may all need.
    return spark.createDataFrame(rows), ""


def _empty(spark: SparkSession, problem: str) -> tuple[DataFrame, str]:
    _log.warning("%s; sector and exchange stay empty", problem)
    return spark.createDataFrame(_NONE), f"{problem}: sector and exchange stay empty"
