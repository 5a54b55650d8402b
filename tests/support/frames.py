"""Records as Spark's Kafka source brings them, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame, SparkSession


def frame(
    spark: SparkSession,
    records: Sequence[tuple[str, bytes | None]],
    begin: int = 0,
    keys: Sequence[bytes | None] | None = None,
) -> DataFrame:
    """Return records of topics in their order, one millisecond apart from an epoch time on."""
    rows = [(keys[i] if keys else None, v, t, 0, i) for i, (t, v) in enumerate(records)]
    columns = "key binary, value binary, topic string, partition int, offset long"
    data = spark.createDataFrame(rows, columns)
    return data.coalesce(1).selectExpr("*", f"timestamp_millis({begin} + offset) as timestamp")
