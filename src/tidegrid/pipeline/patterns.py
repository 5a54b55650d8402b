"""Regular expressions of a declaration: those that Java could try for ever on one text.

Java tries the ways to match one after the other. A repeated group that repeats something itself, or
has alternatives, has as many ways as there are texts of that length, or needs a frame of the stack
for each turn; one record that fits would then hold up the query, or end it at every start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: A character by itself, what is quoted, or a class; classes may be nested.
_ATOM = re.compile(r"\\Q.*?(?:\\E|$)|\\.|\[(?:\\.|\[(?:\\.|[^\\\]])*\]|[^\\\]])*\]|[^\\]", re.S)
_REPEATS = re.compile(r"([*+?]|\{\d+(,?)(\d*)\})([?+]?)")
_REFERS_BACK = re.compile(r"\\[1-9]|\\k<")


@dataclass
class _Group:
    """What is known of a group up to here."""

    repeats: bool = False
    alternatives: bool = False


def problem(pattern: str) -> str:
    """Say what is wrong with a pattern; nothing if it is safe, or if it cannot be read."""
    groups = [_Group()]
    closed: _Group | None = None
    at = 0
    while atom := _ATOM.match(pattern, at):
        at = atom.end()
        text = atom.group()
        if _REFERS_BACK.match(text):
            return "refers back to a group, which can take for ever on a long text"
        closed = None
        if text == "(":
            groups.append(_Group())
            # What stands behind (? is no repetition.
            at = _behind_marks(pattern, at)
            continue
        if text == ")" and len(groups) > 1:
            closed = groups.pop()
            groups[-1].repeats |= closed.repeats
        elif text == "|":
            groups[-1].alternatives = True
            continue
        if not (found := _REPEATS.match(pattern, at)):
            continue
        at = found.end()
        if _is_unbounded(found):
            if closed and (closed.repeats or closed.alternatives):
                return (
                    "repeats a group that repeats something itself or has alternatives, which can "
                    "take for ever on a long text; a class such as [ab] has no such risk"
                )
            # A possessive one is tried in one way only.
            groups[-1].repeats |= found[4] != "+"
    return ""


def _behind_marks(pattern: str, at: int) -> int:
    marks = re.compile(r"\?(?:[:=!>]|<[=!]|<\w+>|[a-zA-Z-]*[:)])").match(pattern, at)
    if marks is None:
        return at
    # A group that only sets flags is closed already; the bracket is read next.
    return marks.end() - 1 if marks.group().endswith(")") else marks.end()


def _is_unbounded(found: re.Match[str]) -> bool:
    return found[1] in ("*", "+") or (found[2] == "," and not found[3])
