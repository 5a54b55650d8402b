"""Position records: their times, what is wrong with them, and the rows that come of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.frames import frame
from tidegrid.pipeline import history, positions, times
from tidegrid.pipeline.positions import Plan

#: 2026-01-02T03:04:05Z in seconds.
AT = 1_767_323_045
NANOS = 10**9

#: Times as they come, and the epoch nanoseconds they mean; None if they are none.
TIMES: list[tuple[str, int | None]] = [
    ("2026-01-02T03:04:05Z", AT * NANOS),
    ("2026-01-02T03:04:05", AT * NANOS),
    ("2026-01-02 03:04:05", AT * NANOS),
    ("2026-01-02T04:04:05+01:00", AT * NANOS),
    ("2026-01-01T22:34:05-04:30", AT * NANOS),
    ("2026-01-02T03:04:05.5Z", AT * NANOS + 500_000_000),
    ("2026-01-02T03:04:05.123456Z", AT * NANOS + 123_456_000),
    ("2026-01-02T03:04:05.123456789Z", AT * NANOS + 123_456_789),
    ("2026-01-02T03:04:05.1234567+00:00", AT * NANOS + 123_456_700),
    ("2026-01-02", 1_767_312_000 * NANOS),
    (f"{AT}", AT * NANOS),
    (f"{AT}.25", AT * NANOS + 250_000_000),
    (f"{AT}123", AT * NANOS + 123_000_000),
    (f"{AT}123.5", AT * NANOS + 123_500_000),
    (f"{AT}123456", AT * NANOS + 123_456_000),
    (f"{AT}123456789", AT * NANOS + 123_456_789),
    ("1.767323045e9", AT * NANOS),
    ("0", 0),
    ("-1", -NANOS),
    ("", None),
    (" ", None),
    ("yesterday", None),
    ("now", None),
    ("03:04:05", None),
    ("2026-13-45T00:00:00Z", None),
    ("2026-01-02T25:00:00Z", None),
    ("99999999999", None),
    ("9223372036854775807", 9223372036854775807),
    ("9223372036854775808", None),
    ("-9223372036854775808", -9223372036854775808),
    ("9" * 60, None),
    ("1e400", None),
    ("NaN", None),
    ("9999-12-31T23:59:59Z", None),
    ("+294247-01-10T04:00:54Z", None),
]

#: What a topic of positions may bring, and the start of the reason, or None if it is fine.
RECORDS: list[tuple[bytes | None, str | None]] = [
    (b'{"event_ts":1,"symbol":"A","price":1.5,"qty":2,"op":"I"}', None),
    (b'{"event_ts":"1970-01-01T00:00:01Z","symbol":"A","price":1,"qty":2}', None),
    (b'{"symbol":"A"}', None),
    (b'{"symbol":"A","op":"D","event_ts":1}', None),
    (b'{"symbol":"A","op":null,"price":null,"extra":{"a":[1]}}', None),
    (b'{"symbol":"A","op":"u"}', None),
    (b'{"symbol":"A","positionId":17,"cusip":"037833100","tradingDate":20260102}', None),
    (b'{"symbol":"A","event_ts":null,"event_time":"2026-01-02T03:04:05"}', None),
    (b'{"symbol":"A","positionId":"true"}', None),
    (b'{"symbol":"A","op":"X"}', "op: expected I, U or D, got X"),
    (b'{"symbol":"A","op":""}', "op: expected I, U or D"),
    (b'{"symbol":"A","op":5}', "op: expected a text, got a number"),
    (b'{"symbol":"A","event_ts":"soon"}', "event_ts: not a time"),
    (b'{"symbol":"A","event_ts":""}', "event_ts: not a time"),
    (b'{"symbol":"A","event_ts":true}', "event_ts: expected a text or a number, got a boolean"),
    (b'{"symbol":"A","event_ts":[1]}', "event_ts: expected a text or a number, got an array"),
    (b'{"symbol":"A","event_ts":{"a":1}}', "event_ts: expected a text or a number, got an object"),
    (b'{"symbol":"A","event_ts":1,"event_time":"x"}', "event_time: not a time"),
    (b'{"symbol":"A","event_ts":"2300-01-01T00:00:00Z"}', "event_ts: not a time"),
    (b'{"symbol":"A","event_ts":"2100-01-01T00:00:00Z"}', "event_ts: more than a day"),
    (b'{"symbol":"A","positionId":true}', "positionId: expected a text or a number"),
    (b'{"symbol":"A","price":"1.5"}', "price: expected a number, got a text"),
    (b'{"symbol":"A","price":NaN}', "not JSON"),
    (b'{"symbol":"A","price":1e400}', "price: not a finite number"),
    (b'{"symbol":"A","qty":"many"}', "qty: expected a number"),
    (b'{"symbol":""}', "symbol: missing or empty"),
    (b'{"symbol":"  "}', "symbol: missing or empty"),
    (b'{"symbol":null}', "symbol: missing or empty"),
    (b'{"price":1}', "symbol: missing or empty"),
    (b'{"symbol":7}', "symbol: expected a text, got a number"),
    (b'{"symbol":"A"', "not JSON"),
    (b'{"symbol":"A\xff"}', "not valid UTF-8"),
    (None, "no value: a tombstone"),
    (b"", "empty value"),
    (b'[{"symbol":"A"}]', "not a JSON object but an array"),
    (b"42", "not a JSON object but a number"),
]
OUT = {name: name for name in ("positions", "buckets", "rejects")}


def plan(born: int = 0, keys: tuple[str, ...] = ("symbol",)) -> Plan:
    return Plan("p", "json", keys, 100, 65536, window=900, born=born, out=OUT)


def written(
    spark: SparkSession, records: list[dict[str, Any]], made: Plan, bulk: bool = True
) -> dict[str, list[dict[str, Any]]]:
    raw = frame(spark, [("p", json.dumps(r).encode()) for r in records])
    symbols = spark.createDataFrame(
        [("A", "Tech", "X1")], "symbol string, sector string, exchange string"
    )
    make = positions.backlog if bulk else positions.rows
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in OUT}
    for row in make(raw, symbols, made).collect():
        found[row["topic"]].append(json.loads(row["value"]))
    return found


def test_times_are_told_apart_by_their_form_and_size(spark: SparkSession) -> None:
    data = spark.createDataFrame([(t,) for t, _ in TIMES], "t string")
    found = [row[0] for row in data.selectExpr(times.nanos("t")).collect()]
    pairs = zip(TIMES, found, strict=True)
    assert [(text, got) for (text, wanted), got in pairs if wanted != got] == []


def test_each_record_is_used_or_rejected_with_its_reason(spark: SparkSession) -> None:
    symbols = spark.createDataFrame([], "symbol string, sector string, exchange string")
    raw = frame(spark, [("p", value) for value, _ in RECORDS])
    # As of today, so that only what is ahead of it is in the future.
    born = int(datetime(2026, 11, 1, tzinfo=UTC).timestamp() * 1000)
    events = positions._events(raw, symbols, plan(born))
    found = {r["tie"]: r["reason"] for r in events.select("tie", "reason").collect()}
    wrong = [
        (value and value[:70], "wanted", wanted, "got", found[i])
        for i, (value, wanted) in enumerate(RECORDS)
        if (wanted is None) != (found[i] is None)
        or (wanted is not None and not found[i].startswith(wanted))
    ]
    assert wrong == []


def test_the_newest_by_event_time_then_offset_counts(spark: SparkSession) -> None:
    records = [
        {"symbol": "A", "price": 1, "event_ts": 100},
        {"symbol": "A", "price": 3, "event_ts": 300},
        {"symbol": "A", "price": 2, "event_ts": 200},
        {"symbol": "A", "price": 4, "event_ts": 300},
        {"symbol": "B", "price": 9, "event_ts": 100, "op": "I"},
        {"symbol": "B", "event_ts": 150, "op": "D"},
    ]
    rows = {r["symbol"]: r for r in written(spark, records, plan())["positions"]}
    assert (rows["A"]["price"], rows["A"]["offset"]) == (4, 3)
    assert (rows["A"]["sector"], rows["A"]["exchange"]) == ("Tech", "X1")
    assert rows["B"]["op"] == "D"
    assert "sector" not in rows["B"]


def test_the_key_can_be_other_columns(spark: SparkSession) -> None:
    records = [
        {"symbol": "A", "cusip": c, "tradingDate": d, "price": n, "event_ts": 5}
        for n, (c, d) in enumerate([("1", "23"), ("12", "3"), ("1", "23")])
    ]
    rows = written(spark, records, plan(keys=("cusip", "tradingDate")))["positions"]
    assert sorted((r["cusip"], r["tradingDate"], r["price"]) for r in rows) == [
        ("1", "23", 2),
        ("12", "3", 1),
    ]
    rejects = written(spark, [{"symbol": "A", "cusip": "1"}], plan(keys=("cusip", "tradingDate")))
    assert [r["reason"] for r in rejects["rejects"]] == ["tradingDate: missing or empty"]


def test_trades_are_summed_in_buckets_of_five_seconds(spark: SparkSession) -> None:
    records: list[dict[str, Any]] = [
        {"symbol": "A", "price": 10, "qty": 2, "event_ts": AT + 2},
        {"symbol": "A", "price": 12, "qty": -1, "event_ts": AT},
        {"symbol": "A", "price": 11, "qty": 3, "event_ts": AT + 4},
        {"symbol": "A", "price": 20, "qty": 1, "event_ts": AT + 5},
        {"symbol": "A", "price": 1, "qty": 1, "event_ts": AT, "_source_system": "S"},
        {"symbol": "A", "event_ts": AT, "op": "D"},
        {"symbol": "A", "price": 5, "event_ts": AT},
        {"symbol": "A", "price": 5, "qty": 1, "event_ts": AT - 1000},
        {"symbol": "A", "price": 5, "qty": 1, "event_ts": AT + 3600},
    ]
    # AT ends with 5, so a bucket begins there.
    rows = written(spark, records, plan(born=AT * 1000))["buckets"]
    names = ("trades", "px_sum", "qty_sum", "notional", "first", "last")
    found = sorted(
        (r["bucket"] // 1000 - AT, r.get("sourceSystem", ""), *(r[n] for n in names)) for r in rows
    )
    assert found == [
        (0, "", 3, 33, 4, 41, 12, 11),
        (0, "S", 1, 1, 1, 1, 1, 1),
        (5, "", 1, 20, 1, 20, 20, 20),
    ]


def test_a_late_event_changes_only_the_list_of_events(spark: SparkSession) -> None:
    rows = written(spark, [{"symbol": "A", "event_ts": 5}], plan(), bulk=False)["positions"]
    assert [r["shows"] for r in rows] == ["le"]


@pytest.mark.parametrize("what", ["missing", "broken", "columns"])
def test_a_history_that_is_no_good_is_said_and_empty(
    spark: SparkSession, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "symbols"
    if what == "broken":
        path.mkdir()
        (path / "part.parquet").write_bytes(b"this is not Parquet")
    elif what == "columns":
        spark.createDataFrame([("A",)], "symbol string").write.parquet(str(path))
    found, problem = history.load(spark, str(path))
    assert found.collect() == []
    assert str(path) in problem
    assert "stay empty" in problem


def test_the_newest_row_of_a_symbol_counts(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "symbols")
    rows = [("A", "New", "X", 2), ("A", "Old", "X", 1), ("B", None, "Y", 1)]
    made = spark.createDataFrame(
        rows, "symbol string, sector string, exchange string, updated_at int"
    )
    made.write.parquet(path)
    found, problem = history.load(spark, path)
    assert not problem
    assert {r["symbol"]: r["sector"] for r in found.collect()} == {"A": "New", "B": None}
