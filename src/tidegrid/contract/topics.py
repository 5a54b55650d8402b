"""The names of Tidegrid's own topics, and how each is kept."""

PREFIX = "tidegrid."
RECEIPTS = "tidegrid.receipts"

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
RECEIPTS_CONFIG = {"cleanup.policy": "compact"}


def changelog(flow: str, generation: int, name: str) -> str:
    """Return the topic of a changelog of one generation."""
    return f"{PREFIX}{flow}.{generation}.{name}"
