"""Types: what a field is, by all the values that were seen of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tidegrid.contract import records, values
from tidegrid.contract.declaration.types import FieldType
from tidegrid.infer import words
from tidegrid.infer.seen import Record, Seen, kind

_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z")
_ISO = re.compile(r"\d{4}-\d\d")
_DAY = 86_400 * 10**9
#: 2000-01-01 and 2100-01-01: a number that is no time in between is hardly a time at all.
_PLAUSIBLE = range(946_684_800 * 10**9, 4_102_444_800 * 10**9)
_LONGEST_NUMBER = 15


@dataclass(frozen=True)
class Guess:
    """The type of a field, and what speaks for it when it is not plain."""

    type: FieldType
    why: str = ""
    lenient: bool = False


@dataclass(frozen=True)
class Column:
    """A field on its way into the file."""

    name: str
    seen: Seen
    guess: Guess


def guess(seen: Seen, found: Sequence[Record]) -> Guess:
    """Return the type of a field."""
    kinds = set(seen.kinds)
    if not seen.in_value:
        return Guess("string")
    if kinds & {"object", "array"}:
        mixed = f"{counted(seen.kinds)}: kept as JSON" if len(kinds) > 1 else ""
        return Guess("json", mixed)
    if times(seen, found):
        return Guess("time", _unit(seen))
    if kinds == {"boolean"}:
        return Guess("boolean")
    if "boolean" in kinds:
        texts = (v for v in seen.values.values() if isinstance(v, str))
        if kinds == {"boolean", "text"} and all(t.lower() in ("true", "false") for t in texts):
            return Guess("boolean", "some as text", lenient=True)
        return Guess("json", f"{counted(seen.kinds)}: kept as JSON")
    if "huge" in kinds:
        return Guess("scalar", "too large for a number, so read as text")
    if "text" in kinds:
        return _of_texts(seen)
    return _of_numbers(seen, kinds)


def is_date(seen: Seen) -> bool:
    """Whether a field holds days alone."""
    return all(_DATE.match(str(v)) for v in seen.values.values())


def of_key(seen: Seen) -> Guess:
    """Return the type of a time that is a key: it is told apart by how it is written."""
    kinds = set(seen.kinds)
    kind: FieldType = "string" if kinds == {"text"} else "long" if kinds == {"whole"} else "scalar"
    return Guess(kind, "kept as it is written, for it is the key")


def times(seen: Seen, found: Sequence[Record]) -> dict[int, int]:
    """Return the times that a field holds, in epoch nanoseconds; none if it holds others too."""
    found_at = {i: records.nanos(str(v)) for i, v in seen.values.items() if not isinstance(v, bool)}
    there = {i: at for i, at in found_at.items() if at is not None}
    if not there or len(there) < len(seen.values):
        return {}
    if all(_ISO.match(str(v)) for v in seen.values.values()):
        return there
    if not all(at in _PLAUSIBLE for at in there.values()):
        return {}
    named = words.TIMES.intersection(words.words(seen.path[-1]))
    # Without a name that says so, a number is a time if it is about when its record was written.
    is_id = words.IDS.intersection(words.words(seen.path[-1])[-1:])
    near = not is_id and all(abs(at - found[i].timestamp * 10**6) < _DAY for i, at in there.items())
    return there if named or near else {}


def counted(kinds: Counter[str]) -> str:
    """Return what was seen, such as `a text in 3, a number in 5`."""
    names = {
        "text": "a text",
        "whole": "a whole number",
        "number": "a number",
        "huge": "a huge number",
        "boolean": "a boolean",
        "object": "an object",
        "array": "an array",
    }
    return ", ".join(f"{names[kind]} in {n}" for kind, n in kinds.most_common())


def _of_texts(seen: Seen) -> Guess:
    texts = [v for v in seen.values.values() if isinstance(v, str)]
    numbers = [values.number_in(t) for t in texts]
    held = [n for n in numbers if n is not None]
    if len(held) == len(texts) and not _is_label(seen.path[-1], texts):
        others = (v for v in seen.values.values() if not isinstance(v, str))
        kinds = {kind(v) for v in (*held, *others)}
        number = _of_numbers(seen, kinds)
        if "huge" not in kinds:
            said = "numbers as text" if seen.kinds.keys() == {"text"} else counted(seen.kinds)
            why = f"{said}; {number.why}" if number.why else said
            return Guess(number.type, why, lenient=True)
    if seen.kinds.keys() != {"text"}:
        return Guess("scalar", f"{counted(seen.kinds)}: read as text")
    some = f"{len(held)} of {len(texts)} hold a number" if held else ""
    return Guess("string", some if len(held) < len(texts) else "digits that are a name")


def _of_numbers(seen: Seen, kinds: Iterable[str]) -> Guess:
    if "number" not in kinds:
        if words.FRACTIONS.intersection(words.words(seen.path[-1])):
            return Guess("double", "whole so far; by its name it may have a fraction")
        return Guess("long")
    return Guess("double")


def _is_label(name: str, texts: Iterable[str]) -> bool:
    """Whether digits are a name rather than a number, such as a postcode or an account."""
    if words.IDS.intersection(words.words(name)):
        return True
    return any(
        len(t) > _LONGEST_NUMBER or t.startswith("+") or re.match(r"-?0\d", t) for t in texts
    )


def _unit(seen: Seen) -> str:
    numbers = [abs(float(str(v))) for v in seen.values.values() if not _ISO.match(str(v))]
    if not numbers:
        return ""
    names = ("s", "ms", "us", "ns")
    bounds = [bound for bound, _ in records.TIME_UNITS]
    units = dict.fromkeys(names[sum(n >= b for b in bounds)] for n in numbers)
    return f"epoch in {' and '.join(units)}"
