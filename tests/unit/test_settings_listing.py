"""The list of all settings: each value, and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tidegrid import settings
from tidegrid.settings import listing
from tidegrid.settings.listing import Entry

FLOW = """
[sources.orders]
topic = "${SHOP_TOPIC:-${SHOP_OLD_TOPIC:-orders}}"
key = "${SHOP_TOKEN-id}"
fields = { id = "string" }
[views.orders_events]
events = "orders"
keep = "${TIDEGRID_MY_SHOP_KEEP:-5}"
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def listed(environ: Mapping[str, str], path: Path | None = None) -> dict[str, Entry]:
    """Return what is listed, by setting, or by variable where there is none."""
    found = listing.entries(settings.load(path, environ), path, environ)
    named = {entry.setting or entry.variables[0]: entry for entry in found}
    assert len(named) == len(found)
    return named


def origin(entry: Entry) -> tuple[object, str, str]:
    return entry.value, entry.source, entry.place


def test_with_nothing_given_all_are_defaults() -> None:
    found = listed({})
    assert {(e.source, e.place) for e in found.values()} == {("default", "")}
    assert [e.setting for e in found.values() if e.value != e.default] == []
    assert found["kafka.bootstrap"].value == "127.0.0.1:19092"
    assert found["kafka.properties"].value == {}
    assert found["positions.history"].value == ".tidegrid/symbols"


def test_every_variable_that_sets_something_is_listed() -> None:
    variables = [name for entry in listed({}).values() for name in entry.variables]
    assert len(variables) == len(set(variables))
    assert {*settings.ALIASES, "KAFKA_CLIENT_SECRET", "KAFKA_TOPIC"} <= set(variables)


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("kafka.bootstrap", ("h:1", "h:2")),
        ("kafka.identity_pool", ("a", "b", "c")),
        ("logs.level", ("ERROR", "DEBUG")),
        ("positions.topic", ("gold", "silver")),
        ("home", ("mine",)),
    ],
)
def test_of_several_variables_the_first_counts_most(setting: str, values: tuple[str, ...]) -> None:
    names = listed({})[setting].variables
    assert len(names) == len(values)
    environ: dict[str, str] = {}
    for name, value in reversed(list(zip(names, values, strict=True))):
        environ[name] = value
        assert origin(listed(environ)[setting]) == (value, "environment", name)


@pytest.mark.parametrize(
    "variable", ["KAFKA_BOOTSTRAP", "TIDEGRID_HOME", "TIDEGRID_CUSTOMERS_JOIN"]
)
def test_a_variable_that_is_empty_and_so_not_read_is_no_source(variable: str) -> None:
    assert {e.source for e in listed({variable: ""}).values()} == {"default"}


def test_a_variable_may_set_nothing_at_all() -> None:
    environ = {"TIDEGRID_POSITIONS_TOPIC": ""}
    expected = ("", "environment", "TIDEGRID_POSITIONS_TOPIC")
    assert origin(listed(environ)["positions.topic"]) == expected


def test_what_the_file_sets_is_told_with_the_file_also_where_it_is_the_default(
    tmp_path: Path,
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('home = "h"\n[kafka]\ntls = "auto"\n[customers]\njoin = "inner"\n', "utf-8")
    found = listed({"TIDEGRID_HOME": "from here"}, path)
    assert origin(found["home"]) == ("from here", "environment", "TIDEGRID_HOME")
    assert origin(found["kafka.tls"]) == ("auto", "file", str(path))
    assert origin(found["customers.join"]) == ("inner", "file", str(path))
    assert found["positions.history"].value == "from here/symbols"


def test_flows_of_ones_own_are_listed_with_what_they_ask_for(tmp_path: Path) -> None:
    (tmp_path / "flows").mkdir()
    (tmp_path / "flows" / "my-shop.toml").write_text(FLOW, "utf-8")
    environ = {"TIDEGRID_FLOWS_OFF": "customers", "SHOP_OLD_TOPIC": "old", "SHOP_TOKEN": "id"}
    found = listed(environ)
    assert found["my-shop.keep"] == Entry(
        "my-shop.keep", ("TIDEGRID_MY_SHOP_KEEP",), "5", "5", "default"
    )
    assert found["SHOP_TOPIC"] == Entry(
        "", ("SHOP_TOPIC", "SHOP_OLD_TOPIC"), "orders", "old", "environment", "SHOP_OLD_TOPIC"
    )
    assert found["SHOP_TOKEN"].value == "***"
    assert not [name for name in found if name.startswith("customers.")]


def test_a_secret_is_told_to_be_set_and_not_shown() -> None:
    environ = {"TIDEGRID_PSK": "open sesame", "KAFKA_CLIENT_SECRET": ""}
    found = listed(environ)
    assert origin(found["TIDEGRID_PSK"]) == ("***", "environment", "TIDEGRID_PSK")
    assert origin(found["KAFKA_CLIENT_SECRET"]) == ("", "default", "")
    entries = list(found.values())
    assert "sesame" not in listing.text(entries, None) + listing.to_json(entries)


def test_the_text_has_a_line_for_each_and_the_json_an_object() -> None:
    entries = list(listed({}).values())
    text = listing.text(entries, None)
    firsts = [line.split()[0] for line in text.splitlines() if line]
    assert "The settings file: none" in text
    assert firsts[firsts.index("SETTING") + 1 :] == [e.setting or "-" for e in entries]
    assert [e["setting"] for e in json.loads(listing.to_json(entries))] == [
        e.setting for e in entries
    ]
