"""Records as Spark's Kafka source brings them, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame, SparkSession


def frame(spark: SparkSession, records: Sequence[tuple[str, bytes | None]]) -> DataFrame:
    """Return records of topics, one millisecond apart from 1970 on."""
    rows = [(v, t, 0, i) for i, (t, v) in enumerate(records)]
    data = spark.createDataFrame(rows, "value binary, topic string, partition int, offset long")
    return data.selectExpr("*", "timestamp_millis(offset) as timestamp")
