"""Replacement: what cannot go on, since records that it has still to read are gone, is built anew.

That is so when the pipeline was away for longer than the topics keep their records, or when a topic
was removed and made again. Viewers see what they saw until the new one takes over; if it does not,
as when the guard is against it, another one is built a while later.
"""

from __future__ import annotations

import time

from tidegrid import logs
from tidegrid.contract.declaration import DeclarationError
from tidegrid.errors import KafkaError, PipelineError
from tidegrid.pipeline.due import as_asked
from tidegrid.pipeline.generations import Generations
from tidegrid.pipeline.slots import Engine
from tidegrid.retry import Retry

_log = logs.get("pipeline")


class Replacement:
    """Looks for generations of one flow that cannot go on, and begins others in their place."""

    def __init__(self, generations: Generations) -> None:
        self._generations = generations
        #: Generations that others are built for, and why.
        self._lost: dict[int, str] = {}
        self._retry, self._next = Retry(first=2, longest=60), 0.0

    def look(self, engine: Engine) -> None:
        """Begin a generation in the place of one that cannot go on, if there is one."""
        generations, flow = self._generations, self._generations.flow
        ledger, running = generations.ledger, generations.running
        live, pending = ledger.live(flow), ledger.pending(flow)
        # One that comes beside a live one is given up like any that keeps failing.
        number = pending if live is None else live if pending is None else None
        if number is None or time.monotonic() < self._next:
            return
        query = running[number].query if number in running else None
        if query is not None and query.lost:
            self._lost[number] = f"records that it has still to read are gone: {query.lost}"
        if number not in self._lost:
            return
        self._next = time.monotonic() + self._retry.wait()
        birth, reason = ledger.lives(flow)[number].birth, self._lost[number]
        about = {"flow": flow, "generation": number}
        try:
            generation = generations.draft(engine.spark, as_asked(birth), birth.control)
            generation.make_topics()
        except (DeclarationError, KafkaError, PipelineError) as e:
            _log.warning("%s: %s; looking again", flow, e, extra=about)
            return
        _log.warning("%s generation %d: %s; building anew", flow, number, reason, extra=about)
        if number == pending:
            generations.end(number, "failed", reason)
        elif number in running:
            running.pop(number).stop()
        generations.begin(engine, generation)

    def stands_for(self, number: int) -> bool:
        """Whether another one is built in the place of a generation, or is to be."""
        return number in self._lost

    def replaced(self, number: int) -> str:
        """Return why a generation was replaced by the one that took over; empty if it was not."""
        if number not in self._lost:
            return ""
        self._retry.restore()
        return self._lost.pop(number)
