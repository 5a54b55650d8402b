"""Infer with hostile names and values: the file shows exactly those paths, or says it cannot."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tidegrid.contract import records
from tidegrid.contract.declaration import environment, parse
from tidegrid.infer import Record, infer

_EVIL = st.sampled_from(
    [
        *('"', "\\", "'", "\n[views.x]\n", '"\nkey = "', "#", "]", "a.b", "a b", " ", "", "\0"),
        *(
            "k",
            "in",
            "ts",
            "TS",
            "tg_x",
            "${HOME}",
            "${",
            "$key",
            "$headers",
            "1",
            "_",
            "__proto__",
        ),
        *(
            "\u2028",
            "\u202e",
            "\ud800",
            "\x7f",
            "größe",
            "日本",
            "😀",
            "`",
            "*/",
            "-- ",
            "x" * 1200,
        ),
    ]
)
_NAMES = _EVIL | st.text(max_size=8)
_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
_SCALARS = st.none() | st.booleans() | st.integers() | _FLOATS | _NAMES
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=6,
)
_OBJECTS = st.dictionaries(_NAMES, _VALUES, max_size=6)


def _paths(value: Any, above: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    found = {above}
    if isinstance(value, dict):
        found = found.union(*(_paths(v, (*above, n)) for n, v in value.items()))
    return found


@given(objects=st.lists(_OBJECTS, min_size=1, max_size=8), keys=st.lists(_NAMES, max_size=8))
def test_a_file_names_paths_that_are_there_and_nothing_else(
    objects: list[dict[str, Any]], keys: list[str]
) -> None:
    found = [
        Record(key.encode("utf-8", "replace"), json.dumps({"id": f"a{n}", **o}).encode(), 0, {})
        for n, (o, key) in enumerate(zip(objects, [*keys, *["k"] * len(objects)], strict=False))
    ]
    made = infer("a.topic", found)
    assert tomllib.loads(made.text) == made.document
    # A file is read with its placeholders resolved: it must have none.
    assert environment.resolve(made.document, {"HOME": "gone"}) == made.document
    flow = parse(made.document, made.name, "it.toml")
    [source] = flow.sources.values()
    there = set().union(*(_paths({"id": "", **o}) for o in objects)) | {("$key",)}
    shown = [field.path for field in source.fields.values()]
    assert set(shown) <= there
    assert len(set(shown)) == len(shown)
    assert list(flow.views) == ["a_topic_latest", "a_topic_events"]
    assert all(c.isprintable() for line in made.text.splitlines() for c in line)
    assert set(made.document) <= {"title", "sources", "views", "columns"}
    # Its types take every value that was seen; only a key may be missing.
    looks = [records.look(r.value, source, 2**20, 0, r.key) for r in found]
    problems = {p for look in looks for p in look.problems}
    assert [p for p in problems if not p.endswith(": missing or empty")] == []


def _sayable(name: str) -> bool:
    odd = "\0" in name or any("\ud800" <= c <= "\udfff" for c in name)
    return 0 < len(name) <= 1000 and "${" not in name and name[0] != "$" and not odd


@given(name=_NAMES.filter(_sayable))
def test_a_field_is_shown_under_its_own_name(name: str) -> None:
    made = infer("t", [Record(None, json.dumps({name: "x"}).encode(), 0, {})] * 3)
    [field] = parse(made.document, made.name).sources["t"].fields.values()
    assert field.path == (name,)
