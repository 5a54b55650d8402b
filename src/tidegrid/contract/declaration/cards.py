"""The cards of a page: what each kind takes, whether it is there, and what it is when left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tidegrid.contract.declaration.card_tables import Tables
from tidegrid.contract.declaration.problems import quoted
from tidegrid.contract.declaration.section import Section

#: How the values of a column are written; none is by the column's type.
FORMATS = (
    *("", "text", "integer", "number", "money", "price", "signed", "percent", "compact"),
    *("time", "date", "bytes"),
)
#: What a card, which hooks and links name, or an address may be called.
SLUG = re.compile(r"[a-z][a-z0-9-]{0,40}\Z")
SLUG_HELP = "use small letters, digits and hyphens, at most 41, beginning with a letter"
_WIDEST = 12
#: A column in the text of a detail, such as {price} or {price:compact}.
_COLUMN = re.compile(r"\{([^{}:]*)(?::([^{}]*))?\}")

#: A card as the page reads it, with everything in it that was left out of the declaration.
Card = dict[str, object]


@dataclass(frozen=True)
class _Kind:
    """The keys of a kind of card that name columns of its table, beside those it reads itself."""

    needed: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    width: int = 6


CARDS: Mapping[str, _Kind] = {
    "grid": _Kind(),
    "tile": _Kind(("value",), ("down",), width=3),
    "bars": _Kind(("x", "y"), ("colour",)),
    "lines": _Kind(("x", "y"), ("by", "weight")),
    "list": _Kind((), ("by",)),
}


def read_card(tables: Tables, card: Section) -> Card:
    """Check one card, and return it as the page reads it; nothing if it is of no kind."""
    kinds = [kind for kind in CARDS if kind in card]
    if len(kinds) != 1:
        what = f"{' and '.join(kinds)} are two kinds" if kinds else "is of no kind"
        card.problems.add(card.place, what, f"a card has one of {', '.join(CARDS)}")
        return {}
    kind = kinds[0]
    names = card.names(kind, needed=True)
    if len(names) > 1 and kind != "grid":
        card.wrong(kind, "expected one table", "only a grid takes several")
    for name in names:
        tables.check(card, kind, name)
    looks = CARDS[kind]
    made: Card = {
        "kind": kind,
        "tables": list(names),
        "title": card.text("title") or (tables.title(names[0]) if names else ""),
        "width": card.number("width", looks.width, most=_WIDEST),
        "name": card.text("name"),
        "hint": card.text("hint"),
        "empty": card.text("empty"),
    }
    if made["name"] and not SLUG.match(str(made["name"])):
        card.wrong("name", f"{quoted(made['name'])} is no name of a card", SLUG_HELP)
    for key in looks.needed:
        if key not in card:
            card.wrong(key, "is missing", f"{kind} needs a column")
    for key in (*looks.needed, *looks.others):
        made[key] = card.text(key, needed=key in card)
        tables.check_columns(card, key, [str(made[key])], names)
    made.update(_OWN[kind](tables, card, names, made))
    card.unknown()
    return made


def _grid(tables: Tables, card: Section, names: tuple[str, ...], _: Card) -> Card:
    forms = card.names("forms")
    if forms and len(forms) != len(names):
        card.wrong("forms", f"expected {len(names)}, one for each table, got {len(forms)}")
    columns = card.names("columns")
    there = dict.fromkeys(
        column for name in names if name in tables.known for column in tables.known[name].columns
    )
    for column in columns:
        if there and column not in there:
            card.problems.missing(card.at("columns"), "no table has a column", column, there)
    sort = card.text("sort")
    if there and sort.removeprefix("-") not in ("", *there):
        missing = sort.removeprefix("-")
        card.problems.missing(card.at("sort"), "no table has a column", missing, there)
    titles = [tables.title(name) for name in names]
    return {"forms": list(forms) or titles, "columns": list(columns), "sort": sort}


def _tile(tables: Tables, card: Section, names: tuple[str, ...], made: Card) -> Card:
    detail = _detail(tables, card, names)
    below = [column for column, _ in _COLUMN.findall(detail)]
    for key, shown in (("value", [made["value"]]), ("down", [made["down"]]), ("detail", below)):
        tables.check_figure(card, key, map(str, shown), names)
    return {
        "detail": detail,
        "trend": tables.table(card, "trend", "bucket", str(made["value"])),
        "unit": card.text("unit"),
        "format": card.choice("format", FORMATS, ""),
    }


def _bars(tables: Tables, card: Section, names: tuple[str, ...], _: Card) -> Card:
    return {
        "detail": _detail(tables, card, names),
        "rows": card.number("rows", 10, most=100),
        "format": card.choice("format", FORMATS, ""),
    }


def _lines(tables: Tables, card: Section, names: tuple[str, ...], made: Card) -> Card:
    tables.check_choice(card, "by", str(made["by"]), names)
    pick = tables.table(card, "pick", str(made["by"]))
    rank = card.text("rank")
    if pick:
        tables.check_columns(card, "rank", [rank], [pick])
    for key in ("pick", "rank"):
        if key in card and not (made["by"] if key == "pick" else pick):
            card.wrong(key, "says nothing", f"it needs {'by' if key == 'pick' else 'pick'}")
    return {"pick": pick, "rank": rank, "format": card.choice("format", FORMATS, "")}


def _list(tables: Tables, card: Section, names: tuple[str, ...], made: Card) -> Card:
    columns = card.names("columns")
    tables.check_columns(card, "columns", columns, names)
    both = card.flag("both")
    if both and not made["by"]:
        card.wrong("both", "says nothing", "it needs by")
    filtered = tables.table(card, "filtered", *columns, str(made["by"]))
    rows = card.number("rows", 10, most=1000)
    return {"columns": list(columns), "rows": rows, "both": both, "filtered": filtered}


_OWN = {"grid": _grid, "tile": _tile, "bars": _bars, "lines": _lines, "list": _list}


def _detail(tables: Tables, card: Section, names: tuple[str, ...]) -> str:
    """Return the text below a figure, with columns in braces; a column alone gets its label."""
    text = card.text("detail")
    if text and "{" not in text:
        tables.check_columns(card, "detail", [text], names)
        return f"{tables.label(text)} {{{text}}}"
    for column, written in _COLUMN.findall(text):
        tables.check_columns(card, "detail", [column or "{}"], names)
        if written not in FORMATS:
            known = ", ".join(filter(None, FORMATS))
            card.wrong("detail", f"{quoted(written)} is none of {known}")
    return text
