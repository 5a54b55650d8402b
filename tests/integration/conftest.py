"""A small Spark in this process, for tests of whole frames at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from tests.support.stack import QUICK


@pytest.fixture(scope="package")
def spark() -> Iterator[SparkSession]:
    """Start a small Spark in this process, for whole frames at once."""
    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.driver.extraJavaOptions", QUICK["JAVA_TOOL_OPTIONS"])
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.ansi.enabled", "false")
        .config("spark.sql.caseSensitive", "true")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
