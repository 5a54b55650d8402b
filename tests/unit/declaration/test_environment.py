"""Placeholders in the texts of a document."""

from __future__ import annotations

from datetime import date

import pytest

from tidegrid.contract.declaration import DeclarationError, environment

VALUES = {"A": "one", "EMPTY": "", "TRICKY": "${A}"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain $A {A} $", "plain $A {A} $"),
        ("${A}", "one"),
        ("<${A}|${A}>", "<one|one>"),
        ("${A:-two}", "one"),
        ("${B:-two}", "two"),
        ("${B:-}", ""),
        ("${B:-a b:-c-d}", "a b:-c-d"),
        ("${B:-${C:-${A}}}s", "ones"),
        ("${B:-${C:-deep}}", "deep"),
        ("${EMPTY}", ""),
        ("${EMPTY:-two}", "two"),
        ("${EMPTY-two}", ""),
        ("${B-two}", "two"),
        ("${TRICKY}", "${A}"),
        ("${A:-${UNSET}}", "one"),
    ],
)
def test_a_placeholder_stands_for_its_value(text: str, expected: str) -> None:
    document = {"a": {"${A}": [text, {"b": text}], "n": 1, "yes": True}}
    resolved = environment.resolve(document, VALUES)
    assert resolved == {"a": {"${A}": [expected, {"b": expected}], "n": 1, "yes": True}}


def test_all_that_cannot_be_resolved_is_said_at_once() -> None:
    document = {
        "a": {"b": "${NOPE}", "c d": ["x", "${A"]},
        "e": "${B:-${NOPE2}}",
        "f": "${env:A}",
        "g": date(2026, 1, 2),
        "h": float("nan"),
    }
    with pytest.raises(DeclarationError) as failed:
        environment.resolve(document, VALUES, "f.toml")
    assert str(failed.value).splitlines() == [
        "f.toml: a.b: NOPE is not set; set it in the environment or write ${NOPE:-default}",
        "f.toml: a.'c d'[1]: '${' is never closed in '${A'; add the '}'",
        "f.toml: e: NOPE2 is not set; set it in the environment or write ${NOPE2:-default}",
        "f.toml: f: '${env:A}' is no placeholder; write ${NAME:-default}",
        "f.toml: g: '2026-01-02' cannot be used here; write it as a text",
        "f.toml: h: 'nan' cannot be used here; write it as a text",
    ]


def test_the_names_that_are_asked_for_are_found() -> None:
    document = {"a": ["${A:-${B}}", {"c": "x${C-}"}], "d": 1, "${KEY}": ""}
    assert environment.names(document) == {"A", "B", "C"}


def test_placeholders_are_found_as_they_are_written() -> None:
    document = {"a": ["${A:-${B}} and ${C-}", "${A}"], "b": {"c": "${D:-}${E", "d": "${env:F}"}}
    found = environment.placeholders(document)
    assert found == {"A": "${A:-${B}}", "C": "${C-}", "D": "${D:-}", "env": "${env:F}"}
    assert environment.in_order(found["A"]) == ["A", "B"]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (2**63, "is a number of more than 64 bits"),
        pytest.param(16**6000, "is a number of more than 64 bits", id="hexadecimal"),
        pytest.param("${A:-" * 2000 + "}" * 2000, "is nested too deep", id="nested"),
    ],
)
def test_what_has_no_bounds_is_refused(value: object, what: str) -> None:
    with pytest.raises(DeclarationError) as failed:
        environment.resolve({"x": value}, {})
    assert [(p.place, p.what) for p in failed.value.problems] == [("x", what)]
