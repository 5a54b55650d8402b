"""Sample records as a whole, task slots, this machine: what is said, and what to do about it."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tidegrid.contract.declaration.types import Encoding, Field, KafkaKey, Source
from tidegrid.doctor import flows, machine, parts, sample
from tidegrid.doctor.findings import Answer, Problem
from tidegrid.doctor.flows import Place
from tidegrid.infer import Record
from tidegrid.machine import jars
from tidegrid.machine.ports import free_port
from tidegrid.settings import Flows, Pipeline, Settings, Tables

GOOD = b'{"userId":"a","name":"n"}'


def declared(name: str, settings: Settings | None = None) -> flows.Declared:
    return next(d for d in flows.declared(settings or Settings()) if d.flow.name == name)


def judged(*values: bytes | None, encoding: Encoding = "json") -> Answer[None]:
    customers = declared("customers")
    source = replace(customers.flow.sources["users"], encoding=encoding)
    found = [Record(None, v, 0, {}) for v in values]
    places = customers.place("users", "encoding"), customers.place("users", "kafka_key")
    return sample.judge(found, source, 65536, *places)


def judged_keys(kafka_key: KafkaKey, *found: tuple[bytes | None, bytes | None]) -> Answer[None]:
    """Judge records, each with its Kafka key, whose Kafka key is said to be that."""
    source = Source("u", "u", ("id",), {"id": Field("id")}, kafka_key=kafka_key)
    records = [Record(key, value, 0, {}) for key, value in found]
    return sample.judge(records, source, 65536, Place("encoding"), Place("kafka_key", "u.toml"))


def test_good_records_say_what_none_of_them_has() -> None:
    found = judged(GOOD, GOOD)
    assert (found.state, found.detail) == ("ok", "the newest 2 can be used; none has email, age")


def test_no_record_is_a_warning() -> None:
    assert judged().state == "warning"


def test_some_bad_records_are_a_warning_with_their_reason_and_start() -> None:
    found = judged(GOOD, b"junk", GOOD)
    assert found.state == "warning"
    assert found.detail == "1 of the newest 3 cannot be used: not JSON: junk"


def test_bad_records_alone_are_a_failure_that_shows_little_of_them() -> None:
    with pytest.raises(Problem) as found:
        judged(b'{"name":"' + b"x" * 500 + b'"}')
    assert found.value.detail.startswith("1 of the newest 1 cannot be used: userId: missing")
    assert "x" * 61 not in found.value.detail


@pytest.mark.parametrize(
    ("value", "encoding", "fix"),
    [
        (base64.b64encode(GOOD), "json", 'set customers.encoding = "base64"'),
        (json.dumps(base64.b64encode(GOOD).decode()).encode(), "json", "leave out the quotes"),
        (GOOD, "base64", 'set customers.encoding = "json"'),
        (b"\0\0\0\0\x07\x02a", "json", "schema registry"),
        (b"plain text", "json", "see what produces such records"),
        (b"abcd", "json", "see what produces such records"),
        (None, "json", "see what produces such records"),
    ],
)
def test_another_form_of_records_is_noticed(
    value: bytes | None, encoding: Encoding, fix: str
) -> None:
    with pytest.raises(Problem) as found:
        judged(value, encoding=encoding)
    assert fix in found.value.fix


@pytest.mark.parametrize(
    ("kafka_key", "key", "detail", "fix"),
    [
        (
            KafkaKey(("id",)),
            b'{"id":"abc"}',
            'it is {"id":"abc"} where id is abc,',
            'set kafka_key = { json = ["id"] } in u.toml',
        ),
        (
            KafkaKey(("id",), json=True),
            b"abc",
            "it is abc where id is abc,",
            'set kafka_key = "id" in u.toml',
        ),
        (
            KafkaKey(("id",)),
            b'"abc"',
            'it is "abc" where id is abc,',
            "have the producer write keys without the quotes of JSON, or leave kafka_key in u.toml "
            "out: then a record without a value is a reject",
        ),
        (
            KafkaKey(("id",)),
            b"xyz",
            "it is xyz where id is abc,",
            "name what the Kafka key is made of, or leave kafka_key in u.toml out",
        ),
        (KafkaKey(("id",)), None, "it is empty where id is abc,", "or leave kafka_key in u.toml"),
    ],
)
def test_a_kafka_key_that_is_not_what_the_flow_says_is_a_warning(
    kafka_key: KafkaKey, key: bytes | None, detail: str, fix: str
) -> None:
    found = judged_keys(kafka_key, (key, b'{"id":"abc"}'), (key, None))
    assert found.state == "warning"
    assert "1 have another Kafka key than kafka_key says" in found.detail
    assert detail in found.detail
    assert "takes another row away, or none" in found.detail
    assert fix in found.fix


def test_a_kafka_key_that_is_right_is_no_warning() -> None:
    found = judged_keys(KafkaKey(("id",)), (b"abc", b'{"id":"abc"}'), (b"abc", None))
    assert (found.state, found.fix) == ("ok", "")


def test_a_wrong_kafka_key_is_told_beside_records_that_cannot_be_used() -> None:
    found = judged_keys(KafkaKey(("id",)), (b'"abc"', b'{"id":"abc"}'), (b"abc", b"junk"))
    assert found.state == "warning"
    assert "not JSON: junk; 1 have another Kafka key" in found.detail
    assert "see what produces such records" in found.fix
    assert "without the quotes of JSON" in found.fix


ORDERS = """
[sources.orders]
topic = "${ORDERS_TOPIC:-shop.orders}"
encoding = "json"
key = ["id"]
fields = { id = "string", net = "double" }
columns = { gross = "net * 1.2" }
[views.orders_live]
latest = "orders"
[views.orders_5s]
buckets = "orders"
by = ["id"]
every = "5s"
keep = "1m"
sum = { gross_sum = "gross" }
"""


def test_what_is_to_be_set_is_named_where_it_is_set(tmp_path: Path) -> None:
    (tmp_path / "orders.toml").write_text(ORDERS)
    orders = declared("orders", Settings(flows=Flows(folder=str(tmp_path))))
    file = tmp_path / "orders.toml"
    assert str(orders.place("orders", "topic")) == "ORDERS_TOPIC in the environment"
    assert str(orders.place("orders", "encoding")) == f"sources.orders.encoding in {file}"
    assert (
        orders.place("orders", "encoding").to("base64")
        == f'sources.orders.encoding = "base64" in {file}'
    )
    users = declared("customers").place("users", "topic")
    assert str(users) == "customers.users_topic"


def test_changelogs_are_known_without_the_types_of_columns(tmp_path: Path) -> None:
    (tmp_path / "orders.toml").write_text(ORDERS)
    orders = declared("orders", Settings(flows=Flows(folder=str(tmp_path))))
    assert [c.name for c in orders.changelogs] == ["orders", "orders_5s", "rejects"]


def test_a_flow_without_topics_is_not_looked_at() -> None:
    none = {"TIDEGRID_CUSTOMERS_USERS_TOPIC": "", "TIDEGRID_CUSTOMERS_ACCOUNTS_TOPIC": ""}
    found = flows.declared(Settings(values=none))
    assert [d.flow.name for d in found] == [
        d.flow.name for d in flows.declared(Settings()) if d.flow.name != "customers"
    ]


def slots(master: str) -> Answer[None]:
    settings = Settings(pipeline=Pipeline(master=master, shuffle_partitions=2))
    return parts.slots(settings, {"customers": 4, "positions": 2})


@pytest.mark.parametrize(
    ("master", "there"),
    [
        ("", ", 64 there"),
        ("local[20]", ", 20 there"),
        ("local[*]", ", 24 there"),
        ("spark://a:7077", "; the cluster's are known when Spark starts there"),
    ],
)
def test_slots_are_counted_for_two_generations_of_each_flow(
    master: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 24)
    assert slots(master).detail == (
        "20 are needed (2 generations of: customers 4 to read + 2 to shuffle, positions 2 to read "
        f"+ 2 to shuffle){there}"
    )


@pytest.mark.parametrize("master", ["local", "local[2]", "local[19,4]"])
def test_too_few_slots_are_a_failure(master: str) -> None:
    with pytest.raises(Problem, match="20 are needed") as found:
        slots(master)
    assert "local[20]" in found.value.fix


def test_a_master_that_is_not_there_is_a_failure() -> None:
    with pytest.raises(Problem, match="refuses connections"):
        parts.spark(f"spark://127.0.0.1:{free_port()}")
    with pytest.raises(Problem, match="has no port"):
        parts.spark("spark://host")


def test_a_master_of_another_kind_is_not_looked_at() -> None:
    assert parts.spark("yarn").state == "skipped"
    assert parts.spark("local[4]").state == parts.spark("").state == "ok"


def test_tables_that_do_not_run_are_a_warning() -> None:
    with pytest.raises(Problem, match="refuses connections") as found:
        parts.page(Settings(tables=Tables(port=free_port())))
    assert found.value.state == "warning"


def test_without_the_key_its_login_is_not_tried() -> None:
    assert parts.log_in(Settings(), None).state == "skipped"


def test_a_checkpoint_folder_is_tried_and_left_as_it_was(tmp_path: Path) -> None:
    found = machine.checkpoints(tmp_path / "a" / "checkpoints")
    assert found.state == "ok"
    assert "not there yet" in found.detail
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").touch()
    with pytest.raises(Problem, match="cannot be written"):
        machine.checkpoints(tmp_path / "checkpoints")


def test_a_broken_jar_is_named(tmp_path: Path) -> None:
    folder = jars.place(tmp_path) / "spark"
    folder.mkdir(parents=True)
    (folder / "half.jar").write_bytes(b"PK")
    with pytest.raises(Problem, match=r"half\.jar"):
        machine.jars_at(tmp_path)


def test_jars_that_are_not_fetched_yet_are_a_warning(tmp_path: Path) -> None:
    assert machine.jars_at(tmp_path).state == "warning"
