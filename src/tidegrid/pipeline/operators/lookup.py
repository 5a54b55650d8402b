"""`lookup`: columns of a static table, broadcast to every record of a source.

A missing or broken table is said and is no reason to stop: its columns then stay empty. It is read
once, when a query starts, so that a file which goes away later does not matter. Of several rows of
a value the newest counts, if they say in `updated_at` when they were made.
"""

from __future__ import annotations

from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tidegrid import logs
from tidegrid.contract.declaration.types import Lookup
from tidegrid.errors import first_line

_log = logs.get("pipeline")

_MADE = "updated_at"


def load(spark: SparkSession, lookup: Lookup) -> tuple[DataFrame, str]:
    """Return a table with one row for each value of `on`, and what is wrong with it, if anything.

    Its columns are `on` and a struct of the others.
    """
    path, names = lookup.parquet, [lookup.on, *lookup.columns]
    try:
        if "://" not in path:
            # Spark would say the same in many lines.
            Path(path).stat()
        found = spark.read.parquet(path)
        missing = [name for name in names if name not in found.columns]
        if missing:
            there = ", ".join(found.columns)
            return _empty(spark, lookup, f"{path} has no column {missing[0]}, only {there}")
        made = F.col(_MADE) if _MADE in found.columns else F.lit(0)
        values = F.struct(*(F.col(n).cast("string").alias(n) for n in lookup.columns))
        newest = F.max_by(values, F.struct(made, values))
        rows = (
            found.where(F.col(lookup.on).isNotNull())
            .groupBy(F.col(lookup.on).cast("string").alias("on"))
            .agg(newest.alias("columns"))
            .toArrow()
        )
    except FileNotFoundError:
        return _empty(spark, lookup, f"there is nothing at {path}")
    except (PySparkException, Py4JError, OSError) as e:
        return _empty(spark, lookup, f"{path} cannot be read: {first_line(e)}")
    _log.info("lookup %s: %s rows from %s", lookup.name, f"{rows.num_rows:,}", path)
    # Of an Arrow table Spark makes a local relation: its broadcast takes no task slot, which the
    # real-time queries may all need.
    return spark.createDataFrame(rows), ""


def _empty(spark: SparkSession, lookup: Lookup, problem: str) -> tuple[DataFrame, str]:
    # Where every start would wait for it, few need it.
    import pyarrow

    columns = " and ".join(lookup.columns)
    said = f"lookup {lookup.name}: {problem}: {columns} stay empty"
    _log.warning("%s", said)
    values = pyarrow.struct([(name, pyarrow.string()) for name in lookup.columns])
    nothing = {"on": pyarrow.array([], pyarrow.string()), "columns": pyarrow.array([], values)}
    return spark.createDataFrame(pyarrow.table(nothing)), said
