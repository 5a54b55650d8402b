"""Flow files, written: a document as TOML, with what there is to say about its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tidegrid.contract.values import value_at

#: Where a value is in a document: the names on the way to it.
Place = tuple[str, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_LINE_CHARS = 98
#: The tables whose tables have headings of their own, and what a source has of such.
_NAMED = ("sources", "lookups", "views", "screens")
_OF_A_SOURCE = ("fields", "columns")


@dataclass(frozen=True)
class Comments:
    """What to say in a file; any text, which is made fit for a comment."""

    #: At the top.
    top: tuple[str, ...] = ()
    #: Above a value or a heading; of a value that is missing, where its table ends.
    above: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)
    #: Beside a value.
    beside: Mapping[Place, str] = field(default_factory=dict)

    def still_true(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> Comments:
        """Return those that are about what is in one document as in the other."""

        def stays(place: Place) -> bool:
            if _is_section(place):
                return (value_at(before, place) is None) == (value_at(after, place) is None)
            return value_at(before, place) == value_at(after, place)

        return replace(
            self,
            above={place: said for place, said in self.above.items() if stays(place)},
            beside={place: said for place, said in self.beside.items() if stays(place)},
        )


def text(document: Mapping[str, Any], comments: Comments | None = None) -> str:
    """Return a document as a flow file; what TOML has no word for, JSON's null, is left out."""
    said = comments or Comments()
    lines = [line for remark in said.top for line in _comment(remark)]
    return "\n".join([*lines, *_table((), document, said)]) + "\n"


def quoted(value: str) -> str:
    """Return a text as TOML writes it; what cannot be seen is written as its number."""
    return f'"{"".join(_escaped(c) for c in value)}"'


def printable(value: str, most: int) -> str:
    """Return a text from outside in one printable line, cut short."""
    plain = "".join(c if c.isprintable() else " " for c in value)
    return plain if len(plain) <= most else f"{plain[:most]}..."


def _table(place: Place, table: Mapping[str, Any], comments: Comments) -> Iterator[str]:
    inner = {k: v for k, v in table.items() if isinstance(v, Mapping) and _is_section((*place, k))}
    cards = table.get("cards") if place == ("page",) else None
    listed = isinstance(cards, list) and all(isinstance(card, Mapping) for card in cards)
    plain = {k: v for k, v in table.items() if k not in inner and not (listed and k == "cards")}
    if place and (plain or not (inner or listed)):
        yield ""
        yield from _above(place, comments)
        yield f"[{_path(place)}]"
    for key, value in plain.items():
        if value is not None:
            yield from _above((*place, key), comments)
            beside = comments.beside.get((*place, key))
            said = f"   # {printable(beside, 400)}" if beside else ""
            yield f"{_key(key)} = {_value(value)}{said}"
    for missing in comments.above:
        if missing[:-1] == place and missing and missing[-1] not in table:
            yield from _above(missing, comments)
    for key, value in inner.items():
        yield from _table((*place, key), value, comments)
    for card in cards if listed and cards else ():
        yield from ("", f"[[{_path((*place, 'cards'))}]]")
        yield from (f"{_key(k)} = {_value(v)}" for k, v in card.items() if v is not None)


def _is_section(place: Place) -> bool:
    """Whether a table at this place has a heading; any other is written in its line."""
    if len(place) == 1:
        return True
    if len(place) == 2:
        return place[0] in _NAMED
    return len(place) == 3 and place[0] == "sources" and place[2] in _OF_A_SOURCE


def _above(place: Place, comments: Comments) -> Iterator[str]:
    for said in comments.above.get(place, ()):
        yield from _comment(said)


def _comment(said: str) -> Iterator[str]:
    line = "#"
    for word in printable(said, 2000).split():
        if len(line) + len(word) >= _LINE_CHARS:
            yield line
            line = "#"
        line += f" {word}"
    yield line


def _value(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        pairs = (f"{_key(k)} = {_value(v)}" for k, v in value.items() if v is not None)
        return f"{{ {', '.join(pairs)} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(v) for v in value if v is not None)}]"
    return repr(value)


def _path(place: Iterable[str]) -> str:
    return ".".join(map(_key, place))


def _key(key: str) -> str:
    return key if _BARE.match(key) else quoted(key)


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
