"""A small Spark in this process, for tests of whole frames at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from tests.support.stack import QUICK
from tidegrid.pipeline.session import QUERIES


@pytest.fixture(scope="package")
def spark() -> Iterator[SparkSession]:
    """Start a small Spark in this process, for whole frames at once."""
    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.driver.extraJavaOptions", QUICK["JAVA_TOOL_OPTIONS"])
        .config(map={**QUERIES, "spark.sql.shuffle.partitions": "1"})
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
