"""Records that cannot be used, of the kinds that real topics have, each made of a good one."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tidegrid.feed.event import dump

Fields = dict[str, Any]
Spoil = Callable[[Fields], bytes | None]

#: How many of the bad records are huge: few, for each weighs as much as thousands of others.
_HUGE_RATIO = 0.02


def choose(rng: random.Random, spoils: tuple[Spoil, ...]) -> Spoil:
    """Return one of the ways to spoil a record; seldom it is `huge`."""
    return huge if rng.random() < _HUGE_RATIO else rng.choice(spoils)


def huge(fields: Fields) -> bytes:
    """Return a record that is right in every way but its size, about a megabyte."""
    return dump({**fields, "note": "long " * 190_000})


def with_fields(**others: Any) -> Spoil:
    """Return a way to spoil a record by other values of some fields."""
    return lambda fields: dump({**fields, **others})


def with_text(name: str, text: bytes) -> Spoil:
    """Return a way to spoil a record by a field whose JSON is this text, valid or not."""
    return lambda fields: dump({**fields, name: "@"}).replace(b'"@"', text)


def without(name: str) -> Spoil:
    """Return a way to spoil a record by leaving out a field."""
    return lambda fields: dump({n: value for n, value in fields.items() if n != name})


def anywhere(key: str) -> tuple[Spoil, ...]:
    """Return what any topic can have whose records need a text in the field `key`."""
    return (
        lambda fields: dump(fields)[: len(dump(fields)) // 2],
        with_text(key, b'"\xff\xfe"'),
        lambda _: None,
        lambda _: b"",
        lambda fields: b"[" + dump(fields) + b"]",
        lambda _: b"42",
        lambda fields: b"{not json} " + str(fields[key]).encode(),
        with_fields(**{key: None}),
        with_fields(**{key: ""}),
        without(key),
    )
