"""Records that cannot be used become rejects that say why; the others go on."""

from __future__ import annotations

import base64

from pyspark.sql import SparkSession

from tests.support.compiled import Compiled, compiled, shipped
from tests.support.frames import frame
from tests.support.records import ACCOUNTS, USERS
from tests.support.stack import Stack, eventually


def made(spark: SparkSession, encoding: str = "json", join: str = "left") -> Compiled:
    document = shipped(
        "customers",
        TIDEGRID_CUSTOMERS_USERS_TOPIC="u",
        TIDEGRID_CUSTOMERS_ACCOUNTS_TOPIC="a",
        TIDEGRID_CUSTOMERS_JOIN=join,
        TIDEGRID_CUSTOMERS_ENCODING=encoding,
        TIDEGRID_CUSTOMERS_EVENT_LIST="100",
    )
    return compiled(spark, document, "customers")


def test_each_record_is_used_or_rejected_with_its_reason(spark: SparkSession) -> None:
    records = [("u", v) for v, _ in USERS] + [("a", v) for v, _ in ACCOUNTS]
    reasons = [r for _, r in USERS] + [r for _, r in ACCOUNTS]
    found = {r["id"]: r["reason"] for r in made(spark).checked(frame(spark, records))}
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
    rows = made(spark, "base64").checked(frame(spark, records))
    assert rows[0]["of_users"]["userId"] == "a"
    assert rows[0]["reason"] is None
    assert rows[1]["reason"] == "not base64"
    assert rows[2]["reason"].startswith("not JSON")


def test_an_inner_join_has_no_row_for_a_user_alone(spark: SparkSession) -> None:
    record = frame(spark, [("u", b'{"userId":"a","name":"n"}')])
    shown = {}
    for join in ("left", "inner"):
        flow = made(spark, join=join)
        shown[join] = [flow.shown(row) for row in flow.rows(record)["customers"]]
    assert shown == {"left": [{"users_ui", "final_ui", "user"}], "inner": [{"users_ui", "user"}]}


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
    flow = made(spark)
    written = flow.backlog(raw)
    shown = {
        (r["userId"], r.get("accountType", "")): (flow.shown(r), r.get("name"), r.get("balance"))
        for r in written["customers"]
    }
    assert len(shown) == len(written["customers"])
    assert shown == {
        ("a", ""): ({"users_ui"}, "new", None),
        ("a", "BUSY"): ({"accounts_ui", "final_ui"}, "new", 39),
        # Pushed out of the history: its balance comes from the second pass.
        ("a", "QUIET"): ({"final_ui"}, "new", None),
        ("b", "BUSY"): ({"accounts_ui", "final_ui"}, None, 7),
        ("c", ""): ({"users_ui", "final_ui"}, "alone", None),
    }
    rejects = sorted((r["topic"], r["offset"], r["reason"]) for r in written["rejects"])
    assert rejects == [("a", 46, "not a JSON object but an array"), ("u", 45, "not JSON")]
    rest = flow.rest(raw)["customers"]
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
    [row] = made(spark).rows(frame(spark, [("u", b"\xff<b>" + b"x" * 500)]))["rejects"]
    value = row["value"]
    assert value.startswith("\ufffd<b>xxx")
    assert len(value) == 200
