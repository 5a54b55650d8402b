"""The page of a flow: address, filter and cards, ready to be drawn, and whether all is there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from graphlib import CycleError

from tidegrid.contract.declaration.card_tables import Tables
from tidegrid.contract.declaration.cards import SLUG, SLUG_HELP, Card, read_card
from tidegrid.contract.declaration.check_screens import shapes
from tidegrid.contract.declaration.names import EVERY_TABLE
from tidegrid.contract.declaration.problems import Problems, below, quoted
from tidegrid.contract.declaration.section import Section
from tidegrid.contract.declaration.tables import Shape
from tidegrid.contract.declaration.types import Events, Flow, Latest

#: What gives a value its colour: its sign, or how it has changed.
TONES = ("", "sign", "change")
#: The table of every flow that no view declares.
_REJECTS = Shape(dict.fromkeys((*EVERY_TABLE, "reason", "value"), ""), None)
#: The addresses of the pages that are of no flow.
TAKEN = ("operations", "rejects", "table")


def check_looks(
    flow: Flow, page: Section | None, unread: Collection[str], problems: Problems
) -> None:
    """Note what is wrong with `[columns]` and `[page]`; tables that are `unread` are not missed."""
    try:
        known = shapes(flow)
    except CycleError:
        return
    there = dict.fromkeys(name for shape in known.values() for name in shape.columns)
    for name in flow.columns:
        if name not in there and len(known) == len(flow.views) + len(flow.screens) and not unread:
            problems.missing(below("columns", name), "no table has a column", name, there)
    if page:
        _page(Tables(flow, {**known, "rejects": _REJECTS}, unread), page)


def page_of(flow: Flow) -> Card:
    """Return the page of a flow that was checked: path, title, filter, and cards in their order."""
    known = {**shapes(flow), "rejects": _REJECTS}
    page = {**_default_page(flow), **(flow.page or {})}
    return _page(Tables(flow, known, ()), Section(page, "page", Problems("", lenient=True)))


def _default_page(flow: Flow) -> Card:
    """Return the cards of a flow that has none: a grid for each view, both forms in one.

    They stand two by two, and one that is left over has the whole width.
    """
    cards: list[dict[str, object]] = []
    events = [v for v in flow.views.values() if isinstance(v, Events)]
    latest = {v.source for v in flow.views.values() if isinstance(v, Latest)}
    for view in flow.views.values():
        if isinstance(view, Events) and view.source in latest:
            continue
        names = [view.name]
        if isinstance(view, Latest):
            names += [v.name for v in events if v.source == view.source]
        cards.append({"grid": names})
    if len(cards) % 2:
        cards[-1]["width"] = 12
    if len(cards) == 1:
        # The title of its table would be that of one form alone.
        cards[0]["title"] = flow.title
    return {"cards": cards}


def _page(tables: Tables, page: Section) -> Card:
    chosen = page.text("filter")
    title = page.text("title") or tables.flow.title
    cards = page.take("cards")
    if cards is not None and not isinstance(cards, list):
        page.wrong("cards", "expected cards", "write each as [[page.cards]]")
        cards = None
    made = [
        read_card(tables, Section(card, f"{page.at('cards')}[{number}]", page.problems))
        for number, card in enumerate(cards or ())
    ]
    path = _path(page, tables.flow.name)
    page.unknown()
    _name(page, [card for card in made if card])
    shown = [name for card in made for name in _listed(card.get("tables"))]
    there = [tables.known[name] for name in (shown or tables.known) if name in tables.known]
    columns = dict.fromkeys(name for shape in there for name in shape.columns)
    if chosen and there and chosen not in columns:
        page.problems.missing(page.at("filter"), "no table has a column", chosen, columns)
    tables.check_choice(page, "filter", chosen, shown or tables.known)
    return {"path": path, "title": title, "filter": chosen, "cards": [c for c in made if c]}


def _path(page: Section, flow: str) -> str:
    """Return the address of the page; by the name of its flow if it has none of its own."""
    path = page.text("path")
    if path in TAKEN:
        page.wrong("path", f"{quoted(path)} is a page of Tidegrid's own", "choose another one")
    elif path and not SLUG.match(path):
        page.wrong("path", f"{quoted(path)} is no address", SLUG_HELP)
    return path or (f"{flow}-flow" if flow in TAKEN else flow)


def _name(page: Section, cards: Iterable[Card]) -> None:
    """Give each card that has none a name by its title, and note names that are not unique."""
    named: set[object] = set()
    for card in cards:
        if card["name"] and card["name"] in named:
            page.wrong("cards", f"two cards have the name {quoted(card['name'])}", "rename one")
        named.add(card["name"])
    named.discard("")
    for card in cards:
        if not card["name"]:
            words = "-".join(re.findall(r"[a-z0-9]+", str(card["title"]).lower()))
            slug = words if SLUG.match(words) else str(card["kind"])
            numbers = (f"{slug}-{n}" for n in range(2, len(named) + 3))
            card["name"] = next(name for name in (slug, *numbers) if name not in named)
            named.add(card["name"])


def _listed(value: object) -> list[str]:
    return value if isinstance(value, list) else []
