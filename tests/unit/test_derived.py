"""Derived columns as rows have them: texts that may grow are cut to what Kafka takes."""

from __future__ import annotations

import pytest

from tidegrid.contract.topics import CHANGELOG_CONFIG
from tidegrid.pipeline.check import as_wire

KIB = 2**10


@pytest.mark.parametrize(
    "text",
    ["(a || b\n)", "(CONCAT(a, b)\n)", "(replace (a, 'x', 'yy')\n)", "(format_number(a, 2)\n)"],
)
def test_a_text_that_may_grow_is_cut(text: str) -> None:
    assert as_wire({"x": text}, {"x": "string"}, 64 * KIB) == {
        "x": f"left(cast({text} AS string), {2**20 // 6})"
    }


def test_what_cannot_grow_is_left_as_it_is() -> None:
    columns = {"x": "(trim(a)\n)", "n": "(length(concat(a, b))\n)", "at": "(b\n)"}
    assert as_wire(columns, {"x": "string", "n": "long", "at": "nanos"}, 64 * KIB) == {
        "x": "cast((trim(a)\n) AS string)",
        "n": "cast((length(concat(a, b))\n) AS bigint)",
        "at": "try_multiply(unix_micros((b\n)), 1000L)",
    }


@pytest.mark.parametrize(("count", "max_value_bytes"), [(17, 64 * KIB), (2, 2**20), (200, KIB)])
def test_derived_texts_fit_into_a_row_however_many_there_are(
    count: int, max_value_bytes: int
) -> None:
    names = [f"c{n}" for n in range(count)]
    made = as_wire(dict.fromkeys(names, "(a || b)"), dict.fromkeys(names, "string"), 64 * KIB)
    cut = {int(text.rpartition(", ")[2].rstrip(")")) for text in made.values()}
    # Two sources that are joined, and six bytes for a character that JSON escapes.
    assert 2 * 6 * count * max(cut) <= int(CHANGELOG_CONFIG["max.message.bytes"]) // 2
    copies = as_wire(dict.fromkeys(names, "(a)"), dict.fromkeys(names, "string"), max_value_bytes)
    is_cut = count * max_value_bytes > 2**20
    assert all(text.startswith("left(") == is_cut for text in copies.values())
