"""What is wrong with a declaration: one line each, with the place and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

_BARE = re.compile(r"[A-Za-z0-9_-]{1,60}\Z")
_MOST_SHOWN = 60
_MOST_LISTED = 12
#: Problems that come with the nearest right name. To look for it takes its time, and a message may
#: hold thousands.
_MOST_ADVISED = 50


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: in which file, where in it, what it is, and what to do."""

    where: str
    place: str
    what: str
    do: str = ""

    def __str__(self) -> str:
        said = f"{self.what}; {self.do}" if self.do else self.what
        return ": ".join(part for part in (self.where, self.place, said) if part)


class DeclarationError(Exception):
    """A declaration cannot be used; its text has one line for each problem."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class Problems:
    """Collects what is wrong with one file, so that all of it is said at once."""

    def __init__(self, where: str = "", *, lenient: bool = False) -> None:
        self.where = where
        #: Whether unknown keys are ignored: a newer version may have written them.
        self.lenient = lenient
        self.found: list[Problem] = []

    def add(self, place: str, what: str, do: str = "") -> None:
        """Note a problem."""
        self.found.append(Problem(self.where, place, what, do))

    def name(self, place: str, name: str, said: tuple[str, str] | None) -> bool:
        """Note what is `said` of a name, if anything is; whether something was."""
        if said:
            self.add(place, f"{quoted(name)} {said[0]}", said[1])
        return said is not None

    def missing(self, place: str, what: str, name: str, known: Iterable[str]) -> None:
        """Note a name of something that is not there, with the nearest one that is."""
        self.add(place, f"{what} {quoted(name)}", self.advice(name, known))

    def advice(self, name: str, known: Iterable[str]) -> str:
        """Return the nearest right name, unless there are too many problems to look for it."""
        return nearest(name, known) if len(self.found) < _MOST_ADVISED else ""

    def columns(self, place: str, named: Iterable[str], there: Iterable[str]) -> None:
        """Note the names that are no columns of a table."""
        for name in named:
            if name == "generation":
                self.add(place, "'generation' is in every table", "leave it out")
            elif name and name not in there:
                self.missing(place, "there is no column", name, there)

    def check(self) -> None:
        """Raise all that was noted, if anything was."""
        if self.found:
            raise DeclarationError(self.found)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return advice for a word that is not known: the one that was meant, or all there are."""
    there = list(known)
    if not there:
        return ""
    lower = {name.lower(): name for name in there}
    close = get_close_matches(word.lower(), lower, n=1)
    if close:
        return f"did you mean {quoted(lower[close[0]])}?"
    return f"there are {listed(there)}"


def listed(names: Iterable[str]) -> str:
    """Return names with commas, as a problem shows them."""
    there = list(names)
    more = ["..."] if len(there) > _MOST_LISTED else []
    return ", ".join([below("", name) for name in there[:_MOST_LISTED]] + more)


def quoted(value: object) -> str:
    """Return a value as a problem shows it: in quotes, on one line, cut short."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        # Python bounds the digits that it writes, and how deep it goes.
        return f"a value of type {type(value).__name__} that is too large to show"
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."


def below(place: str, key: str) -> str:
    """Return the place of a key in the table at a place, as TOML writes it."""
    part = key if _BARE.match(key) else quoted(key)
    return f"{place}.{part}" if place else part
