"""Regular expressions of a declaration: those that Java could try for ever on one text.

Java tries the ways to match one after the other. A repeated group that can match the same text in
several ways has as many as there are texts of that length, and may need a frame of the stack for
each turn; one record that fits would then hold up the query, or end it at every start.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

#: A character by itself, what is quoted, or a class; classes may be nested.
_ATOM = re.compile(r"\\Q.*?(?:\\E|$)|\\.|\[(?:\\.|\[(?:\\.|[^\\\]])*\]|[^\\\]])*\]|[^\\]", re.S)
_REPEATS = re.compile(r"([*+?]|\{(\d+)(,?)(\d*)\})([?+]?)")
_REFERS_BACK = re.compile(r"\\[1-9]|\\k<")
#: How many ways to match a text Java may have to try, as a power of ten.
_MOST_WAYS = 6
#: What a repetition without an end counts as in a group that is repeated itself.
_ENDLESS = 100


@dataclass
class _Group:
    """What is known of a group up to here."""

    #: In how many ways its repetitions can match a text, and how many alternatives it has.
    ways: float = 1
    alternatives: int = 1

    @property
    def all_ways(self) -> float:
        """In how many ways it can match a text."""
        return self.ways * self.alternatives


def problem(pattern: str) -> str:
    """Say what is wrong with a pattern; nothing if it is safe, or if it cannot be read."""
    groups = [_Group()]
    optional = 0
    at = 0
    while atom := _ATOM.match(pattern, at):
        at = atom.end()
        text = atom.group()
        if _REFERS_BACK.match(text):
            return "refers back to a group, which can take for ever on a long text"
        closed = _Group()
        if text == "(":
            groups.append(_Group())
            # What stands behind (? is no repetition.
            at = _behind_marks(pattern, at)
            continue
        if text == ")" and len(groups) > 1:
            closed = groups.pop()
        elif text == "|":
            groups[-1].alternatives += 1
            continue
        ways = closed.all_ways
        if found := _REPEATS.match(pattern, at):
            at = found.end()
            least, most = _bounds(found)
            optional += most == 1
            if most > 1 and most * math.log10(ways) > _MOST_WAYS:
                return (
                    "repeats a group that repeats something itself or has alternatives, which can "
                    "take for ever on a long text; a class such as [ab], or a repetition that "
                    "gives nothing back such as *+, has no such risk"
                )
            # A possessive one is tried in one way only.
            if found[5] == "+":
                ways = 1
            else:
                ways = ways ** min(most, _ENDLESS) * min(most - least + 1, _ENDLESS)
        groups[-1].ways = min(groups[-1].ways * ways, 1e12)
    if optional * math.log10(2) > _MOST_WAYS:
        return f"has {optional} parts that may be left out, which can take for ever"
    return ""


def _behind_marks(pattern: str, at: int) -> int:
    marks = re.compile(r"\?(?:[:=!>]|<[=!]|<\w+>|[a-zA-Z-]*[:)])").match(pattern, at)
    if marks is None:
        return at
    # A group that only sets flags is closed already; the bracket is read next.
    return marks.end() - 1 if marks.group().endswith(")") else marks.end()


def _bounds(found: re.Match[str]) -> tuple[float, float]:
    """Return how often something is repeated, at least and at most."""
    if found[2] is None:
        return {"*": (0, math.inf), "+": (1, math.inf), "?": (0, 1)}[found[1]]
    least = int(found[2])
    if not found[3]:
        return least, least
    return least, int(found[4]) if found[4] else math.inf
