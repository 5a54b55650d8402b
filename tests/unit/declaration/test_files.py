"""Flow files in folders, and other topics for a document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.declaration.examples import FAMILY, ORDERS, changed
from tidegrid.contract.declaration import DeclarationError, files, parse, read


def folder(at: Path, **texts: str) -> Path:
    at.mkdir()
    for name, text in texts.items():
        (at / f"{name}.toml").write_text(text, "utf-8")
    return at


def test_a_later_folder_replaces_and_adds(tmp_path: Path) -> None:
    first = folder(tmp_path / "first", a='title = "${X:-1}"', b='title = "2"', c='title = "3"')
    second = folder(tmp_path / "second", b='title = "${X}"', d='title = "4"')
    found = files.documents([first, second, tmp_path / "absent"], ["c"], {"X": "x"})
    assert {name: document["title"] for name, document in found.items()} == {
        "a": "x",
        "b": "x",
        "d": "4",
    }
    assert json.loads(json.dumps(found)) == found


def test_hidden_files_are_an_editors_and_a_byte_order_mark_says_nothing(tmp_path: Path) -> None:
    at = folder(tmp_path / "f", a="\ufefftitle = '1'")
    (at / ".#a.toml").symlink_to("somebody@somewhere")
    (at / "._a.toml").write_bytes(b"\0")
    assert files.documents([at], [], {}) == {"a": {"title": "1"}}


def test_what_is_wrong_in_all_files_is_said_at_once(tmp_path: Path) -> None:
    at = folder(tmp_path / "f", a="x = 1\nx = = 2", b="y = [", c='title = "3"')
    (at / "d.toml").write_bytes(b"\xff")
    with pytest.raises(DeclarationError) as failed:
        files.documents([at], [], {})
    a, b, d = str(failed.value).splitlines()
    assert a == f"{at / 'a.toml'}: not valid TOML: Invalid value (at line 2, column 5)"
    assert b.startswith(f"{at / 'b.toml'}: not valid TOML: ")
    assert d.startswith(f"{at / 'd.toml'}: not valid TOML: ")
    unset = folder(tmp_path / "g", a='x = "${A}"', b='x = "${B}"')
    with pytest.raises(DeclarationError) as failed:
        files.documents([unset], [], {})
    assert [p.place for p in failed.value.problems] == ["x", "x"]


def test_a_placeholder_that_is_not_set_hides_no_other_problem() -> None:
    document = changed(
        ORDERS,
        ("sources.orders.topic", "${TOPIC}"),
        ("sources.orders.key", ["${KEY}"]),
        ("views.customers_live.latest", "${SOURCE}"),
        ("views.order_events.keep", "${KEEP:-many}"),
        ("screens.best.top", "orders_alive"),
        ("titel", "x"),
    )
    with pytest.raises(DeclarationError) as failed:
        read(document, {}, "shop", "f.toml")
    assert [(p.place, p.what) for p in failed.value.problems] == [
        ("sources.orders.topic", "TOPIC is not set"),
        ("sources.orders.key[0]", "KEY is not set"),
        ("views.customers_live.latest", "SOURCE is not set"),
        ("views.order_events.keep", "expected a whole number, got 'many'"),
        ("titel", "is unknown"),
        ("screens.best.top", "there is no view or screen 'orders_alive'"),
    ]


def test_other_topics_and_another_join_leave_the_rest_as_it_is() -> None:
    changed = files.with_topics(FAMILY, {"users": "people"}, "inner")
    flow, before = parse(changed, "f"), parse(FAMILY, "f")
    assert flow.topics == {"users": "people", "accounts": "accounts"}
    assert (flow.join, before.join) == ("inner", "left")
    assert flow.views["then"] == before.views["then"]
    assert files.with_topics(changed, before.topics, "left")["sources"] == FAMILY["sources"]
    assert files.with_topics(FAMILY, {}, "") == FAMILY


def test_what_no_program_can_read_is_told_as_any_other_problem(tmp_path: Path) -> None:
    at = folder(tmp_path / "f", digits=f"x = {'9' * 5000}", nested=f"x = {'[' * 2000}{']' * 2000}")
    with pytest.raises(DeclarationError) as failed:
        files.documents([at], [], {})
    assert [p.what.partition(":")[0] for p in failed.value.problems] == ["not valid TOML"] * 2
