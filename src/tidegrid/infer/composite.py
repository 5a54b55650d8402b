"""Keys of two columns: whether a likely key is only half of one, as the order of an order line is.

Half a key is worse than none: one line of each order would be left, and a delete would take it. But
an entity that is written again and again repeats its key too, and a version tells its records
apart. So names count, how values repeat, and what was written together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median

from tidegrid.contract.values import number_in
from tidegrid.infer import words
from tidegrid.infer.seen import Seen
from tidegrid.infer.types import Column

#: The share of records that must be as expected: a line may be corrected, or an order cut in two.
_NEARLY = 0.9
#: So many pairs of records of one key should be alike by chance before it says something that no
#: more than a part of those are.
_ENOUGH, _MUCH_LESS = 5, 0.25
#: Records of one key are written together if they are this much nearer than if keys took turns.
_NEARER = 4

#: The numbers of the records of each key, in the order in which they were written.
_Groups = Collection[Sequence[int]]


def halves(likeliest: Column, columns: Sequence[Column]) -> tuple[Column, Column] | None:
    """Return both columns of the key that the likeliest column is half of; None if it is whole."""
    for whole in columns if is_of_lines(likeliest) else ():
        more = whole.seen.different > likeliest.seen.different
        if more and _last(whole) in words.IDS and second([whole.seen], [likeliest]):
            return whole, likeliest
    part = second([likeliest.seen], columns)
    return (likeliest, part) if part else None


def second(key: Sequence[Seen], columns: Iterable[Column]) -> Column | None:
    """Return the column that tells the records of a key apart, if they are not versions of one."""
    groups = _groups(key)
    found = [c for c in columns if _may_be_part(c, key) and _completes(c, groups)]
    return min(found, key=lambda c: (not is_of_lines(c), c.seen.different), default=None)


def differing(key: Sequence[Seen], columns: Iterable[Column]) -> list[Column]:
    """Return the ids that are mostly others from one record of a key to the next."""
    groups = _groups(key)
    return [c for c in columns if _may_be_part(c, key) and _differs(c.seen.texts, groups)]


def _groups(key: Sequence[Seen]) -> _Groups:
    found: dict[tuple[str, ...], list[int]] = {}
    texts = [seen.texts for seen in key]
    for i in sorted(texts[0]):
        found.setdefault(tuple(t.get(i, "") for t in texts), []).append(i)
    return found.values()


def _may_be_part(column: Column, key: Sequence[Seen]) -> bool:
    said = set(words.words(column.name))
    if said & words.VERSIONS or (said & words.EVENTS and not said & words.LINES):
        return False
    named = _last(column) in words.IDS | words.LINES | words.COUNTERS and not said & words.KINDS
    return named and column.seen.share == 1 and column.seen not in key


def is_of_lines(column: Column) -> bool:
    """Whether a column is named as what counts the parts of a thing."""
    return bool(words.LINES.intersection(words.words(column.name)))


def _last(column: Column) -> str:
    return next(reversed(words.words(column.name)), "")


def _completes(column: Column, groups: _Groups) -> bool:
    texts = column.seen.texts
    count = sum(map(len, groups))
    pairs = sum(len({texts.get(i) for i in group}) for group in groups)
    # What hardly repeats over keys is an id of its own.
    if pairs < _NEARLY * count or column.seen.different > _NEARLY * pairs:
        return False
    together = _are_together(groups)
    if not together and not _is_no_chance(texts, groups, column.seen.different):
        return False
    return is_of_lines(column) or not _is_version(texts, groups, together)


def _are_together(groups: _Groups) -> bool:
    gaps = [after - before for group in groups for before, after in pairwise(group)]
    return bool(gaps) and median(gaps) * _NEARER <= len(groups)


def _is_no_chance(texts: Mapping[int, str], groups: _Groups, different: int) -> bool:
    """Whether much fewer records of a key have the same value than if it were any of them."""
    by_chance = sum(map(_pairs, map(len, groups))) / different
    alike = sum(sum(map(_pairs, Counter(texts.get(i) for i in g).values())) for g in groups)
    return by_chance >= _ENOUGH and alike <= _MUCH_LESS * by_chance


def _pairs(count: int) -> float:
    return count * (count - 1) / 2


def _is_version(texts: Mapping[int, str], groups: _Groups, together: bool) -> bool:
    """Whether a number grows with each record of a key, and does not count the lines of one."""
    numbers = {i: n for i, text in texts.items() if (n := number_in(text)) is not None}
    if len(numbers) < len(texts):
        return False
    steps = [numbers[b] > numbers[a] for group in groups for a, b in pairwise(group)]
    [(_, alike)] = Counter(numbers[group[0]] for group in groups).most_common(1)
    counts_lines = together and alike * 2 >= len(groups)
    return sum(steps) >= _NEARLY * len(steps) and not counts_lines


def _differs(texts: Mapping[int, str], groups: _Groups) -> bool:
    steps = [texts.get(a) != texts.get(b) for group in groups for a, b in pairwise(group)]
    return sum(steps) * 2 > len(steps)
