"""Topics: the names and settings of Tidegrid's own, and which others can be sources."""

from __future__ import annotations

import re
from collections.abc import Collection

PREFIX = "tidegrid."
CONTROL = f"{PREFIX}control"
RECEIPTS = f"{PREFIX}receipts"
HEALTH = f"{PREFIX}health"
#: What the pipeline and the tables share, each with how it is kept. All have one partition.
OWN = {
    CONTROL: {"cleanup.policy": "delete", "retention.ms": "604800000"},
    RECEIPTS: {"cleanup.policy": "compact"},
    HEALTH: {
        "cleanup.policy": "compact,delete",
        "retention.ms": "3600000",
        "segment.ms": "60000",
        "segment.bytes": "1048576",
    },
}

#: The pipelines of a pair, by what they write; one by itself is the first.
COPIES = ("a", "b")
_CHANGELOG_MAX_BYTES = "4194304"
#: Compacted by key: a topic is as large as its views, and a reader finds all of them in it. What is
#: younger than the lag stays whole, for the event lists.
CHANGELOG_CONFIG = {
    "cleanup.policy": "compact",
    "segment.bytes": "67108864",
    "segment.ms": "600000",
    "min.cleanable.dirty.ratio": "0.5",
    "min.compaction.lag.ms": "600000",
    "max.message.bytes": _CHANGELOG_MAX_BYTES,
}
#: Events are written once each, by several tasks and so in no order: kept by size, not by key.
EVENTS_CONFIG = {
    "cleanup.policy": "delete",
    "retention.ms": "-1",
    "retention.bytes": "67108864",
    "segment.bytes": "16777216",
    "max.message.bytes": _CHANGELOG_MAX_BYTES,
}
#: Whose the topics are that no flow may read, by how their names begin.
_OWNERS = {PREFIX: "Tidegrid", "__": "Kafka"}
_LEGAL = re.compile(r"[A-Za-z0-9._-]{1,249}\Z")


def changelog(flow: str, generation: int, name: str, copy: str = COPIES[0]) -> str:
    """Return the topic of a changelog of one generation; each pipeline of a pair has a copy."""
    topic = f"{PREFIX}{flow}.{generation}.{name}"
    return topic if copy == COPIES[0] else f"{topic}.{copy}"


def copy_of(changelog: str) -> str:
    """Return which of a pair writes a changelog, by its topic."""
    parts = changelog.split(".")
    return parts[4] if len(parts) > 4 else COPIES[0]


def is_legal(name: str) -> bool:
    """Whether Kafka takes a name for a topic."""
    return _LEGAL.match(name) is not None and name not in (".", "..")


def owner(name: str) -> str:
    """Return whose own topic it is, which no flow may read; nothing if it is none such."""
    return next((whose for start, whose in _OWNERS.items() if name.startswith(start)), "")


def not_a_source(topic: str, existing: Collection[str]) -> str:
    """Return why a topic cannot be a source, or nothing if it can."""
    whose = owner(topic)
    if whose == "Kafka":
        return f"{topic} is an internal topic of Kafka"
    if whose:
        return f"{topic} is one of {whose}'s own topics"
    return "" if topic in existing else f"topic {topic} does not exist"
