"""An event of the sample data: one record for one of the source topics."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["users", "accounts", "positions"]


@dataclass(frozen=True)
class Event:
    """One record to produce."""

    kind: Kind
    key: bytes | None
    value: bytes | None


def dump(fields: Mapping[str, Any]) -> bytes:
    """Return the value of a record with these fields."""
    return json.dumps(fields, separators=(",", ":")).encode()
