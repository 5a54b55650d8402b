"""Health: what each part says of itself, as JSON records on a compacted topic, newest per part."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

TOPIC = "tidegrid.health"
TOPIC_CONFIG = {
    "cleanup.policy": "compact,delete",
    "retention.ms": "3600000",
    "segment.ms": "60000",
    "segment.bytes": "1048576",
}
#: How often a part reports, in seconds; one that has not for `STALE` is taken for gone.
EVERY, STALE = 2.0, 8.0


@dataclass(frozen=True)
class Health:
    """One report of a part."""

    part: str
    at: float
    state: str
    generation: int = 0
    detail: str = ""
    #: Rows of each view.
    rows: dict[str, int] = field(default_factory=dict)
    #: Seconds from the newest event seen to this report.
    age: float | None = None
    restarts: int = 0

    def to_json(self) -> str:
        """Return the report as the JSON that goes on the topic."""
        return json.dumps(asdict(self), separators=(",", ":"))


def parse(value: bytes | str | None) -> Health | None:
    """Return the report in a record, or None if the record holds none."""
    try:
        report = Health(**json.loads(value or b""))
    except (ValueError, TypeError, RecursionError):
        return None
    usable = (
        isinstance(report.part, str)
        and isinstance(report.state, str)
        and isinstance(report.at, int | float)
        and isinstance(report.rows, dict)
    )
    return report if usable else None
