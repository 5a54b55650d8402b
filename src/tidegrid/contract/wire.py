"""Wire: how records of Tidegrid's own topics are read, so that parts of other versions get on.

Unknown fields are ignored and missing ones have their defaults; whatever else does not fit is
malformed, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import msgspec

T = TypeVar("T")


@dataclass(frozen=True)
class Malformed:
    """A record that cannot be read, and why."""

    reason: str


def decode(decoder: msgspec.json.Decoder[T], value: bytes | str | None) -> T | Malformed:
    """Return what is in a record."""
    try:
        return decoder.decode(value or b"")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as e:
        return Malformed(str(e))
