"""Reading a table of a document: what is asked for is checked and taken, the rest is unknown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar, cast

from tidegrid.contract.declaration.problems import Problems, below, quoted

_Choice = TypeVar("_Choice", bound=str)
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION = re.compile(r"([0-9]{1,9})\s*([smhd]?)\Z")
_WHOLE = re.compile(r"-?[0-9]{1,18}\Z")
_LONGEST_EXPRESSION = 2000
_LONGEST_TEXT = 1000
_LONGEST_TIME = 366 * 86400
_MOST = 1_000_000


class Section:
    """One table of a document and where it is."""

    def __init__(self, values: object, place: str, problems: Problems) -> None:
        self.place = place
        self.problems = problems
        self.values: Mapping[str, Any] = values if isinstance(values, Mapping) else {}
        self._asked: dict[str, None] = {}
        if not isinstance(values, Mapping):
            problems.add(place, f"expected a table, got {quoted(values)}")

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def at(self, key: str) -> str:
        """Return the place of a key."""
        return below(self.place, key)

    def wrong(self, key: str, what: str, do: str = "") -> None:
        """Note a problem with the value of a key."""
        self.problems.add(self.at(key), what, do)

    def take(self, key: str, *, needed: bool = False, do: str = "") -> Any:
        """Return a value as it is, or None if it is not there."""
        self._asked[key] = None
        value = self.values.get(key)
        if needed and value is None:
            self.wrong(key, "is missing", do)
        return value

    def text(self, key: str, default: str = "", *, needed: bool = False) -> str:
        """Return a text."""
        value = self.take(key, needed=needed)
        if value is None:
            return default
        if (said := not_text(value)) or (needed and not value):
            self.wrong(key, said or "is empty")
            return default
        return str(value)

    def expression(self, key: str) -> str:
        """Return an expression, which an engine will look at; empty if there is none."""
        value = self.take(key)
        if value is None or not self._is_expression(key, value):
            return ""
        return str(value)

    def number(self, key: str, default: int, *, least: int = 1, most: int = _MOST) -> int:
        """Return a whole number; it may be written as a text, for placeholders are."""
        value = self.take(key)
        if value is None:
            return default
        if isinstance(value, bool) or not _WHOLE.match(_written(value)):
            self.wrong(key, f"expected a whole number, got {quoted(value)}")
            return default
        if not least <= int(value) <= most:
            self.wrong(key, f"{value} is not in {least} to {most}")
            return default
        return int(value)

    def seconds(self, key: str, default: int, *, needed: bool = False) -> int:
        """Return a duration such as "15m" in seconds."""
        value = self.take(key, needed=needed, do='give a duration such as "5s", "15m" or "1h"')
        if value is None:
            return default
        matched = None if isinstance(value, bool) else _DURATION.match(_written(value).strip())
        if not matched:
            self.wrong(key, f"expected a duration such as '5s', '15m' or '1h', got {quoted(value)}")
            return default
        found = int(matched[1]) * _SECONDS[matched[2]]
        if found > _LONGEST_TIME:
            self.wrong(key, f"{quoted(value)} is longer than a year")
            return default
        return found

    def flag(self, key: str) -> bool:
        """Return whether something is so; no if it is not said."""
        value = self.take(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        if value in ("true", "false"):
            return bool(value == "true")
        self.wrong(key, f"expected true or false, got {quoted(value)}")
        return False

    def choice(self, key: str, known: Iterable[_Choice], default: _Choice) -> _Choice:
        """Return one of the words that are known."""
        value = self.take(key)
        if value is None:
            return default
        there = list(known)
        if value not in there:
            self.wrong(key, f"{quoted(value)} is none of {', '.join(filter(None, there))}")
            return default
        return cast(_Choice, value)

    def names(self, key: str, *, needed: bool = False) -> tuple[str, ...]:
        """Return a list of names, each once; one text with commas is a list too."""
        value = self.take(key, needed=needed)
        if value is None:
            return ()
        listed = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
        if not isinstance(listed, list) or any(not isinstance(n, str) or not n for n in listed):
            self.wrong(key, f"expected a list of names, got {quoted(value)}")
            return ()
        if needed and not listed:
            self.wrong(key, "is empty")
        for twice in (name for name, count in Counter(listed).items() if count > 1):
            self.wrong(key, f"{quoted(twice)} is named twice")
        return tuple(dict.fromkeys(listed))

    def pair(self, key: str) -> tuple[str, str]:
        """Return two names, such as a parent and a child."""
        before = len(self.problems.found)
        names = self.names(key)
        if len(names) != 2:
            if len(self.problems.found) == before:
                self.wrong(key, "expected two names in a list, such as ['one', 'other']")
            return "", ""
        return names[0], names[1]

    def expressions(self, key: str) -> dict[str, str]:
        """Return columns by name, each with its expression."""
        value = self.take(key)
        table = Section({} if value is None else value, self.at(key), self.problems)
        return {n: str(e) for n, e in table.values.items() if table._is_expression(n, e)}

    def measures(self, key: str) -> dict[str, str]:
        """Return columns by name, each with its expression; columns may also be just listed."""
        if isinstance(self.values.get(key), list | str):
            return {name: name for name in self.names(key)}
        return self.expressions(key)

    def sections(self, key: str) -> Iterator[tuple[str, Section]]:
        """Yield the tables that a table holds, by their names."""
        value = self.take(key)
        if value is not None:
            held = Section(value, self.at(key), self.problems)
            for name, inner in held.values.items():
                yield name, Section(inner, held.at(name), self.problems)

    def unknown(self) -> None:
        """Note the keys that nobody has asked for."""
        for key in self.values:
            if key not in self._asked and not self.problems.lenient:
                self.wrong(key, "is unknown", self.problems.advice(key, self._asked))

    def _is_expression(self, key: str, value: object) -> bool:
        if not isinstance(value, str) or not value.strip():
            self.wrong(key, f"expected an expression, got {quoted(value)}")
        elif said := not_text(value, _LONGEST_EXPRESSION):
            self.wrong(key, said)
        elif "${" in value:
            # Spark would put settings and the environment of its own machine in.
            self.wrong(key, "'${' in an expression that is not a placeholder", "leave it out")
        else:
            return True
        return False


def _written(value: object) -> str:
    return value if isinstance(value, str) else quoted(value)


def not_text(value: object, most: int = _LONGEST_TEXT) -> str:
    """Say why a value cannot be used as a text; nothing if it can."""
    if not isinstance(value, str):
        return f"expected a text, got {quoted(value)}"
    if len(value) > most:
        return f"is longer than {most:,} characters"
    if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        return f"{quoted(value)} has a character that no text can have"
    return ""
