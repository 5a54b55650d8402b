"""Which names a flow, a table, a column and a topic may have."""

from __future__ import annotations

import re

from tidegrid.contract.topics import is_legal, owner

#: The columns that every table has, or may get, beside its own.
EVERY_TABLE = ("ts", "topic", "partition", "offset", "generation")
#: The tables that are about Tidegrid itself.
_OWN = (
    "rejects orchestrator_status generations control_raw preview progress topics health "
    "swap_requests swap_answers topic_requests topic_looks catalogue pages flows"
)
OWN_TABLES = frozenset(_OWN.split())
#: What `tidegrid.toml` has on top: a section of a flow's name fills the placeholders of its file.
SETTINGS = frozenset(
    ("home", "kafka", "broker", "flows", "feed", "pipeline", "swap", "guard", "tables", "logs")
)
#: What Deephaven takes for something else in a formula: Java's words and its own.
_WORDS = (
    "abstract assert boolean break byte case catch char class const continue default do double "
    "else enum extends final finally float for goto if implements import instanceof int interface "
    "long native new package private protected public return short static strictfp super switch "
    "synchronized this throw throws transient try void volatile while true false null _ "
    "in not i ii k"
)
RESERVED = frozenset(_WORDS.split())
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}\Z")
_FLOW = re.compile(r"[a-z][a-z0-9_-]{0,40}\Z")
_NAME = "a name has letters, digits and underscores, at most 100, and begins with no digit"


def name_problem(name: str) -> tuple[str, str] | None:
    """Say what is wrong with a name, and what to do; nothing if it can be used."""
    if not _IDENTIFIER.match(name):
        return "is no name", _NAME
    if name in RESERVED:
        return "is a word that Deephaven reserves", "choose another name"
    if name.lower().startswith("tg_"):
        return "begins with 'tg_', as Tidegrid's own columns do", "choose another name"
    return None


def column_problem(name: str) -> tuple[str, str] | None:
    """Say what is wrong with a column's name, and what to do; nothing if it can be used.

    Spark tells no upper case from lower, so neither does this.
    """
    if name.lower() in EVERY_TABLE:
        return "is a column that every table has", "choose another name"
    return name_problem(name)


def table_problem(name: str) -> tuple[str, str] | None:
    """Say what is wrong with a table's name, and what to do; nothing if it can be used."""
    if name in OWN_TABLES:
        return "is one of Tidegrid's own tables", "choose another name"
    return name_problem(name)


def flow_problem(name: str) -> tuple[str, str] | None:
    """Say what is wrong with a flow's name, and what to do; nothing if it can be used."""
    if name in OWN_TABLES:
        return table_problem(name)
    if name in SETTINGS:
        what = "is a part of tidegrid.toml, which has a section of its name for each flow"
        return what, "choose another name"
    if not _FLOW.match(name):
        return (
            "is no name of a flow",
            "it has small letters, digits, '_' and '-', at most 41, and begins with a letter",
        )
    return None


def topic_problem(topic: str) -> tuple[str, str] | None:
    """Say what is wrong with a topic's name, and what to do; nothing if it can be used."""
    if not is_legal(topic):
        return "is not a topic name", "it has letters, digits, '.', '_' and '-', at most 249"
    if whose := owner(topic):
        return f"is one of {whose}'s own topics", "name a topic of yours"
    return None
