"""Hostile names, labels, topics and paths: an error with a place, or exactly that name."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.unit.declaration.examples import ORDERS, Document, changed
from tidegrid.contract.declaration import DeclarationError, Flow, parse
from tidegrid.contract.declaration.names import column_problem

NASTY = (
    "'; DROP TABLE x; --",
    '"); System.exit(1); ("',
    "`a` + `b`",
    "a\nb",
    "${HOME}",
    "${env:HOME}",
    "$key",
    "$headers.x",
    "__proto__",
    "tidegrid.receipts",
    "\ud800",
    "\0",
    "x\u202ey",
    "in",
    "tg_shows",
    "Ts",
    "a.b",
    "",
    "x" * 5000,
)
texts = st.sampled_from(NASTY) | st.text(max_size=30) | st.from_regex(r"[A-Za-z_]\w{0,8}")


def read(document: Document) -> Flow | None:
    """Return the flow, or nothing if each problem that was told has a place and is one line."""
    try:
        return parse(json.loads(json.dumps(document)), "shop", "f.toml")
    except DeclarationError as e:
        told = e
    assert told.problems
    assert len(str(told).splitlines()) == len(told.problems)
    for problem in told.problems:
        assert problem.place
        assert str(problem).startswith(f"f.toml: {problem.place}: ")
        assert len(str(problem)) < 2000
    return None


@given(texts)
def test_a_field_has_exactly_that_name_or_none(name: str) -> None:
    document = changed(ORDERS)
    document["sources"]["orders"]["fields"][name] = "string"
    if flow := read(document):
        assert name in flow.sources["orders"].fields
        assert column_problem(name) is None


@given(texts)
def test_a_table_has_exactly_that_name_or_none(name: str) -> None:
    for kind, held in (("views", {"latest": "orders"}), ("screens", {"top": "sliced", "by": "n"})):
        document = changed(ORDERS)
        document[kind] = {**document[kind], name: held}
        if flow := read(document):
            assert name in (*flow.views, *flow.screens)


@given(texts)
def test_a_source_has_exactly_that_name_or_none(name: str) -> None:
    document = changed(ORDERS)
    document["sources"][name] = {"topic": "more", "key": "id", "fields": {"id": "string"}}
    document["views"]["of_more"] = {"latest": name}
    if flow := read(document):
        view = flow.views["of_more"]
        assert name in flow.sources
        assert getattr(view, "source", "") == name


@given(texts)
def test_a_label_may_be_anything_that_is_a_text(label: str) -> None:
    document = changed(ORDERS, ("columns.net", {"label": label}), ("title", label))
    if flow := read(document):
        assert flow.columns["net"].label == label
        assert flow.title == (label or "shop")
    else:
        assert "\0" in label or len(label) > 1000 or not label.isprintable()


@given(texts)
def test_a_topic_is_exactly_that_or_none(topic: str) -> None:
    flow = read(changed(ORDERS, ("sources.orders.topic", topic)))
    if flow:
        assert flow.topics["orders"] == topic
        assert topic.replace(".", "").replace("-", "").replace("_", "").isascii()


@given(st.lists(texts, min_size=1, max_size=3))
@example(["doc", "shipment no."])
def test_a_path_in_a_list_is_taken_as_it_is(path: list[str]) -> None:
    field = {"type": "string", "from": path}
    if flow := read(changed(ORDERS, ("sources.orders.fields.more", field))):
        assert flow.sources["orders"].fields["more"].path == tuple(path)


@given(texts)
def test_an_expression_is_taken_as_it_is(text: str) -> None:
    document = changed(
        ORDERS,
        ("sources.orders.where", text),
        ("sources.orders.columns.more", text),
        ("screens.best.columns", {"more": text}),
    )
    if flow := read(document):
        assert flow.sources["orders"].where == text
        assert flow.sources["orders"].columns["more"] == text
        assert flow.screens["best"].columns == {"more": text}
        assert "${" not in text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from(
        [
            *("sources", "sources.orders", "sources.orders.fields", "sources.orders.key"),
            *("sources.orders.kafka_key", "sources.orders.fields.more", "lookups", "lookups.x"),
            *("views", "views.more", "views.sliced.sum", "views.sliced.by", "views.sliced.every"),
            *("screens", "screens.more", "screens.named.left_join", "screens.named.on"),
            *("columns", "page", "page.cards", "rejects", "title", "name", "more"),
        ]
    ),
)
def test_anything_anywhere_is_read_or_told(value: object, place: str) -> None:
    read(changed(ORDERS, ("page", {}), (place, value)))


@pytest.mark.parametrize("value", [None, [], "x", 5])
def test_what_is_no_table_is_no_flow(value: object) -> None:
    with pytest.raises(DeclarationError, match="expected a table"):
        parse(value, "shop")  # type: ignore[arg-type]
