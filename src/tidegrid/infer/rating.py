"""Rating: how likely each field is the key of its records, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidegrid.infer import words
from tidegrid.infer.seen import Seen
from tidegrid.infer.types import Column, is_date

#: From which scores on a field is likely the key, and may be it.
LIKELY, MAYBE = 45, 25
_LONGEST = 64
_DAYS = {"date", "day"}


@dataclass(frozen=True)
class Rated:
    """A field, how likely it is the key, and what speaks for it."""

    score: float
    column: Column
    why: str


def unique_ids(columns: Sequence[Column], keys: Seen) -> list[Column]:
    """Return the ids that are different in each record, if the Kafka key repeats."""
    if keys.share < 1 or keys.different == len(keys.values):
        return []
    return [
        c
        for c in columns
        if words.IDS.intersection(words.words(c.name)[-1:])
        and c.seen.share == 1
        and c.seen.different == c.seen.of
    ]


def date(columns: Sequence[Column], rated: Sequence[Rated], keys: Seen) -> Column | None:
    """Return the date that there is a row for each of, if nothing else is as likely a key."""
    dates = [c for c in columns if c.guess.type == "time" and c.seen.share == 1 and is_date(c.seen)]
    best = rated[0].score if rated else 0.0
    for date in dates:
        different, name = date.seen.different, set(words.words(date.name))
        if equal(date.seen, keys) and best < LIKELY:
            return date
        if not rated and different >= keys.different:
            return date
        named = name & _DAYS and not name & words.STAYS
        if named and different == date.seen.of and best < MAYBE:
            return date
    return None


def rate(column: Column, topic: str, in_key: bool, partitioned: bool) -> Rated:
    """Rate a field; what a Kafka key is made of that only partitions has nothing of it."""
    seen, name = column.seen, words.words(column.name)
    texts = seen.texts
    count, different = len(texts), seen.different
    reasons: list[str] = []
    score = 0.0
    if in_key:
        score += 0 if partitioned else 60
        reasons.append("it is the Kafka key")
    last = name[-1] if name else ""
    about = {word for word in words.words(topic) if len(word) > 2}
    if last in words.IDS:
        score += 25
        reasons.append("its name")
        of = set(name[:-1])
        if any(w in about or f"{w}s" in about or f"{w}es" in about for w in of):
            score += 30
        elif not of:
            score += 15
        if of & words.EVENTS or last in words.EVENTS:
            score -= 25
    if last in words.KINDS or (last not in words.IDS and set(name) & (words.KINDS | words.MONEY)):
        score -= 20
    if 1 < different < count:
        repeats = 20 if different * 20 > count else 5
        score += 0 if in_key and partitioned else repeats
    elif different == count:
        score += 10
    else:
        score -= 20
    reasons.append(seen.repeats)
    if column.guess.type == "long" and last not in words.IDS:
        score -= 25
    if column.guess.lenient:
        score -= 10
    if any(len(t) > _LONGEST for t in texts.values()):
        score -= 30
    if any(" " in t for t in texts.values()):
        score -= 15
    score -= 4 * (len(seen.path) - 1)
    if seen.share < 1 or not all(texts.values()):
        score -= 40
        reasons.append("not in all records")
    return Rated(score, column, "; ".join(reasons))


def equal(seen: Seen, keys: Seen) -> bool:
    """Whether the field is the Kafka key as text in all records."""
    if not seen.values or keys.share < 1 or seen.share < 1:
        return False
    return all(keys.values.get(i) == text for i, text in seen.texts.items())
