"""Declarations and records off the beaten track: each ended a query, or made a wrong row, once."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from tests.support.compiled import compiled
from tests.support.frames import frame
from tests.support.reader import shown
from tidegrid.contract.declaration import DeclarationError

CLICKS: dict[str, Any] = {
    "topic": "t",
    "key": ["id"],
    "fields": {"id": "string", "site": "string", "n": "double"},
}
COUNTED = {"buckets": "clicks", "by": ["site"], "every": "5s", "keep": "15m", "count": "clicks"}


def flow_of(views: dict[str, Any], **source: Any) -> dict[str, Any]:
    return {"sources": {"clicks": {**CLICKS, **source}}, "views": views}


def bytes_of(*records: dict[str, Any]) -> list[tuple[str, bytes | None]]:
    return [("t", json.dumps(record).encode()) for record in records]


def kept(found: DataFrame) -> list[str]:
    """Return what the aggregation of a query keeps, after Spark has left out what is not used."""
    todo, names = [found._jdf.queryExecution().optimizedPlan()], []
    while todo:
        node = todo.pop()
        if node.getClass().getSimpleName() == "Aggregate":
            each = node.aggregateExpressions()
            names = [str(each.apply(n).name()) for n in range(each.length())]
        children = node.children()
        todo += [children.apply(n) for n in range(children.length())]
    return names


@pytest.mark.parametrize(
    "views",
    [
        {"recent": {"events": "clicks"}},
        {"by_site": COUNTED},
        {"recent": {"events": "clicks"}, "by_site": COUNTED},
        {"now": {"latest": "clicks"}, "by_site": COUNTED},
    ],
    ids=lambda views: "-".join(views),
)
def test_a_bulk_read_leaves_the_state_that_the_real_time_query_goes_on_from(
    spark: SparkSession, views: dict[str, Any]
) -> None:
    flow = compiled(spark, flow_of(views))
    raw = frame(spark, bytes_of({"id": "1", "site": "a"}))
    state = kept(flow.query.rows(raw))
    assert "record" in state
    assert kept(flow.query.backlog(raw)) == state
    # Without a `latest`, no state is kept for each key.
    assert any(name.startswith("newest") for name in state) == ("now" in views)


def test_an_empty_text_and_no_text_are_counted_apart(spark: SparkSession) -> None:
    flow = compiled(spark, flow_of({"by_site": COUNTED}))
    raw = frame(spark, bytes_of({"id": "1"}, {"id": "2", "site": ""}, {"id": "3", "site": ""}))
    rows = flow.rows(raw)["by_site"]
    assert sorted((r.get("site") is None, r["clicks"]) for r in rows) == [(False, 2), (True, 1)]


@pytest.mark.parametrize("number", ["1e-999999999", "-1E-400", "1e-99999", "0." + "0" * 400])
def test_a_number_too_long_to_write_out_is_no_time(spark: SparkSession, number: str) -> None:
    fields = {"id": "string", "at": "time"}
    flow = compiled(spark, flow_of({"now": {"latest": "clicks"}}, fields=fields, time=["at"]))
    raw = frame(spark, [("t", b'{"id":"1","at":"%s"}' % number.encode())])
    assert [r["reason"] for r in flow.rows(raw)["rejects"]] == ["at: not a time"]


@pytest.mark.parametrize("value", ['"NaN"', '"Infinity"', '"1e999"', "1e999"])
def test_a_lenient_number_is_finite(spark: SparkSession, value: str) -> None:
    fields = {"id": "string", "n": {"type": "double", "lenient": True}}
    flow = compiled(spark, flow_of({"now": {"latest": "clicks"}}, fields=fields))
    raw = frame(spark, [("t", b'{"id":"1","n":%s}' % value.encode())])
    assert len(flow.rows(raw)["rejects"]) == 1


def test_a_lenient_boolean_is_no_number(spark: SparkSession) -> None:
    fields = {"id": "string", "on": {"type": "boolean", "lenient": True}}
    flow = compiled(spark, flow_of({"now": {"latest": "clicks"}}, fields=fields))
    values = ["true", '"false"', "1"]
    records = [b'{"id":"%d","on":%s}' % (n, v.encode()) for n, v in enumerate(values)]
    raw = frame(spark, [("t", record) for record in records])
    rows = flow.rows(raw)
    assert sorted(r["on"] for r in rows["tested"]) == [False, True]
    assert len(rows["rejects"]) == 1


def test_a_tombstone_names_its_key_as_records_do(spark: SparkSession) -> None:
    fields = {"id": {"type": "string", "upper": True}}
    flow = compiled(spark, flow_of({"now": {"latest": "clicks"}}, fields=fields, kafka_key="id"))
    records = [*bytes_of({"id": "abc"}, {"id": "b"}), ("t", None)]
    rows = flow.backlog(frame(spark, records, keys=[b"abc", b"b", b"abc"]))["tested"]
    assert [r["id"] for r in shown(flow.layout, "now", rows)] == ["B"]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("regexp_extract(site, '[0-9]+')", "the pattern '[0-9]+' has no group 1"),
        ("regexp_extract(site, '([0-9]+)', 2)", "has no group 2"),
        ("regexp_replace(site, 'a', '$1')", "has no group 1"),
        ("regexp_extract(site, id, 0)", "argument 2 of regexp_extract has to be written out"),
        ("site rlike id", "the pattern has to be written out"),
        ("site like id", "the pattern has to be written out"),
        ("split_part(site, '-', 0)", "split_part counts from 1"),
        ("split_part(site, '-', cast(n as int))", "has to be written out"),
        ("cast(site as decimal(10, 2))", "may not cast to a decimal"),
        ("timestamp_seconds(n)", "calls timestamp_seconds"),
        ("replace(site, 'a', id)", "argument 3 of replace has to be written out"),
        ("replace(replace(site, 'a', 'aaaaaaaaaa'), 'a', '" + "a" * 99 + "')", "1,100 times as"),
        ("regexp_replace(site, '(?=(.*))', '$1')", "has no groups to replace by"),
        ("regexp_extract(site, '((a+)+)b')", "can take for ever"),
        ("site rlike '(a|b)*c'", "can take for ever"),
        ("regexp_like(site, '(a+)+b')", "can take for ever"),
        ("format_number(n, 1000000000)", "format_number makes at most 99 digits"),
        ("round(n, -1000000000)", "round makes at most 99 digits"),
        ("replace(replace(site, 'a', '&amp;'), '-', ' - ')", ""),
        ("concat_ws(', ', site, id) || format_number(n, 2)", ""),
        ("regexp_extract(site, '[0-9]+', 0)", ""),
        ("regexp_replace(site, '(a)', '$1$1')", ""),
        ("split_part(site, '-', -1)", ""),
        ("site like '%a%' or site rlike '^b'", ""),
    ],
)
def test_an_expression_throws_at_no_record(spark: SparkSession, expression: str, said: str) -> None:
    document = flow_of({"now": {"latest": "clicks"}}, columns={"made": expression})
    if said:
        with pytest.raises(DeclarationError) as refused:
            compiled(spark, document)
        assert said in str(refused.value)
        return
    raw = frame(spark, bytes_of({"id": "1", "site": "a7-b"}))
    assert compiled(spark, document).rows(raw)["rejects"] == []


@pytest.mark.parametrize(
    ("doubled", "said"),
    [("concat({0}, {0})", "may make a text 1,024 times"), ("{0} + {0}", "is too long, with")],
)
def test_columns_of_columns_do_not_grow_without_end(
    spark: SparkSession, doubled: str, said: str
) -> None:
    names = ["n", *(f"c{n}" for n in range(20))]
    columns = {b: doubled.format(a) for a, b in pairwise(names)}
    with pytest.raises(DeclarationError, match=said):
        compiled(spark, flow_of({"now": {"latest": "clicks"}}, columns=columns))


def test_a_text_that_grows_is_cut_to_what_a_row_takes(spark: SparkSession) -> None:
    columns = {"made": f"replace(site, 'a', '{'x' * 900}')", "plain": "trim(site)"}
    flow = compiled(spark, flow_of({"now": {"latest": "clicks"}}, columns=columns))
    site = "a" * 60_000
    [row] = flow.rows(frame(spark, bytes_of({"id": "1", "site": site})))["tested"]
    assert row["plain"] == site
    assert set(row["made"]) == {"x"}
    assert len(row["made"]) == 2**20 // 12


def test_what_is_declared_in_an_odd_way_still_runs(spark: SparkSession) -> None:
    country = {"parquet": "nowhere", "on": "code", "columns": ["region"]}
    kind = {"id": "string", "kind": {"type": "string", "from": "$type"}, "sent": "time"}
    derived = {"code": "upper(id)", "shipped": "sent"}
    document = {
        "sources": {
            "clicks": {**CLICKS, "topic": "t", "fields": kind, "columns": derived},
            "views_": {**CLICKS, "topic": "u", "columns": {"code": "lower(id)"}},
            "bare": {
                "topic": "b",
                "key": ["id"],
                "fields": {"id": {"type": "string", "from": "$key"}},
            },
        },
        "lookups": {"countries": country},
        "views": {
            # One lookup of two sources, by a derived column.
            "now": {"latest": "clicks", "lookup": "countries"},
            "views_now": {"latest": "views_", "lookup": "countries"},
            "bare_now": {"latest": "bare"},
            # A derived time in a condition and in a measure.
            "by_kind": {
                "buckets": "clicks",
                "by": ["kind"],
                "every": "5s",
                "keep": "15m",
                "where": "hour(shipped) = 1",
                "max": {"hours": "hour(shipped)"},
            },
        },
    }
    flow = compiled(spark, document)
    records = [
        ("t", b'{"id":"a","$type":"x","sent":"2026-01-01T01:00:00Z"}'),
        ("u", b'{"id":"B","site":"s"}'),
        ("b", b"{}"),
    ]
    rows = flow.rows(frame(spark, records, keys=[None, None, b"k"]))
    assert rows["rejects"] == []
    [click] = shown(flow.layout, "now", rows["clicks"])
    assert (click["kind"], click["code"], click["region"]) == ("x", "A", None)
    assert [r["code"] for r in shown(flow.layout, "views_now", rows["views_"])] == ["b"]
    assert [r["id"] for r in shown(flow.layout, "bare_now", rows["bare"])] == ["k"]
    assert [r["hours"] for r in rows["by_kind"]] == [1]


@pytest.mark.parametrize(
    ("order", "rate"),
    [
        (["rate", "payment", "late delete"], None),
        (["rate", "late delete", "payment"], None),
        (["payment", "rate", "late delete"], None),
        (["rate", "payment"], 2.0),
    ],
)
def test_an_event_shows_nothing_of_a_parent_that_was_deleted_by_then(
    spark: SparkSession, order: list[str], rate: float | None
) -> None:
    document = {
        "sources": {
            "rates": {
                "topic": "r",
                "key": ["currency"],
                "time": ["since"],
                "delete": "rate = 0",
                "fields": {"currency": "string", "since": "time", "rate": "double"},
            },
            "payments": {
                "topic": "p",
                "key": ["currency", "id"],
                "time": ["at"],
                "fields": {"currency": "string", "id": "string", "at": "time"},
            },
        },
        "views": {"paid": {"as_of": ["rates", "payments"]}},
    }
    known = {
        "rate": ("r", b'{"currency":"c","since":1767225610,"rate":2}'),
        "payment": ("p", b'{"currency":"c","id":"1","at":1767225620}'),
        "late delete": ("r", b'{"currency":"c","since":1767225615,"rate":0}'),
    }
    flow = compiled(spark, document)
    rows = []
    for n in range(1, len(order) + 1):
        # What each record wrote when it was the last.
        rows += flow.rows(frame(spark, [known[name] for name in order[:n]]))["tested"]
    [row] = shown(flow.layout, "paid", rows)
    assert (row["rate"], row["since"] is None) == (rate, rate is None)


@pytest.mark.parametrize(
    "expression",
    [
        "to_date(day) < at",
        "cast(day AS date) < at",
        "day::date < at",
        "date_add(at, int(n)) < at",
        "date_trunc('year', timestamp_micros(bigint(n))) < at",
        "last_day(date_add(to_date(day), int(n))) = at or trunc(to_date(day), 'year') < at",
        "date_trunc('week', try_to_timestamp(day)) < at",
    ],
)
def test_a_date_that_spark_cannot_work_with_is_nothing(
    spark: SparkSession, expression: str
) -> None:
    """Compared with a time it throws, and a query that has thrown does so at every start."""
    fields = {"id": "string", "day": "string", "at": "time", "n": "double"}
    document = flow_of({"now": {"latest": "clicks"}}, fields=fields, columns={"late": expression})
    odd = ("999999-12-31", "-99999-01-01", "+294247-01-10T04:00:54Z", "-290308-12-21T19:59:06Z")
    records = [
        {"id": f"{day} {n}", "day": day, "at": "2026-01-01T00:00:00Z", "n": n}
        for day in ("2025-12-31", *odd)
        for n in (1, 2_000_000_000, -2_000_000_000, 9.3e18, -9.3e18)
    ]
    rows = compiled(spark, document).rows(frame(spark, bytes_of(*records)))["tested"]
    assert len(rows) == len(records)
    assert "late" in next(row for row in rows if row["id"] == "2025-12-31 1")


@pytest.mark.parametrize("expression", ["(at - at) * n", "(at - at) / n", "INTERVAL '1' DAY * n"])
def test_a_stretch_of_time_is_not_multiplied(spark: SparkSession, expression: str) -> None:
    columns = {"late": f"at + {expression} > at"}
    fields = {"id": "string", "at": "time", "n": "double"}
    document = flow_of({"now": {"latest": "clicks"}}, fields=fields, columns=columns)
    with pytest.raises(DeclarationError, match="multiplies or divides a stretch of time"):
        compiled(spark, document)


@pytest.mark.parametrize("value", [b'{"id": "1"}', None], ids=["record", "tombstone"])
def test_a_kafka_key_that_is_too_large_is_a_reject(
    spark: SparkSession, value: bytes | None
) -> None:
    """In a row it would be larger than what Kafka takes, and the query end at every start."""
    fields = {"id": "string", "whole": {"type": "string", "from": "$key"}}
    document = flow_of({"now": {"latest": "clicks"}}, fields=fields, kafka_key="id")
    raw = frame(spark, [("t", value), ("t", value)], keys=[b"\x01" * 700_000, b"1"])
    flow = compiled(spark, document)
    found = flow.rows(raw)
    assert [row["reason"] for row in found["rejects"]] == [
        f"Kafka key too large: 700000 bytes, at most {flow.plan.max_value_bytes}"
    ]
    assert [row["id"] for row in found["tested"]] == ["1"]
