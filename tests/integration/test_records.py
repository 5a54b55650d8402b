"""Records that cannot be used become rejects that say why; the others go on."""

from __future__ import annotations

import base64
import json

from pyspark.sql import SparkSession

from tests.frames import frame
from tests.stack import Stack, eventually
from tidegrid.pipeline import customers
from tidegrid.pipeline.customer_rows import Plan

DEEP = b'{"userId":"d","x":' + b"[" * 10_000 + b"]" * 10_000 + b"}"

#: What a users topic may bring, and the start of the reason, or None if it is fine.
USERS: list[tuple[bytes | None, str | None]] = [
    (b'{"userId":"a","name":"n","email":"e","age":3}', None),
    (b' \n\t{"userId": "a", "name": "n"} \r\n', None),
    (b'{"userId":"a","extra":{"deep":[1,{"userId":5}]},"balance":"text"}', None),
    (b'{"userId":"a","name":"curly } { brace"}', None),
    (rb'{"userId":"a","name":"\u00e9scaped \"quotes\" \\ and \u0000"}', None),
    ('{"userId":"ünï-ço∂é-日本","name":"😀"}'.encode(), None),
    (b'{"userId":"a","age":null,"name":null}', None),
    (b'{"userId":"a"}', None),
    (b'{"userId":"a","name":"n"', "not JSON"),
    (b'{"userId":"a\xff\xfe"}', "not valid UTF-8"),
    (b"\xff\xfe\x00", "not valid UTF-8"),
    (None, "no value: a tombstone"),
    (b"", "empty value"),
    (b"   ", "not a JSON object"),
    (b'[{"userId":"a"}]', "not a JSON object but an array"),
    (b"42", "not a JSON object but a number"),
    (b'"text"', "not a JSON object but a text"),
    (b"null", "not a JSON object but null"),
    (b"true", "not a JSON object but a boolean"),
    (b"{}", "userId: missing or empty"),
    (b'{"userId":null}', "userId: missing or empty"),
    (b'{"userId":""}', "userId: missing or empty"),
    (b'{"userId":"   "}', "userId: missing or empty"),
    (b'{"USERID":"a"}', "userId: missing or empty"),
    (b'{"userId":42}', "userId: expected a text, got a number"),
    (b'{"userId":42,"x":"42"}', "userId: expected a text, got a number"),
    (b'{"userId":{"a":1}}', "userId: expected a text, got an object"),
    (b'{"userId":["a"]}', "userId: expected a text, got an array"),
    (b'{"userId":"a","name":5}', "name: expected a text, got a number"),
    (b'{"userId":"a","age":"forty"}', "age: expected a whole number, got a text"),
    (b'{"userId":"a","age":"40"}', "age: expected a whole number, got a text"),
    (b'{"userId":"a","age":1.5}', "age: expected a whole number"),
    (b'{"userId":"a","age":true}', "age: expected a whole number, got a boolean"),
    (b'{"userId":"a","age":99999999999999999999}', "age: expected a whole number"),
    (b'{"userId":"a"} junk', "not JSON"),
    (b'{"userId":"a"}{"userId":"b"}', "not JSON"),
    (b'{"userId":"a"},{"userId":"b"}', "not JSON: more than one value"),
    (b"{'userId':'a'}", "not JSON"),
    (b'{userId:"a"}', "not JSON"),
    (DEEP, "not JSON"),
    (b'{"userId":"' + b"a" * 1_000_000 + b'"}', "value too large: 1000013 bytes"),
    (b'{"userId":"a","age":' + b"9" * 5000 + b"}", "not JSON"),
]
ACCOUNTS: list[tuple[bytes | None, str | None]] = [
    (b'{"userId":"a","accountType":"CHK","balance":7}', None),
    (b'{"userId":"a","accountType":"CHK","balance":-1.5e3}', None),
    (b'{"userId":"a","accountType":"CHK"}', None),
    (b'{"userId":"a","accountType":"CHK","balance":null,"age":"text"}', None),
    (b'{"userId":"a","accountType":"CHK","balance":NaN}', "not JSON"),
    (b'{"userId":"a","accountType":"CHK","balance":"NaN"}', "balance: expected a number"),
    (b'{"userId":"a","accountType":"CHK","balance":"1.5"}', "balance: expected a number"),
    (b'{"userId":"a","accountType":"CHK","balance":1e400}', "balance: not a finite number"),
    (b'{"userId":"a","accountType":"CHK","balance":-1e400}', "balance: not a finite number"),
    (b'{"userId":"a","accountType":"CHK","balance":Infinity}', "not JSON"),
    (b'{"userId":"a","balance":1}', "accountType: missing or empty"),
    (b'{"userId":"a","accountType":"","balance":1}', "accountType: missing or empty"),
    (b'{"userId":"a","accountType":7,"balance":1}', "accountType: expected a text, got a number"),
    (b'{"accountType":"CHK","balance":1}', "userId: missing or empty"),
]


def plan(encoding: str = "json", join: str = "left") -> Plan:
    return Plan(
        users_topic="u",
        accounts_topic="a",
        join=join,
        encoding=encoding,
        event_list=100,
        as_of_depth=16,
        max_value_bytes=65536,
        out={"customers": "customers", "rejects": "rejects"},
    )


def test_each_record_is_used_or_rejected_with_its_reason(spark: SparkSession) -> None:
    records = [("u", v) for v, _ in USERS] + [("a", v) for v, _ in ACCOUNTS]
    reasons = [r for _, r in USERS] + [r for _, r in ACCOUNTS]
    events = customers._events(frame(spark, records), plan())
    found = {r["tie"]: r["reason"] for r in events.select("cause.*").collect()}
    wrong = [
        (value and value[:60], "wanted", wanted, "got", found[i])
        for i, ((_, value), wanted) in enumerate(zip(records, reasons, strict=True))
        if (wanted is None) != (found[i] is None)
        or (wanted is not None and not found[i].startswith(wanted))
    ]
    assert wrong == []


def test_a_base64_source_takes_base64_of_the_json_and_nothing_else(spark: SparkSession) -> None:
    good = base64.b64encode(b'{"userId":"a","name":"n"}')
    records = [("u", good), ("u", b'{"userId":"a"}'), ("u", base64.b64encode(b"junk"))]
    events = customers._events(frame(spark, records), plan("base64")).select("userId", "cause.*")
    rows = events.collect()
    assert rows[0]["userId"] == "a"
    assert rows[0]["reason"] is None
    assert rows[1]["reason"] == "not base64"
    assert rows[2]["reason"].startswith("not JSON")


def test_an_inner_join_has_no_row_for_a_user_alone(spark: SparkSession) -> None:
    record = frame(spark, [("u", b'{"userId":"a","name":"n"}')])
    left, inner = (
        [json.loads(r["value"])["shows"] for r in customers.rows(record, plan(join=j)).collect()]
        for j in ("left", "inner")
    )
    assert (left, inner) == (["ujU"], ["uU"])


def test_a_backlog_gives_each_user_account_and_reject_once(spark: SparkSession) -> None:
    records = [
        ("u", b'{"userId":"a","name":"old"}'),
        ("u", b'{"userId":"a","name":"new"}'),
        ("a", b'{"userId":"a","accountType":"QUIET","balance":1}'),
        *(("a", b'{"userId":"a","accountType":"BUSY","balance":%d}' % n) for n in range(40)),
        ("a", b'{"userId":"b","accountType":"BUSY","balance":7}'),
        ("u", b'{"userId":"c","name":"alone"}'),
        ("u", b"junk"),
        ("a", b"[1]"),
    ]
    raw = frame(spark, records)
    written = [
        (r["topic"], json.loads(r["value"])) for r in customers.backlog(raw, plan()).collect()
    ]
    shown = [
        (r["userId"], r["accountType"], r["shows"], r.get("name"), r.get("balance"))
        for topic, r in written
        if topic == "customers"
    ]
    assert sorted(shown) == [
        ("a", "", "u", "new", None),
        ("a", "BUSY", "aj", "new", 39),
        # Pushed out of the history: its balance comes from the second pass.
        ("a", "QUIET", "j", "new", None),
        ("b", "BUSY", "aj", None, 7),
        ("c", "", "uj", "alone", None),
    ]
    rejects = sorted((r["topic"], r["offset"], r["reason"]) for t, r in written if t == "rejects")
    assert rejects == [("a", 46, "not a JSON object but an array"), ("u", 45, "not JSON")]
    rest = [json.loads(r["value"]) for r in customers.backlog_accounts(raw, plan()).collect()]
    accounts = {(r["userId"], r["accountType"]): r["balance"] for r in rest}
    assert accounts == {("a", "QUIET"): 1, ("a", "BUSY"): 39, ("b", "BUSY"): 7}


def test_bad_records_on_the_topics_stop_nothing(stack: Stack) -> None:
    """All of the above and a good record behind them, through the running pipeline."""
    for topic, records in (("users", USERS), ("accounts", ACCOUNTS)):
        for value, reason in records:
            if reason is not None:
                stack.produce(topic, value, key="bad-records")
    stack.produce("users", {"userId": "after-bad", "name": "Fine"})
    stack.flush()
    eventually("the good record", lambda: stack.rows_of("users_ui", ["after-bad"]))
    expected = sum(r is not None for _, r in USERS + ACCOUNTS)

    def rejects() -> list[dict[str, object]] | None:
        found = stack.changelog("rejects")
        return found if len(found) >= expected else None

    rows = eventually("a reject for each", rejects)
    assert {"topic", "partition", "offset", "ts", "reason"} <= set(rows[0])
    too_large = next(r for r in rows if str(r["reason"]).startswith("value too large"))
    assert len(str(too_large["value"])) == 200
    eventually("rejects in the table", lambda: stack.view_rows().get("rejects", 0) >= expected)


def test_a_reject_shows_the_start_of_the_value_as_text(spark: SparkSession) -> None:
    rows = customers.rows(frame(spark, [("u", b"\xff<b>" + b"x" * 500)]), plan()).collect()
    value = json.loads(rows[0]["value"])["value"]
    assert value.startswith("\ufffd<b>xxx")
    assert len(value) == 200
