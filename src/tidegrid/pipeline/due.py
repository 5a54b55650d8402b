"""Due: what is to be built without a control message, decided from settings and receipts alone."""

from __future__ import annotations

from tidegrid.contract.control import Build
from tidegrid.contract.receipts import Ledger, Receipt
from tidegrid.pipeline.flow import FlowPipeline
from tidegrid.settings import Settings


def due(flow: FlowPipeline, settings: Settings, ledger: Ledger) -> tuple[Build, int] | None:
    """Return what is to be built at a start, and the control message it is for; None if nothing is.

    That is what the settings name, if nothing runs or they have changed; and what a control message
    asked for stays until then, but is built anew if other settings shape its rows now.
    """
    lives = ledger.lives(flow.name)
    wanted = flow.wanted(settings) if settings.sources(flow.name) else None
    coming = ledger.coming(flow.name)
    target = ledger.live(flow.name) if coming is None else coming
    if target is None:
        return (wanted, -1) if wanted is not None else None
    asked = [life.birth for life in lives.values() if life.birth.control < 0]
    before = (asked[-1].sources, asked[-1].join) if asked else None
    if wanted is not None and before != (wanted.sources, wanted.join):
        return wanted, -1
    birth = lives[target].birth
    if birth.recipe != flow.recipe(settings):
        return Build(birth.sources, birth.join, birth.starting), birth.control
    return None


def as_asked(birth: Receipt) -> Build:
    """Return what a generation was begun as; from the latest is from when it was begun."""
    starting = birth.at if birth.starting == "latest" else birth.starting
    return Build(birth.sources, birth.join, starting)
