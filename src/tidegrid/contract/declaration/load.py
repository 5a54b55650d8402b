"""From a document, the plain values that a flow file or a message holds, to a typed flow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tidegrid.contract.declaration import environment, operators, sources
from tidegrid.contract.declaration.cards import FORMATS
from tidegrid.contract.declaration.check import check
from tidegrid.contract.declaration.page import TONES, check_looks
from tidegrid.contract.declaration.problems import DeclarationError, Problems, quoted
from tidegrid.contract.declaration.section import Section
from tidegrid.contract.declaration.tables import with_rest
from tidegrid.contract.declaration.types import ColumnStyle, Flow

#: The place of an item in its list.
_ITEM = re.compile(r"(\[\d+\])+\Z")


def read(
    raw: Mapping[str, Any], values: Mapping[str, str], name: str, where: str
) -> tuple[dict[str, Any], Flow]:
    """Return a document with its placeholders resolved, and the flow that it declares.

    A placeholder that is not set hides no other problem: all are raised at once.
    """
    problems = Problems(where)
    document = environment.fill(raw, values, problems)
    unknown = tuple(_ITEM.sub("", problem.place) for problem in problems.found)
    try:
        flow = parse(document, name, where, unread=unknown)
    except DeclarationError as e:
        # What is said of a value that is not known is said already.
        within = tuple(f"{place}." for place in unknown)
        others = (p for p in e.problems if not f"{p.place}.".startswith(within))
        raise DeclarationError((*problems.found, *others)) from e
    problems.check()
    return document, flow


def parse(
    document: Mapping[str, Any],
    name: str,
    where: str = "",
    lenient: bool = False,
    unread: Iterable[str] = (),
) -> Flow:
    """Return the flow that a document declares, checked as a whole.

    Its placeholders are resolved already. All that is wrong is raised at once, as one
    `DeclarationError` that names the file as `where`. With `lenient`, unknown keys are ignored: a
    newer version may have written them. Where something is `unread`, what it may use is not missed.
    """
    problems = Problems(where, lenient=lenient)
    top = Section(document, "", problems)
    title = top.text("title") or name
    declared = {key: sources.source(key, t) for key, t in top.sections("sources")}
    lookups = {key: sources.lookup(key, t) for key, t in top.sections("lookups")}
    views = {key: operators.view(key, t) for key, t in top.sections("views")}
    screens = {key: operators.screen(key, t) for key, t in top.sections("screens")}
    missing = {*unread, *(k for of in (views, screens) for k, table in of.items() if not table)}
    page = top.take("page")
    flow = Flow(
        name=name,
        title=title,
        sources=declared,
        views={key: view for key, view in views.items() if view},
        lookups=lookups,
        screens={key: screen for key, screen in screens.items() if screen},
        columns={key: _style(t) for key, t in top.sections("columns")},
        rejects_keep=top.number("rejects", 1000),
        page=page if isinstance(page, Mapping) else None,
    )
    flow = replace(flow, views={key: with_rest(flow, v) for key, v in flow.views.items()})
    # A message names its flow inside, a file by its own name.
    if top.text("name", name) != name:
        top.wrong("name", f"is not {quoted(name)}, the name of the flow", "leave it out")
    top.unknown()
    check(flow, missing, problems)
    cards = None if page is None else Section(page, "page", problems)
    check_looks(flow, cards, missing, problems)
    problems.check()
    return flow


def _style(table: Section) -> ColumnStyle:
    found = ColumnStyle(
        label=table.text("label"),
        format=table.choice("format", FORMATS, ""),
        tone=table.choice("tone", TONES, ""),
        width=table.number("width", 0, least=24, most=2000),
    )
    table.unknown()
    return found
