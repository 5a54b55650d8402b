"""Names that are legal and unique, made of whatever others call their fields and topics."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from tidegrid.contract.declaration import names
from tidegrid.infer.seen import Path

_LONGEST_COLUMN = 60
_LONGEST_FLOW = 41


def column(path: Path, taken: Container[str]) -> str:
    """Return a name for the column at a path; `taken` are those given away, in small letters."""
    name = _legal("_".join(path))[:_LONGEST_COLUMN] or "field"
    if name[0].isdigit() or names.column_problem(name):
        name = f"record_{name}"
    found, count = name, 1
    while found.lower() in taken:
        count += 1
        found = f"{name}_{count}"
    return found


def flow(topic: str) -> str:
    """Return a name for the flow of a topic."""
    name = _legal(topic).lower()
    if not name or not name[0].isalpha() or names.flow_problem(name[:_LONGEST_FLOW]):
        name = f"flow_{name}"
    return name[:_LONGEST_FLOW].rstrip("_")


def source(flow: str) -> str:
    """Return a name for the source of a flow, which its tables begin with."""
    return column((flow,), ("rejects",))


def title(topic: str) -> str:
    """Return a topic's name as a title."""
    words = re.sub(r"[._-]+", " ", topic).strip() or topic
    return words[0].upper() + words[1:]


def _legal(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")
