"""What a swap is rehearsed with: records that a flow can use, of all its sources."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.support.compiled import compiled, shipped
from tidegrid.pipeline.rehearsal import made_up

NESTED: dict[str, Any] = {
    "sources": {
        "orders": {
            "topic": "o",
            "key": ["id"],
            "time": ["at"],
            "encoding": "base64",
            "fields": {
                "id": "scalar",
                "state": {"type": "string", "one_of": ["NEW", "PAID"]},
                "amount": {"type": "double", "from": "payload.amount"},
                "parts": {"type": "json", "from": "payload.parts"},
                "gift": "boolean",
                "count": "long",
                "trace": {"type": "string", "from": "$headers.trace"},
                "at": "time",
            },
        }
    },
    "views": {"now": {"latest": "orders"}},
}


@pytest.mark.parametrize("name", ["customers", "positions", "nested"])
def test_made_up_records_are_used(spark: SparkSession, name: str) -> None:
    flow = compiled(spark, NESTED if name == "nested" else shipped(name))
    rows = flow.backlog(made_up(spark, flow.flow))
    assert rows.pop("rejects") == []
    assert all(rows.values())
