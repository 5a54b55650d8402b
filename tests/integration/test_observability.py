"""What an operator sees: metrics and log lines, with a real broker, Spark and Deephaven."""

from __future__ import annotations

import json
import urllib.request
from datetime import datetime
from typing import Any

from confluent_kafka import Producer
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from tests.support.stack import Stack, eventually
from tests.support.worlds import live, lives
from tidegrid import kafka
from tidegrid.kafka.ends import Ends

#: What the JVMs print before their logs are set up.
NO_LOG_LINES = (
    "WARNING: Using incubator modules",
    "Picked up JAVA_TOOL_OPTIONS",
    "1 compiler directives added",
    "# ",
    "deephaven.",
    "Server started on port",
)


def metrics(stack: Stack) -> list[Sample]:
    """Return what Prometheus would get now."""
    url = f"http://127.0.0.1:{stack.settings.pipeline.metrics_port}/metrics"
    with urllib.request.urlopen(url, timeout=5) as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    return [sample for family in families for sample in family.samples]


def values(samples: list[Sample], name: str, **labels: object) -> list[float]:
    """Return the values of a metric that have these labels, whatever their others are."""
    wanted = {(k, str(v)) for k, v in labels.items()}
    named = [s for s in samples if s.name == f"tidegrid_{name}"]
    return [s.value for s in named if wanted <= set(s.labels.items())]


def pay(stack: Stack, topic: str, partitions: int, value: bytes) -> None:
    """Produce a record in a transaction, and return when it and its marker can be read."""

    def end() -> int:
        return sum(kafka.latest(stack.connection, {topic: partitions})[topic].values())

    before = end()
    producer = Producer(
        {"bootstrap.servers": stack.connection.bootstrap, "transactional.id": topic}
    )
    producer.init_transactions()
    producer.begin_transaction()
    producer.produce(topic, key="paid", value=value)
    producer.commit_transaction()
    eventually("the marker of the transaction", lambda: end() == before + 2)


def test_metrics_count_events_rejects_lag_and_generations(stack: Stack) -> None:
    number = eventually("a live generation", lambda: live(stack))
    birth = lives(stack)[number].birth
    users = birth.sources["users"]
    mine = {"flow": "customers", "generation": number}
    partitions = sum(len(places) for places in birth.start.values())

    def known() -> list[Sample] | None:
        found = metrics(stack)
        return found if len(values(found, "lag_records", **mine)) == partitions else None

    before = eventually("figures of the tables", known, 30)
    for n in range(50):
        stack.produce(users, {"userId": f"metrics-{n}", "name": "Counted"})
    for value in (b"junk", b'{"userId": "x", "age": "old"}', b'{"userId": "y", "age": [1]}'):
        stack.produce(users, value, key="bad")
    stack.flush()
    # A transaction leaves a marker behind it, which is no record and no lag.
    pay(stack, users, len(birth.start[users]), b'{"userId": "metrics-0", "name": "Paid"}')
    ends = kafka.latest(stack.connection, {users: len(birth.start[users])})
    records = kafka.ends_of_records(stack.connection, {users: birth.start[users]}, ends)[users]
    assert sum(records.values()) == sum(ends[users].values()) - 1

    def counted() -> list[Sample] | None:
        found = metrics(stack)
        read = {p: values(found, "events_total", **mine, topic=users, partition=p) for p in records}
        every = {p: [end - birth.start[users][p]] for p, end in records.items()}
        lag = values(found, "lag_records", **mine)
        return found if read == every and lag == [0] * partitions else None

    after = eventually("all events counted, and no lag", counted, 30)

    def rejected(reason: str) -> float:
        labels = {**mine, "topic": users, "reason": reason}
        was, now = (values(samples, "rejects_total", **labels) for samples in (before, after))
        return sum(now) - sum(was)

    assert rejected("not JSON") == 1
    # Without what is different from record to record.
    assert rejected("age: expected a whole number") == 2
    written = {"flow": "customers", "changelog": "customers"}
    was = sum(values(before, "rows_written_total", **written))

    def rows_counted() -> bool:
        return sum(values(metrics(stack), "rows_written_total", **written)) - was >= 51

    # The pipeline counts them, and reports at other moments than the tables.
    eventually("the rows counted too", rows_counted, 30)
    assert values(after, "view_rows", **mine, view="users_ui") == [stack.view_rows()["users_ui"]]
    assert values(after, "live_generation", flow="customers") == [number]
    assert values(after, "generation_state", **mine) == [1]
    assert values(after, "query_restarts_total", **mine) == values(
        before, "query_restarts_total", **mine
    )
    assert values(after, "up") == [1, 1]

    def state_counted() -> bool:
        # A state as small as this one is not written to RocksDB's files.
        return sum(values(metrics(stack), "state_bytes", flow="customers", where="memory")) > 0

    eventually("the size of the state, after a commit", state_counted, 60)
    [catch_up], [flip], [total] = (
        values(after, "last_swap_seconds", flow="customers", step=step)
        for step in ("catch-up", "flip", "total")
    )
    assert catch_up > 0
    assert abs(total - catch_up - flip) < 0.002


def test_every_log_line_is_json_with_what_it_is_about(stack: Stack) -> None:
    number = eventually("a live generation", lambda: live(stack))
    events: list[dict[str, Any]] = []
    before_harm: list[dict[str, Any]] = []
    for part in ("pipeline", "tables"):
        text = (stack.settings.home / f"{part}.log").read_bytes()
        harmless = text[: stack.before_harm.get(part, len(text))]
        for found, bytes_ in ((events, text), (before_harm, harmless)):
            lines = bytes_.decode().splitlines()
            logged = [line for line in lines if line and not line.startswith(NO_LOG_LINES)]
            assert [line for line in logged if not line.startswith("{")] == []
            found += [json.loads(line) for line in logged]
    for event in events:
        assert datetime.fromisoformat(event["time"]).utcoffset() is not None
        assert {"level", "part", "message"} <= event.keys()
    for event in before_harm:
        # Nothing was killed or taken away so far.
        assert event["level"] not in ("ERROR", "CRITICAL"), event
    parts = {event["part"] for event in events}
    assert {"pipeline", "tables"} <= parts
    assert any(part.startswith("spark.") for part in parts)
    about = [(e["part"], e["message"]) for e in events if e.get("generation") == number]
    assert ("tables", f"customers generation {number}: live") in about
    assert any(e.get("flow") == "positions" for e in events if ": reading" in e["message"])


def test_the_end_of_a_partition_is_that_of_its_records_once_nothing_moves(stack: Stack) -> None:
    kafka.ensure_topics(stack.connection, {"ends.paid": 1, "ends.busy": 1}, {})
    ends = Ends(stack.connection)

    def look(**read: int) -> dict[str, int]:
        ends.follow({(n, 1): {f"ends.{n}": {"0": offset}} for n, offset in read.items()})
        ends.look()
        return {n: found[f"ends.{n}"]["0"] for (n, _), found in ends.known.items()}

    pay(stack, "ends.paid", 1, b"one")
    # Somebody may still be reading it.
    assert look(paid=0, busy=0) == {"paid": 2, "busy": 0}
    stack.produce("ends.busy", b"one", key="b")
    stack.flush()
    assert look(paid=1, busy=0) == {"paid": 2, "busy": 1}
    assert look(paid=1, busy=1) == {"paid": 1, "busy": 1}
    # A record that nobody reads stays behind.
    stack.produce("ends.busy", b"two", key="b")
    stack.flush()
    assert [look(paid=1, busy=1)["busy"] for _ in range(3)] == [2, 2, 2]
    pay(stack, "ends.paid", 1, b"two")
    assert look(paid=1, busy=1)["paid"] == 4
    assert look(paid=1, busy=1)["paid"] == 3
