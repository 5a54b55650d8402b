"""Generations: those of one flow, drafted, begun, run and ended, with a receipt for each step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from pyspark.sql import SparkSession

from tidegrid import logs
from tidegrid.contract import control, declaration
from tidegrid.contract.control import Build
from tidegrid.contract.declaration import DeclarationError, clashes
from tidegrid.contract.lifecycle import State
from tidegrid.contract.receipts import Ledger, Receipt, now
from tidegrid.contract.slots import slots_needed
from tidegrid.contract.topics import COPIES
from tidegrid.errors import first_line
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.pipeline import compiler, sources
from tidegrid.pipeline.generation import Generation, recipe
from tidegrid.pipeline.removal import Removals
from tidegrid.pipeline.slots import Engine
from tidegrid.settings import Settings

_log = logs.get("pipeline")


class Generations:
    """The generations of one flow that run, and the way in and out of them."""

    def __init__(
        self,
        settings: Settings,
        flow: str,
        receipt_log: ReceiptLog,
        folder: Path,
        copy: str = COPIES[0],
    ) -> None:
        self.flow = flow
        self._copy = copy
        self.settings = settings
        self.running: dict[int, Generation] = {}
        self.receipts = receipt_log
        self._folder = folder
        self.removals = Removals(settings.connection, flow, folder, self.numbers, copy)

    @property
    def ledger(self) -> Ledger:
        """What the receipts say."""
        return self.receipts.ledger

    @property
    def slots(self) -> int:
        """Task slots in use."""
        return held((*self.running.values(), *self.removals.stopping))

    @property
    def room(self) -> int:
        """Task slots for the largest generation that runs, and for a swap to one like it."""
        return slots_needed(g.demand for g in self.running.values())

    def numbers(self) -> list[int]:
        """Return the generations that run, by their receipts."""
        return [number for number, life in self.ledger.lives(self.flow).items() if life.running]

    def able(self) -> list[Generation]:
        """Return what the receipts say is running and this version can run."""
        lives = self.ledger.lives(self.flow).values()
        births = [life.birth for life in lives if life.running and life.birth.of_this_version]
        return [self._made(birth) for birth in births]

    def absent(self) -> list[int]:
        """Return what is live of a pair and does not run here."""
        return [
            number
            for number, life in self.ledger.lives(self.flow).items()
            if life.state == "live" and len(life.birth.copies) > 1 and number not in self.running
        ]

    def mirrored(self) -> list[Generation]:
        """Return what is live and is run by both pipelines of a pair."""
        live = {n for n, life in self.ledger.lives(self.flow).items() if life.state == "live"}
        return [
            generation
            for generation in self.able()
            if generation.birth.generation in live and len(generation.birth.copies) > 1
        ]

    def draft(self, spark: SparkSession, wanted: Build, offset: int) -> Generation:
        """Return a generation that has not begun, for a control message; its topics are not made.

        A declaration that cannot be run is a DeclarationError, a topic that is not there a
        PipelineError.
        """
        flow = declaration.parse(wanted.resolved, self.flow, lenient=True)
        others = (f for name, f in control.flows_of(self.ledger).items() if name != self.flow)
        if problems := clashes([*others, flow]):
            raise DeclarationError(problems)
        types = compiler.resolve(spark, flow)
        number = max(self.ledger.lives(self.flow), default=0) + 1
        asked = Receipt(self.flow, number, "building", now(), control=offset)
        return self._made(
            sources.located(
                self.settings.connection,
                replace(
                    asked,
                    sources=wanted.sources,
                    join=wanted.join,
                    starting=wanted.starting,
                    force=wanted.force,
                    recipe=recipe(self.settings),
                    declaration=wanted.document,
                    types=types,
                ),
            )
        )

    def begin(self, engine: Engine, generation: Generation) -> None:
        """Write the first receipt of a generation whose topics are made, and run it."""
        birth = generation.birth
        self.receipts.write(birth)
        self.log(birth.generation, f"building from {', '.join(birth.sources.values())}")
        try:
            self.run(engine, generation)
        except Exception as e:
            self.end(birth.generation, "failed", first_line(e))
            raise

    def lead(self) -> None:
        """Be the one that removes the topics of what is over."""
        self.removals.of_topics = True

    def run(
        self,
        engine: Engine,
        generation: Generation,
        other_commit: Callable[[], float | None] | None = None,
    ) -> None:
        """Run a generation that has begun; beside another pipeline if that says when it commits."""
        generation.start(engine, other_commit)
        self.running[generation.birth.generation] = generation

    def step(self, number: int, state: State, reason: str = "", offset: int | None = None) -> None:
        """Write a receipt of a generation, for the message it began with or for another."""
        birth = self.ledger.lives(self.flow)[number].birth
        control = birth.control if offset is None else offset
        self.receipts.write(replace(birth, state=state, at=now(), reason=reason, control=control))

    def end(self, number: int, state: State, reason: str = "", offset: int | None = None) -> None:
        """Write the last receipt of a generation and remove what it had."""
        self.step(number, state, reason, offset)
        self.log(number, f"{state}: {reason}" if reason else state)
        self.let_go(number)

    def let_go(self, number: int) -> None:
        """Remove what a generation had that is over."""
        self.removals.later(number, self.running.pop(number, None))

    def log(self, number: int, what: str) -> None:
        """Log a line about a generation."""
        about = {"flow": self.flow, "generation": number}
        _log.info("%s generation %d: %s", self.flow, number, what, extra=about)

    def close(self) -> None:
        """Stop all queries; the receipts stay as they are."""
        for generation in self.running.values():
            generation.stop()
        self.removals.close()

    def _made(self, birth: Receipt) -> Generation:
        return Generation(self.settings, birth, self._folder, self._copy)


def held(generations: Iterable[Generation]) -> int:
    """Return the task slots that generations hold."""
    return sum(g.demand.slots for g in generations)
