"""The forms in which systems write a time: epoch in three units, ISO-8601 in several zones."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo

SECOND = 10**9


def iso(nanos: int, zone: tzinfo = UTC) -> str:
    """Return a time in nanoseconds since 1970 as ISO-8601, to the microsecond."""
    seconds, rest = divmod(nanos, SECOND)
    at = datetime.fromtimestamp(seconds, zone).replace(microsecond=rest // 1000)
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")


def any_form(rng: random.Random, nanos: int) -> int | str:
    """Return a time in a form by chance; most often it is epoch milliseconds."""
    return rng.choices(_FORMS, weights=_WEIGHTS)[0](nanos)


def _local(hours: float) -> Callable[[int], str]:
    zone = timezone(timedelta(hours=hours))
    return lambda nanos: iso(nanos, zone)


_FORMS: tuple[Callable[[int], int | str], ...] = (
    lambda nanos: nanos // 10**6,
    lambda nanos: nanos // 10**3,
    lambda nanos: nanos,
    iso,
    _local(2),
    _local(-5),
    _local(5.5),
)
_WEIGHTS = (80, 4, 4, 6, 2, 2, 2)
