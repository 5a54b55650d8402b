"""Position records: their times, what is wrong with them, and the rows that come of them."""

from __future__ import annotations

import base64
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.support.compiled import Compiled, compiled, shipped
from tests.support.frames import frame
from tests.support.records import AT, POSITIONS, TIMES
from tidegrid.contract.declaration.types import Lookup
from tidegrid.pipeline import times as times_sql
from tidegrid.pipeline.operators import lookup


@pytest.fixture(scope="module")
def symbols(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write what is known of one symbol, and return where."""
    path = str(tmp_path_factory.mktemp("known") / "symbols")
    columns = "symbol string, sector string, exchange string"
    spark.createDataFrame([("A", "Tech", "X1")], columns).write.parquet(path)
    return path


def made(
    spark: SparkSession,
    symbols: str = "/nowhere",
    born: int = 0,
    keys: str = "symbol",
    encoding: str = "json",
) -> Compiled:
    document = shipped(
        "positions",
        TIDEGRID_POSITIONS_TOPIC="p",
        TIDEGRID_POSITIONS_KEYS=keys,
        TIDEGRID_POSITIONS_ENCODING=encoding,
        TIDEGRID_POSITIONS_EVENT_LIST="100",
        TIDEGRID_POSITIONS_HISTORY=symbols,
    )
    return compiled(spark, document, "positions", born)


def test_a_flat_record_is_parsed_once_whatever_it_leaves_out(spark: SparkSession) -> None:
    whole = {
        "event_ts": AT,
        "event_time": AT,
        "symbol": "A",
        "price": 1.5,
        "qty": 2,
        "op": "I",
        "_source_system": "S",
        "allotment": "D",
        "instrumentCode": 7,
        "positionId": "P",
        "pnl": -1,
        "mtm": 2e3,
        "isin": "I",
        "cusip": "C",
        "tradingDate": "2026-01-02",
    }
    others = [{k: v for k, v in whole.items() if k != name} for name in whole if name != "symbol"]
    texts = [json.dumps(record) for record in (whole, *others, {"symbol": "A"})]
    texts.append(json.dumps(whole, separators=(",", ":")))
    raw = frame(spark, [("p", text.encode()) for text in texts])
    quick = made(spark, born=time.time_ns() // 1_000_000).quick(raw)
    assert [text for text, is_quick in zip(texts, quick, strict=True) if not is_quick] == []


def written(
    spark: SparkSession,
    records: list[dict[str, Any]],
    flow: Compiled,
    bulk: bool = True,
    begin: int = 0,
) -> dict[str, list[dict[str, Any]]]:
    raw = frame(spark, [("p", json.dumps(r).encode()) for r in records], begin)
    return flow.backlog(raw) if bulk else flow.rows(raw)


def test_times_are_told_apart_by_their_form_and_size(spark: SparkSession) -> None:
    data = spark.createDataFrame([(t,) for t, _ in TIMES], "t string")
    found = [row[0] for row in data.selectExpr(times_sql.nanos("t")).collect()]
    pairs = zip(TIMES, found, strict=True)
    assert [(text, got) for (text, wanted), got in pairs if wanted != got] == []


def test_each_record_is_used_or_rejected_with_its_reason(spark: SparkSession) -> None:
    raw = frame(spark, [("p", value) for value, _ in POSITIONS])
    # As of today, so that only what is ahead of it is in the future.
    born = int(datetime(2026, 11, 1, tzinfo=UTC).timestamp() * 1000)
    found = {r["id"]: r["reason"] for r in made(spark, born=born).checked(raw)}
    wrong = [
        (value and value[:70], "wanted", wanted, "got", found[i])
        for i, (value, wanted) in enumerate(POSITIONS)
        if (wanted is None) != (found[i] is None)
        or (wanted is not None and not found[i].startswith(wanted))
    ]
    assert wrong == []


def test_a_base64_source_takes_base64_of_the_json_and_nothing_else(spark: SparkSession) -> None:
    values = [b'{"symbol":"A","price":2.5,"event_ts":5}', b"junk"]
    coded = [base64.b64encode(value) for value in values]
    raw = frame(spark, [("p", value) for value in (*coded, values[0])])
    rows = made(spark, encoding="base64").checked(raw)
    fields = rows[0]["of_positions"]
    assert (fields["symbol"], fields["price"], rows[0]["reason"]) == ("A", 2.5, None)
    assert rows[1]["reason"].startswith("not JSON")
    assert rows[2]["reason"] == "not base64"


def test_the_newest_by_event_time_then_offset_counts(spark: SparkSession, symbols: str) -> None:
    records = [
        {"symbol": "A", "price": 1, "event_ts": 100},
        {"symbol": "A", "price": 3, "event_ts": 300},
        {"symbol": "A", "price": 2, "event_ts": 200},
        {"symbol": "A", "price": 4, "event_ts": 300},
        {"symbol": "B", "price": 9, "event_ts": 100, "op": "I"},
        {"symbol": "B", "event_ts": 150, "op": "D"},
    ]
    rows = {r["symbol"]: r for r in written(spark, records, made(spark, symbols))["positions"]}
    assert (rows["A"]["price"], rows["A"]["offset"]) == (4, 3)
    assert (rows["A"]["sector"], rows["A"]["exchange"]) == ("Tech", "X1")
    assert rows["B"]["op"] == "D"
    assert "sector" not in rows["B"]


def test_the_key_can_be_other_columns(spark: SparkSession) -> None:
    records = [
        {"symbol": "A", "cusip": c, "tradingDate": d, "price": n, "event_ts": 5}
        for n, (c, d) in enumerate([("1", "23"), ("12", "3"), ("1", "23")])
    ]
    rows = written(spark, records, made(spark, keys="cusip, tradingDate"))["positions"]
    assert sorted((r["cusip"], r["tradingDate"], r["price"]) for r in rows) == [
        ("1", "23", 2),
        ("12", "3", 1),
    ]
    rejects = written(
        spark, [{"symbol": "A", "cusip": "1"}], made(spark, keys="cusip, tradingDate")
    )
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
    rows = written(spark, records, made(spark, born=AT * 1000))["gold_buckets"]
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
    events = [{"symbol": "A", "event_ts": at} for at in (5, 3)]
    flow = made(spark)
    both = {"gold_latest", "gold_stream_raw"}
    for count, shows in ((1, both), (2, {"gold_stream_raw"})):
        rows = written(spark, events[:count], flow, bulk=False)["positions"]
        assert [flow.shown(r) for r in rows] == [shows]


def test_a_source_system_that_is_not_named_is_one_system(spark: SparkSession) -> None:
    trade = {"symbol": "A", "price": 1, "qty": 1, "event_ts": AT}
    systems = (None, "", "  ", "S", " S ")
    records = [{**trade, "_source_system": system} for system in systems]
    rows = written(spark, records, made(spark, born=AT * 1000))["gold_buckets"]
    found = sorted((r.get("sourceSystem", ""), r["trades"]) for r in rows)
    assert found == [("", 3), ("S", 2)]


@pytest.mark.parametrize(("ahead", "buckets"), [(0, 1), (100, 1), (3000, 0)])
def test_a_producer_whose_clock_is_fast_moves_no_watermark(
    spark: SparkSession, ahead: int, buckets: int
) -> None:
    now = int(time.time() * 1000)
    at = now + 1000 * ahead
    trade = {"symbol": "A", "price": 1, "qty": 1, "event_ts": at}
    rows = written(spark, [trade], made(spark, born=now - 60_000), begin=at)
    assert len(rows["gold_buckets"]) == buckets
    assert [r["symbol"] for r in rows["positions"]] == ["A"]


@pytest.mark.parametrize(
    ("ahead", "times", "reason"),
    [
        (2 * 86400, {"event_ts": 2 * 86400}, "event_ts: more than a day in the future"),
        (2 * 86400, {}, "timestamp: more than a day in the future"),
        (0, {"event_ts": 0, "event_time": 2 * 86400}, "event_time: more than a day in the future"),
        # A record's own time in micros where millis belong.
        (10**12, {}, "timestamp: more than a day in the future"),
        (10**12, {"event_ts": 0}, None),
    ],
)
def test_the_future_begins_a_day_after_our_clock(
    spark: SparkSession, ahead: int, times: dict[str, int], reason: str | None
) -> None:
    now = int(time.time())
    record = {"symbol": "A", **{name: now + more for name, more in times.items()}}
    rows = written(spark, [record], made(spark), begin=1000 * (now + ahead))
    assert [r["reason"] for r in rows["rejects"]] == ([reason] if reason else [])
    longest = (2**63 - 1) // 10**6
    assert all(r["ts"] <= longest for found in rows.values() for r in found)


def known(path: str) -> Lookup:
    return Lookup("symbols", path, "symbol", ("sector", "exchange"))


@pytest.mark.parametrize("what", ["missing", "broken", "columns", "below a file"])
def test_a_history_that_is_no_good_is_said_and_empty(
    spark: SparkSession, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "symbols"
    if what == "broken":
        path.mkdir()
        (path / "part.parquet").write_bytes(b"this is not Parquet")
    elif what == "below a file":
        path.write_text("", "utf-8")
        path = path / "symbols"
    elif what == "columns":
        spark.createDataFrame([("A",)], "symbol string").write.parquet(str(path))
    found, problem = lookup.load(spark, known(str(path)))
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
    for place in (path, f"file://{path}"):
        found, problem = lookup.load(spark, known(place))
        assert not problem
        assert {r["on"]: r["columns"]["sector"] for r in found.collect()} == {"A": "New", "B": None}
