"""Lead: takes the generations of one flow through their lives.

The receipts are the state: what runs, what lingers and what is over is read from them, so that a
start after a crash at any moment goes on where they end.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from tidegrid import kafka, logs
from tidegrid.contract.control import Build
from tidegrid.contract.declaration import DeclarationError
from tidegrid.contract.messages import Request
from tidegrid.contract.receipts import Life
from tidegrid.contract.slots import Demand
from tidegrid.errors import KafkaError, PipelineError, first_line
from tidegrid.pipeline import sources, swaps
from tidegrid.pipeline.due import REMOVED, due
from tidegrid.pipeline.generation import Generation, recipe
from tidegrid.pipeline.generations import Generations
from tidegrid.pipeline.replacement import Replacement
from tidegrid.pipeline.slots import Engine
from tidegrid.retry import Retry
from tidegrid.settings import Settings

_log = logs.get("pipeline")

#: Failures in a row after which a generation that is not live yet is given up.
_GIVE_UP = 6
#: Seconds between two looks for topics that do not exist yet, and between two lines about it.
_LOOK_EVERY, _SAY_EVERY = 1.0, 30.0


class Lead:
    """One flow: what its file asks for, what messages ask for, and what the receipts say."""

    def __init__(
        self, settings: Settings, document: Mapping[str, Any] | None, generations: Generations
    ) -> None:
        self._settings = settings
        self._document = document
        self._since = datetime.now(UTC)
        #: What is due and waits for its topics, and the message it is for.
        self._pending: tuple[Build, int] | None = None
        self._next_look, self._said_waiting = 0.0, -_SAY_EVERY
        self._retry = Retry()
        self.generations = generations
        self._replacement = Replacement(generations)
        #: Why the flow is not as its file declares it; empty if it is.
        self.problem = ""
        #: Times that something went wrong that nobody had thought of.
        self.errors = 0

    @property
    def flow(self) -> str:
        """The name of the flow."""
        return self.generations.flow

    @property
    def idle(self) -> bool:
        """Whether there is nothing to lead: nothing runs, is removed or waited for."""
        return not (
            self.generations.numbers()
            or self.generations.running
            or self.generations.removals.busy
            or self._pending
            or self.problem
        )

    def demands(self) -> list[Demand]:
        """Return the task slots of what can go on, and of what is due."""
        found = [generation.demand for generation in self.generations.able()]
        if wanted := self._due():
            topics = wanted[0].sources.values()
            there = kafka.partitions(self._settings.connection, topics)
            found.append(Demand(sum(there.values()), self._settings.pipeline.shuffle_partitions))
        return found

    def start(self, engine: Engine) -> None:
        """Lead the flow: start what ran before and what is due."""
        # From now on: what was begun before may have to be done again, by this one.
        self._since = datetime.now(UTC)
        self.generations.lead()
        self._run_missing(engine, settled=False)
        numbers = {generation.birth.generation for generation in self.generations.able()}
        # What an earlier version left says what is due, and is closed then.
        self._pending = self._due()
        for number in self.generations.numbers():
            if number not in numbers:
                self.generations.end(number, "closed", "made by another version of Tidegrid")
        self._begin_pending(engine)
        self.generations.removals.orphans()

    def mirror(self, engine: Engine, commits: Callable[[str, int], float | None]) -> None:
        """Run what is live beside the pipeline that leads, and let go of what is over.

        `commits` says when that one last committed the query of a generation: this one commits at
        another time, so that the two never stand still together.
        """
        generations, running = self.generations, self.generations.running
        lives = generations.ledger.lives(self.flow)
        for number in [n for n in running if n not in lives or not lives[n].running]:
            generations.log(number, "over; letting go of it")
            generations.let_go(number)
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + self._retry.wait()
        for generation in generations.mirrored():
            number = generation.birth.generation
            query = running[number].query if number in running else None
            if query is not None and query.lost and query.stop():
                generations.log(number, f"records it has still to read are gone: {query.lost}")
                del running[number]
            if number in running:
                continue
            generations.log(number, "running it beside the pipeline that leads")
            try:
                generations.run(engine, generation, functools.partial(commits, self.flow, number))
            except KafkaError as e:
                # Such as of a source that was removed: the other flows go on.
                about = {"flow": self.flow, "generation": number}
                _log.warning("%s: %s; trying again", self.flow, e, extra=about)
                return
        self._retry.restore()
        self._next_look = time.monotonic() + _LOOK_EVERY

    @property
    def settled(self) -> bool:
        """Whether what viewers see has all that it needs: its query runs, or cannot."""
        live = self.generations.running.get(self.generations.ledger.live(self.flow) or 0)
        query = live.query if live is not None else None
        return query is None or query.running or query.failures > 0

    def turn(self, engine: Engine, at: datetime, *, settled: bool) -> None:
        """Do what is due now; `settled` is whether what viewers see of all flows runs."""
        self._move_on(at)
        self._run_missing(engine, settled=settled)
        if time.monotonic() >= self._next_look:
            self._begin_pending(engine)
        self._replacement.look(engine)

    def on_request(
        self,
        engine: Engine,
        offset: int,
        request: Request,
        existing: Collection[str],
        free_slots: int,
    ) -> None:
        """Act on a control message for this flow."""
        document = self._document or {}
        if swaps.act(self.generations, engine, offset, request, document, existing, free_slots):
            # What a message asks for counts more than what the file declares.
            self._pending, self.problem = None, ""

    def close(self) -> None:
        """Stop all queries; the receipts stay as they are."""
        self.generations.close()

    def _run_missing(self, engine: Engine, *, settled: bool) -> None:
        """Run what the receipts say is running and has no query: first what viewers see.

        After a crash in the middle of a swap they do not wait for what is still being built.
        """
        generations, ledger = self.generations, self.generations.ledger
        if not set(generations.numbers()) - generations.running.keys():
            return
        pending = ledger.pending(self.flow) if ledger.live(self.flow) is not None else None
        for generation in generations.able():
            number = generation.birth.generation
            lost = self._replacement.stands_for(number)
            if number in generations.running or lost or (number == pending and not settled):
                continue
            generation.make_topics()
            generations.run(engine, generation)

    def _due(self) -> tuple[Build, int] | None:
        ledger = self.generations.ledger
        return due(self.flow, self._document, recipe(self._settings), ledger)

    def _begin_pending(self, engine: Engine) -> None:
        """Begin what is due, if its topics are there; else they are waited for."""
        self._next_look = time.monotonic() + _LOOK_EVERY
        if self._pending is None:
            return
        wanted, offset = self._pending
        about = {"flow": self.flow}
        try:
            missing = sources.missing(self._settings.connection, wanted.sources.values())
            if missing:
                if time.monotonic() - self._said_waiting > _SAY_EVERY:
                    self._said_waiting = time.monotonic()
                    names = ", ".join(missing)
                    _log.info("%s: waiting for topic %s to exist", self.flow, names, extra=about)
                return
            generation = self.generations.draft(engine.spark, wanted, offset)
            generation.make_topics()
        except DeclarationError as e:
            self._pending = None
            self.problem = f"flow {self.flow} is not as it is declared: {first_line(e)}"
            for problem in e.problems:
                _log.error("%s cannot run as it is declared: %s", self.flow, problem, extra=about)
            return
        except (KafkaError, PipelineError) as e:
            # Of a broker that is away what runs knows itself, and goes on.
            _log.warning("%s: %s; looking again", self.flow, e, extra=about)
            return
        self._pending = None
        self.generations.begin(engine, generation)

    def _move_on(self, at: datetime) -> None:
        """Move on every generation whose time has come."""
        generations = self.generations
        ledger = generations.ledger
        live = ledger.live(self.flow)
        for number, life in ledger.lives(self.flow).items():
            age = (at - max(datetime.fromisoformat(life.at), self._since)).total_seconds()
            if life.state == "live" and number != live:
                if reason := self._replacement.replaced(number):
                    generations.end(number, "closed", reason)
                else:
                    generations.step(number, "lingering")
            elif life.state == "lingering" and age > self._settings.swap.linger_seconds:
                generations.end(number, "closed")
            elif life.state == "building" and (live is not None or self._is_first(life)):
                if problem := self._failure(generations.running.get(number), age):
                    generations.end(number, "failed", problem)
            elif not life.running and number in generations.running:
                # The tables ended it.
                generations.log(number, "removed")
                generations.let_go(number)
        if expired := ledger.expired(self.flow):
            generations.receipts.erase(expired)

    def _is_first(self, life: Life) -> bool:
        """Whether a message asked for a flow that nobody has seen yet, or not since its removal."""
        ledger = self.generations.ledger
        before = ledger.last_takeover(self.flow)
        removed = before and ledger.lives(self.flow)[before.generation].reason.startswith(REMOVED)
        return life.birth.control >= 0 and (before is None or bool(removed))

    def _failure(self, generation: Generation | None, age: float) -> str:
        """Return why a generation is given up; empty if it is not."""
        limit = self._settings.swap.timeout_seconds
        query = generation.query if generation is not None else None
        if age > limit:
            waiting = f", {query.waiting}" if query is not None and query.waiting else ""
            return f"not caught up in {limit} s{waiting}"
        if query is not None and query.failures >= _GIVE_UP:
            return f"its query keeps failing: {query.last_error}"
        return ""
