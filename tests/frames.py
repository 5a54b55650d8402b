"""Records as Spark's Kafka source brings them, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame, SparkSession


def frame(
    spark: SparkSession, records: Sequence[tuple[str, bytes | None]], begin: int = 0
) -> DataFrame:
    """Return records of topics in their order, one millisecond apart from an epoch time on."""
    rows = [(v, t, 0, i) for i, (t, v) in enumerate(records)]
    data = spark.createDataFrame(rows, "value binary, topic string, partition int, offset long")
    return data.coalesce(1).selectExpr("*", f"timestamp_millis({begin} + offset) as timestamp")
