"""Due: what is to be built without a control message, decided from files and receipts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tidegrid.contract.control import Build, asked, join_of
from tidegrid.contract.declaration.files import with_topics
from tidegrid.contract.receipts import Ledger, Receipt

#: How the reason of a generation begins that was closed because its flow was removed.
REMOVED = "removed by message"


def due(
    flow: str, document: Mapping[str, Any] | None, recipe: Mapping[str, str], ledger: Ledger
) -> tuple[Build, int] | None:
    """Return what is to be built at a start, and the control message it is for; None if nothing is.

    `document` is what the flow's file declares, None if there is no file. It counts if nothing runs
    or it has changed; topics and join of the live generation stay unless the file has others now. A
    flow that was removed stays so until its file changes. What runs is built anew, as it was asked
    for, if its recipe is another one now.
    """
    wanted = _declared(document)
    before = _of_file(ledger, flow)
    newest = ledger.newest(flow)
    if newest is None:
        if wanted is None or not all(wanted.sources.values()):
            return None
        return None if _was_removed(ledger, flow) and wanted.is_like(before) else (wanted, -1)
    if wanted is not None and all(wanted.sources.values()):
        moved = before is None or (wanted.sources, wanted.join) != (before.sources, before.join)
        if moved and not wanted.is_like(asked(newest)):
            return wanted, -1
    if wanted is not None and before is not None and _differs(wanted, before):
        built = _as_live(wanted, newest)
        # A file that was applied before this start has nothing new.
        if not built.is_like(asked(newest)):
            return built, -1
    if newest.recipe != recipe:
        # What an earlier version began has no document of its own.
        again = as_asked(newest) if newest.declaration else wanted and _as_live(wanted, newest)
        return (again, newest.control) if again is not None else None
    return None


def as_asked(birth: Receipt) -> Build:
    """Return what a generation was begun as; from the latest is from when it was begun."""
    return replace(
        asked(birth), starting=birth.at if birth.starting == "latest" else birth.starting
    )


def _declared(document: Mapping[str, Any] | None) -> Build | None:
    if document is None:
        return None
    topics = {name: str(s.get("topic", "")) for name, s in document["sources"].items()}
    return Build(dict(document), topics, join_of(document))


def _of_file(ledger: Ledger, flow: str) -> Build | None:
    """Return what the flow's file declared when it last counted; None if it never did."""
    births = [life.birth for life in ledger.lives(flow).values() if life.birth.control < 0]
    if not births:
        return None
    return _declared(births[-1].declaration) if births[-1].declaration else asked(births[-1])


def _as_live(wanted: Build, live: Receipt) -> Build:
    """Return a declaration with the topics and the join that a generation has."""
    sources = {name: live.sources.get(name, topic) for name, topic in wanted.sources.items()}
    starting = as_asked(live).starting
    return replace(wanted, sources=sources, join=wanted.join and live.join, starting=starting)


def _differs(wanted: Build, before: Build) -> bool:
    """Whether a document has changed in more than its topics and its join."""
    if not before.document:
        return False
    blank = [
        with_topics(b.document, dict.fromkeys(b.sources, ""), b.join and "left")
        for b in (wanted, before)
    ]
    return not Build(blank[0], {}, "").is_like(Build(blank[1], {}, ""))


def _was_removed(ledger: Ledger, flow: str) -> bool:
    lives = ledger.lives(flow)
    return bool(lives) and lives[max(lives)].reason.startswith(REMOVED)
