"""Lead: takes the generations of one flow through their lives, and says so in receipts.

The receipts are the state: what runs, what lingers and what is over is read from them, so that a
start after a crash at any moment goes on where they end.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tidegrid import logs
from tidegrid.book import Book
from tidegrid.contract import control
from tidegrid.contract.control import Build, Decision, GoBack, Known, Refuse, Rollback, Skip, Swap
from tidegrid.contract.receipts import Receipt, State, now
from tidegrid.contract.slots import Demand, slots_needed
from tidegrid.errors import KafkaError, PipelineError
from tidegrid.patience import Patience
from tidegrid.pipeline import sources
from tidegrid.pipeline.due import as_asked, due
from tidegrid.pipeline.flow import FORMAT, FlowPipeline
from tidegrid.pipeline.generation import Generation
from tidegrid.pipeline.removal import Removals
from tidegrid.pipeline.slots import Engine
from tidegrid.settings import Settings

_log = logs.get("pipeline")

#: Failures in a row after which a generation that is not live yet is given up.
_GIVE_UP = 6
#: Seconds between two looks for topics that do not exist yet, and between two lines about it.
_LOOK_EVERY, _SAY_EVERY = 1.0, 30.0


class Lead:
    """The generations of one flow."""

    def __init__(self, settings: Settings, flow: FlowPipeline, book: Book, folder: Path) -> None:
        self._settings = settings
        self._connection = settings.connection
        self._flow = flow
        self._name = flow.name
        self._book = book
        self._folder = folder
        self._removals = Removals(self._connection, self._name, folder, self._numbers_running)
        self._since = datetime.now(UTC)
        self._waiting = False
        self._next_look, self._said_waiting = 0.0, -_SAY_EVERY
        #: Generations that others are built for, since they cannot go on, and why.
        self._lost: dict[int, str] = {}
        self._patience, self._next_replacement = Patience(first=2, longest=60), 0.0
        self.running: dict[int, Generation] = {}

    @property
    def slots(self) -> int:
        """Task slots in use."""
        return sum(g.demand.slots for g in (*self.running.values(), *self._removals.stopping))

    @property
    def room(self) -> int:
        """Task slots for the largest generation that runs, and for a swap to one like it."""
        return slots_needed(g.demand for g in self.running.values())

    def prepare(self) -> Receipt | None:
        """Return the first receipt of the generation that is due, if one is.

        There is none either while its topics do not exist; they are waited for.
        """
        wanted = due(self._flow, self._settings, self._book.ledger)
        self._waiting = False
        if wanted is None:
            return None
        build, offset = wanted
        missing = sources.missing(self._connection, build.sources.values())
        if missing:
            self._waiting = True
            if time.monotonic() - self._said_waiting > _SAY_EVERY:
                self._said_waiting = time.monotonic()
                _log.info("%s: waiting for topic %s to exist", self._name, ", ".join(missing))
            return None
        return self._first_receipt(build, offset)

    def begin_waiting(self, engine: Engine) -> None:
        """Begin the generation that waits for its topics, if they are there now."""
        if not self._waiting or time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + _LOOK_EVERY
        try:
            receipt = self.prepare()
            if receipt is not None:
                self._generation(receipt).make_topics()
        except KafkaError as e:
            # Of a broker that is away what runs knows itself, and goes on.
            _log.warning("%s: %s; looking again", self._name, e, extra={"flow": self._name})
            self._waiting = True
            return
        if receipt is not None:
            self._begin(engine, receipt)

    def replace_lost(self, engine: Engine) -> None:
        """Build anew what cannot go on, since records that it has still to read are gone.

        That is so when the pipeline was away for longer than the topics keep their records, or when
        a topic was removed and made again. Viewers see what they saw until the new one takes over;
        if it does not, as when the guard is against it, another one is built a while later.
        """
        ledger = self._book.ledger
        live, coming = ledger.live(self._name), ledger.coming(self._name)
        # One that comes beside a live one is given up like any that keeps failing.
        number = coming if live is None else live if coming is None else None
        if number is None or time.monotonic() < self._next_replacement:
            return
        query = self.running[number].query if number in self.running else None
        if query is not None and query.lost:
            self._lost[number] = f"records that it has still to read are gone: {query.lost}"
        if number not in self._lost:
            return
        self._next_replacement = time.monotonic() + self._patience.wait()
        birth, reason = ledger.lives(self._name)[number].birth, self._lost[number]
        about = {"flow": self._name, "generation": number}
        try:
            receipt = self._first_receipt(as_asked(birth), birth.control)
            self._generation(receipt).make_topics()
        except (KafkaError, PipelineError) as e:
            _log.warning("%s: %s; looking again", self._name, e, extra=about)
            return
        _log.warning("%s generation %d: %s; building anew", self._name, number, reason, extra=about)
        if number == coming:
            self._end(number, "failed", reason)
        elif number in self.running:
            self.running.pop(number).stop()
        self._begin(engine, receipt)

    def births(self) -> list[Receipt]:
        """Return the first receipts of what ran before and can go on."""
        lives = self._book.ledger.lives(self._name).values()
        running = [life.birth for life in lives if life.running]
        return [birth for birth in running if birth.recipe.get("format") == FORMAT]

    def demands(self, new: Receipt | None) -> list[Demand]:
        """Return the task slots of what can go on, and of a new generation."""
        births = [*self.births(), *([new] if new is not None else [])]
        return [self._generation(birth).demand for birth in births]

    def start(self, engine: Engine, new: Receipt | None) -> None:
        """Start what ran before and, if there is one, a new generation."""
        births = self.births()
        able = {birth.generation for birth in births}
        for birth in births:
            self._generation(birth).make_topics()
            self._run(engine, birth)
        for number in self._numbers_running():
            if number not in able:
                self._end(number, "closed", "made by another version of Tidegrid")
        if new is not None:
            self._begin(engine, new)
        self._removals.orphans()

    def on_request(
        self,
        engine: Engine,
        offset: int,
        request: Swap | Rollback,
        existing: Collection[str],
        free_slots: int,
    ) -> None:
        """Act on a control message for this flow."""
        decision = control.decide(request, self._known(), existing, {self._name})
        if isinstance(decision, Build):
            # What a message asks for counts more than what the settings name.
            self._waiting = False
            self._swap(engine, offset, decision, free_slots)
        else:
            self._act(offset, decision)

    def refuse(self, offset: int, reason: str) -> None:
        """Say why a control message is not followed."""
        refuse(self._book, self._name, offset, reason)

    def move_on(self, at: datetime) -> None:
        """Move on every generation whose time has come."""
        ledger = self._book.ledger
        live = ledger.live(self._name)
        for number, life in ledger.lives(self._name).items():
            since = max(datetime.fromisoformat(life.at), self._since)
            age = (at - since).total_seconds()
            if life.state == "live" and number != live and number in self._lost:
                self._end(number, "closed", self._lost.pop(number))
                self._patience.restore()
            elif life.state == "live" and number != live:
                self._book.write(replace(life.birth, state="lingering", at=now()))
            elif life.state == "lingering" and age > self._settings.swap.linger_seconds:
                self._end(number, "closed", "")
            elif life.state == "building" and live is not None:
                problem = self._problem(number, age)
                if problem:
                    self._end(number, "failed", problem)
            elif not life.running and number in self.running:
                # The tables ended it.
                self._end(number, None, "")
        worn_out = ledger.worn_out(self._name)
        if worn_out:
            self._book.erase(worn_out)

    def close(self) -> None:
        """Stop all queries; the receipts stay as they are."""
        for generation in self.running.values():
            generation.stop()
        self._removals.close()

    def _numbers_running(self) -> list[int]:
        lives = self._book.ledger.lives(self._name)
        return [number for number, life in lives.items() if life.running]

    def _known(self) -> Known:
        ledger = self._book.ledger
        lives = ledger.lives(self._name)
        lingering = [g for g, life in lives.items() if life.state == "lingering"]
        coming = ledger.coming(self._name)
        target = ledger.live(self._name) if coming is None else coming
        if target is None:
            return Known()
        birth = lives[target].birth
        return Known(
            birth.sources,
            birth.join,
            birth.starting,
            lingering[-1] if lingering else None,
            building=coming is not None,
        )

    def _act(self, offset: int, decision: Decision) -> None:
        if isinstance(decision, Skip):
            # With a receipt, so that it is not read again when more has happened.
            self.refuse(offset, control.NO_CHANGE)
        elif isinstance(decision, Refuse):
            self.refuse(offset, decision.reason)
        elif isinstance(decision, GoBack):
            # The tables flip to a generation that has caught up, and say `live`.
            life = self._book.ledger.lives(self._name)[decision.generation]
            _log.info(
                "%s: going back to generation %d",
                self._name,
                decision.generation,
                extra={**_control(self._name, offset), "generation": decision.generation},
            )
            self._book.write(replace(life.birth, state="caught-up", at=now(), control=offset))

    def _swap(self, engine: Engine, offset: int, wanted: Build, free_slots: int) -> None:
        try:
            receipt = self._first_receipt(wanted, offset)
        except (KafkaError, PipelineError) as e:
            self.refuse(offset, str(e))
            return
        lives = self._book.ledger.lives(self._name).items()
        making_way = {n: life for n, life in lives if life.state == "lingering" or life.coming}
        stopping = [
            *(self.running[n] for n in making_way if n in self.running),
            *self._removals.stopping,
        ]
        demand, freed = (
            self._generation(receipt).demand.slots,
            sum(g.demand.slots for g in stopping),
        )
        if demand > free_slots + freed:
            self.refuse(
                offset,
                f"these topics need {demand} task slots beside the live ones, and Spark has "
                f"{free_slots + freed} left: give it more cores, or name topics with fewer "
                "partitions",
            )
            return
        try:
            # Before anything makes way for it.
            self._generation(receipt).make_topics()
        except KafkaError as e:
            self.refuse(offset, str(e))
            return
        for number, life in making_way.items():
            if life.coming:
                self._end(number, "refused", f"superseded by message {offset}")
            else:
                self._end(number, "closed", "a newer swap came")
        if demand > free_slots:
            for generation in stopping:
                generation.stop()
        self._begin(engine, receipt)

    def _problem(self, number: int, age: float) -> str:
        limit = self._settings.swap.timeout_seconds
        query = self.running[number].query if number in self.running else None
        if age > limit:
            waiting = f", {query.waiting}" if query is not None and query.waiting else ""
            return f"not caught up in {limit} s{waiting}"
        if query is not None and query.failures >= _GIVE_UP:
            return f"its query keeps failing: {query.last_error}"
        return ""

    def _begin(self, engine: Engine, receipt: Receipt) -> None:
        self._generation(receipt).make_topics()
        self._book.write(receipt)
        _log.info(
            "%s generation %d: building from %s",
            self._name,
            receipt.generation,
            ", ".join(receipt.sources.values()),
            extra={"flow": self._name, "generation": receipt.generation},
        )
        self._run(engine, receipt)

    def _run(self, engine: Engine, birth: Receipt) -> None:
        generation = self._generation(birth)
        generation.start(engine)
        self.running[birth.generation] = generation

    def _end(self, number: int, state: State | None, reason: str) -> None:
        """Write the last receipt of a generation and remove what it had."""
        if state is not None:
            birth = self._book.ledger.lives(self._name)[number].birth
            self._book.write(replace(birth, state=state, at=now(), reason=reason))
        _log.info(
            "%s generation %d: %s%s",
            self._name,
            number,
            state or "removed",
            f": {reason}" if reason else "",
            extra={"flow": self._name, "generation": number},
        )
        self._removals.later(number, self.running.pop(number, None))

    def _generation(self, birth: Receipt) -> Generation:
        folder = self._folder / str(birth.generation)
        return Generation(self._settings, self._flow, birth, folder)

    def _first_receipt(self, wanted: Build, offset: int) -> Receipt:
        number = max(self._book.ledger.lives(self._name), default=0) + 1
        recipe = self._flow.recipe(self._settings)
        return sources.first_receipt(self._connection, self._name, number, wanted, recipe, offset)


def refuse(book: Book, flow: str, offset: int, reason: str) -> None:
    """Write the receipt of a control message that is not followed."""
    extra = _control(flow, offset)
    _log.warning("control message %d refused: %s", offset, reason, extra=extra)
    book.write(Receipt(flow, 0, "refused", now(), control=offset, reason=reason))


def _control(flow: str, offset: int) -> dict[str, object]:
    """Return what a log line about a control message is about."""
    place: dict[str, object] = {"topic": control.TOPIC, "partition": 0, "offset": offset}
    return {"flow": flow, **place} if flow else place
