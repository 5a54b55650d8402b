"""Flow files are written so that they read back as what they were written of."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tidegrid.contract.declaration import toml
from tidegrid.contract.declaration.files import find, read
from tidegrid.contract.declaration.toml import Comments
from tidegrid.settings import SHIPPED_FLOWS

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ['"', "\\", "\n[views.x]\n", "#", "]", "a.b", "${HOME}", "", "fields", "cards", "page"]
)
_SCALARS = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | _TEXTS
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)
_TABLES = st.dictionaries(
    st.sampled_from(["sources", "views", "columns", "page", "title"]) | _TEXTS,
    _VALUES
    | st.dictionaries(_TEXTS, st.dictionaries(_TEXTS | st.just("fields"), _VALUES, max_size=3)),
    max_size=4,
)


@given(_TABLES, st.lists(_TEXTS, max_size=2))
def test_whatever_is_written_reads_back(document: dict[str, Any], said: list[str]) -> None:
    places = [(name,) for name in document]
    comments = Comments(tuple(said), dict.fromkeys(places, tuple(said)), dict.fromkeys(places, "#"))
    assert tomllib.loads(toml.text(document, comments)) == document


def test_the_flows_that_ship_read_back() -> None:
    for path in find([SHIPPED_FLOWS]).values():
        document = read(path)
        assert tomllib.loads(toml.text(document)) == document


def test_a_file_has_headings_where_people_write_them() -> None:
    document = {
        "title": "Orders",
        "sources": {"orders": {"topic": "o", "key": ["id"], "fields": {"id": {"type": "long"}}}},
        "views": {"all": {"latest": "orders", "nothing": None}},
        "page": {"cards": [{"grid": ["all"]}]},
    }
    comments = Comments(
        top=("made\nby hand",),
        above={("sources", "orders", "time"): ("Time: Kafka's.",)},
        beside={("sources", "orders", "fields", "id"): "in all 20"},
    )
    assert toml.text(document, comments) == (
        "# made by hand\n"
        'title = "Orders"\n'
        "\n"
        "[sources.orders]\n"
        'topic = "o"\n'
        'key = ["id"]\n'
        "# Time: Kafka's.\n"
        "\n"
        "[sources.orders.fields]\n"
        'id = { type = "long" }   # in all 20\n'
        "\n"
        "[views.all]\n"
        'latest = "orders"\n'
        "\n"
        "[[page.cards]]\n"
        'grid = ["all"]\n'
    )


def test_a_comment_stays_while_what_it_is_about_does() -> None:
    before = {"sources": {"s": {"key": ["a"], "fields": {"a": "string", "b": "long"}}}}
    after = {"sources": {"s": {"key": ["b"], "fields": {"a": "string", "b": "double"}}}}
    place = ("sources", "s")
    comments = Comments(
        top=("top",),
        above={
            (*place, "key"): ("Key: a.",),
            (*place, "time"): ("Time: Kafka's.",),
            (*place, "fields"): ("Left out: c.",),
        },
        beside={(*place, "fields", "a"): "of a", (*place, "fields", "b"): "of b"},
    )
    left = comments.still_true(before, after)
    assert (left.top, left.beside) == (("top",), {(*place, "fields", "a"): "of a"})
    assert set(left.above) == {(*place, "time"), (*place, "fields")}
