"""Values of JSON in plain Python, read as strictly as the pipeline reads them."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NoReturn

WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)
LONG = range(-(2**63), 2**63)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?\Z", re.ASCII)
_LONGEST_WHOLE = 1000
_SMALLEST = 1e-300


def unwrapped(value: bytes) -> bytes | None:
    """Return what is inside base64; None if it is none."""
    try:
        return base64.b64decode(b"".join(value.split()), validate=True)
    except binascii.Error:
        return None


def parsed(value: bytes) -> list[Any]:
    """Return the JSON values in a text, strictly read; fails as `json` does if there is no JSON."""
    # In an array, where a second value behind the first can be seen.
    text = f"[{value.decode()}]"
    return list(json.loads(text, parse_float=_fraction, parse_constant=_refuse))


def value_at(value: object, path: Iterable[str]) -> object:
    """Return what is at a path of names in nested objects; None if there is nothing."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def kind_of(*value: object) -> str:
    """Return what a value is in the words of JSON; of no value, that there is nothing."""
    if not value:
        return "nothing"
    names = {dict: "an object", list: "an array", str: "a text", bool: "a boolean"}
    return "null" if value[0] is None else names.get(type(value[0]), "a number")


def is_number(value: object) -> bool:
    """Whether a value of JSON is a number."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def number_in(text: str) -> int | Decimal | None:
    """Return the number that a text holds; None if it holds none."""
    stripped = text.strip(" ")
    if WHOLE.match(stripped):
        return int(stripped) if len(stripped) <= _LONGEST_WHOLE else None
    return Decimal(stripped) if _NUMBER.match(stripped) else None


def _fraction(text: str) -> Decimal:
    # A decimal has bounds too, and fails beyond them.
    near = float(text)
    return Decimal(text) if _SMALLEST < abs(near) < float("inf") else Decimal(near)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
