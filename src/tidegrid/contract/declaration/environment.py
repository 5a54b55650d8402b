"""Placeholders: `${NAME}`, `${NAME:-default}` and `${NAME-default}` in any text of a document.

As in a shell, `:-` gives the default where the name is not set or empty, and `-` only where it is
not set. A default may hold placeholders of its own. What a name stands for is taken as it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tidegrid.contract.declaration.problems import Problems, below, quoted
from tidegrid.contract.values import LONG

_INSIDE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:(:?-)(.*))?\Z", re.DOTALL)
_NAMED = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)")
_MARK = re.compile(r"\$\{|\}")


def resolve(
    document: Mapping[str, Any], values: Mapping[str, str], where: str = ""
) -> dict[str, Any]:
    """Return the document with its placeholders replaced; nothing in it is left that JSON lacks."""
    problems = Problems(where)
    resolved = fill(document, values, problems)
    problems.check()
    return resolved


def fill(
    document: Mapping[str, Any], values: Mapping[str, str], problems: Problems
) -> dict[str, Any]:
    """Return the document as `resolve` does; what cannot be resolved is noted, and left out."""
    resolved: dict[str, Any] = {}
    for key, value in document.items():
        try:
            resolved[key] = _value(value, values, below("", key), problems)
        except RecursionError:
            problems.add(below("", key), "is nested too deep", "write it with fewer levels")
    return resolved


def prefix(flow: str) -> str:
    """Return what the names begin with that a section of `tidegrid.toml` sets for a flow."""
    return f"TIDEGRID_{flow}_".upper().replace("-", "_")


def names(value: object) -> set[str]:
    """Return the names that the placeholders of a document ask for."""
    try:
        return {name for text in _texts(value) for name in _NAMED.findall(text)}
    except RecursionError:
        # Whoever resolves it says so.
        return set()


def in_order(text: str) -> list[str]:
    """Return the names that a placeholder asks for, the one that counts most first."""
    return _NAMED.findall(text)


def placeholders(value: object) -> dict[str, str]:
    """Return the placeholders of a document as they are written, by the names they begin with.

    Those inside a default are not apart, and of several with the same name the first is taken.
    """
    found: dict[str, str] = {}
    for text in _texts(value):
        end = -1
        while (start := text.find("${", end + 1)) >= 0 and (end := _closing(text, start)) >= 0:
            if matched := _NAMED.match(text, start):
                found.setdefault(matched[1], text[start : end + 1])
    return found


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _value(value: Any, values: Mapping[str, str], place: str, problems: Problems) -> Any:
    if isinstance(value, str):
        return _text(value, values, place, problems)
    if isinstance(value, Mapping):
        return {k: _value(v, values, below(place, k), problems) for k, v in value.items()}
    if isinstance(value, list):
        return [_value(v, values, f"{place}[{i}]", problems) for i, v in enumerate(value)]
    if isinstance(value, int):
        # Larger ones cannot even be shown: Python bounds the digits it writes.
        if value not in LONG:
            problems.add(place, "is a number of more than 64 bits", "write a smaller one")
    elif not isinstance(value, float) or not math.isfinite(value):
        problems.add(place, f"{quoted(str(value))} cannot be used here", "write it as a text")
    return value


def _text(text: str, values: Mapping[str, str], place: str, problems: Problems) -> str:
    done = []
    rest = text
    while (start := rest.find("${")) >= 0:
        end = _closing(rest, start)
        if end < 0:
            problems.add(place, f"'${{' is never closed in {quoted(text)}", "add the '}'")
            return text
        done += [rest[:start], _one(rest[start + 2 : end], values, place, problems)]
        rest = rest[end + 1 :]
    return "".join((*done, rest))


def _closing(text: str, start: int) -> int:
    depth = 0
    for mark in _MARK.finditer(text, start):
        depth += 1 if mark.group() == "${" else -1
        if depth == 0:
            return mark.start()
    return -1


def _one(inside: str, values: Mapping[str, str], place: str, problems: Problems) -> str:
    matched = _INSIDE.match(inside)
    if not matched:
        problems.add(
            place, f"{quoted('${' + inside + '}')} is no placeholder", "write ${NAME:-default}"
        )
        return ""
    name, kind, default = matched.groups()
    value = values.get(name)
    if value is not None and (value or kind != ":-"):
        return value
    if kind is None:
        problems.add(
            place,
            f"{name} is not set",
            f"set it in the environment or write ${{{name}:-default}}",
        )
        return ""
    return _text(default, values, place, problems)
