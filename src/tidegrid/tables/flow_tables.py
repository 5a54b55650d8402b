"""The tables of one flow: several generations beside each other, as the receipts ask for them.

Each generation's tables are built beside the active ones; when every source of a new one has been
read to the end its receipt names, `caught-up` is written, all views flip in one update cycle, and
`live` is written. One that cannot be shown as it is declared is `failed`, and disturbs nobody. A
generation's tables are let go when a receipt says that it is over. Tables that fail are rebuilt.

Of several processes the one that has the lease writes. The others flip when they have read `live`
and have all rows themselves; until then they show the old tables, be their generation over or not.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from tidegrid import logs
from tidegrid.contract import control, receipts
from tidegrid.contract.declaration import DeclarationError
from tidegrid.contract.receipts import Life, Offsets, Receipt, flow_of, layout_of, now
from tidegrid.errors import KafkaError
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.retry import Retry
from tidegrid.settings.sections import Guard
from tidegrid.tables.arrivals import Arrivals
from tidegrid.tables.built import Built
from tidegrid.tables.catalogue import Catalogue
from tidegrid.tables.exports import Exports
from tidegrid.tables.figures import Seen, highest
from tidegrid.tables.stage import Stage
from tidegrid.tables.status import Counts, Status

_log = logs.get("tables")

#: Seconds between two previews of a generation that is being built.
_PREVIEW_EVERY = 1.0
#: Seconds until tables are built whose names another flow has here, where it is not over yet.
_TAKEN_FOR = 1.0


class FlowTables:
    """The tables of one flow."""

    def __init__(
        self,
        name: str,
        arrivals: Arrivals,
        exports: Exports,
        status: Status,
        catalogue: Catalogue,
        guard: Guard,
        leads: Callable[[], bool],
    ) -> None:
        """Make it; `leads` says whether this process writes the receipts now."""
        self._name = name
        self._arrivals = arrivals
        self._status = status
        self._catalogue = catalogue
        self._guard = guard
        self._leads = leads
        self._numbers = itertools.count(1)
        #: What viewers see of it.
        self.stage = Stage(name, exports, catalogue)
        #: Generations that cannot be shown here, and why.
        self._unusable: dict[int, str] = {}
        #: When to build those again that could not be, as a name was taken.
        self._not_before: dict[int, float] = {}
        self._retry, self._next_rebuild = Retry(), 0.0
        self._next_preview = 0.0
        #: The generation that the receipts say is live; 0 is none.
        self._live = 0

    @property
    def seen(self) -> dict[int, Seen]:
        """What has come of each generation that there are tables of."""
        found = {}
        for generation, built in self.stage.built.items():
            progress = built.progress
            newest = max((ts for _, _, _, ts in progress), default=None)
            found[generation] = Seen(built.birth, highest(progress), newest, built.rejects)
        return found

    @property
    def behind(self) -> bool:
        """Whether viewers see another generation than the live one, which is on its way here."""
        return self._live in self.stage.built and self._live != self.stage.active

    def follow(self, receipt_log: ReceiptLog) -> None:
        """Do what the receipts ask for."""
        lives = receipt_log.ledger.lives(self._name)
        built = self.stage.built
        self._unusable = {g: why for g, why in self._unusable.items() if g in lives}
        self._rebuild_failed()
        for generation, life in lives.items():
            if life.running and generation not in built and generation not in self._unusable:
                self._build(life)
        self._live = receipt_log.ledger.live(self._name) or 0
        self._show(lives)
        for generation in [g for g in built if g not in lives or not lives[g].running]:
            if generation != self.stage.active:
                self._release(generation)
        pending = receipt_log.ledger.pending(self._name)
        if pending is None:
            for tables in built.values():
                tables.subjects.end()
        if pending is not None and pending in built:
            self._advance(receipt_log, lives[pending])
        elif pending is not None and self._unusable.get(pending) and self._leads():
            life = lives[pending]
            step = replace(life.birth, state="failed", at=now(), reason=self._unusable[pending])
            self._write(receipt_log, replace(step, control=life.control))

    def _build(self, life: Life) -> None:
        birth = life.birth
        if not birth.of_this_version:
            # The pipeline builds another in its place.
            self._unusable[birth.generation] = ""
            return
        if time.monotonic() < self._not_before.get(birth.generation, 0.0):
            return
        self._say(birth.generation, "building tables")
        try:
            # What is live already is shown as far as it can be.
            display = self.stage.prepare(flow_of(birth), layout_of(birth), lenient=not life.pending)
            problem = self.stage.taken(display)
        except DeclarationError as e:
            self._fail(birth, str(e))
            return
        if problem and not self._leads():
            # The one that leads is ahead, perhaps, and has seen the end of what has the name.
            self._not_before[birth.generation] = time.monotonic() + _TAKEN_FOR
            self.stage.tidy()
            return
        self._not_before.pop(birth.generation, None)
        if problem:
            self._fail(birth, problem)
            return
        self.stage.add(Built.build(next(self._numbers), birth, self._arrivals), display)

    def _fail(self, birth: Receipt, problem: str) -> None:
        """Remember that the tables of a generation cannot be made; the others go on."""
        generation = birth.generation
        self._unusable[generation] = problem
        about = {"flow": self._name, "generation": generation}
        _log.error(
            "%s generation %d cannot be shown: %s", self._name, generation, problem, extra=about
        )
        self.stage.tidy()

    def _show(self, lives: Mapping[int, Life]) -> None:
        """See that viewers have what is live to look at."""
        active, built = self.stage.active, self.stage.built
        if not active:
            # At a start nobody is disturbed: what is live, or else what is being built, shows at
            # once.
            running = (g for g in lives if g in built and lives[g].running)
            shown = self._live if self._live in built else next(running, 0)
            if shown:
                self.stage.flip(shown)
        elif self.behind and not (active in lives and lives[active].pending):
            # Another process wrote that it is live.
            life, new = lives[self._live], built[self._live]
            seen = highest(new.progress)
            if new.failed or not self._has_all(new, seen):
                return
            if self.stage.taken(self.stage.display_of[self._live]):
                # Another flow is not as far here.
                return
            if life.control == life.birth.control:
                self._preview(life.birth, self._shown_before(self._live), new)
            self.stage.flip(self._live)
            self._say(self._live, "live")

    def _has_all(self, built: Built, seen: Offsets) -> bool:
        """Whether all rows of the backlog of a generation have come."""
        return receipts.reached(built.birth, seen) and built.catching_up.is_over()

    def _shown_before(self, generation: int) -> Built | None:
        """Return what viewers see before a generation takes over, if there is something."""
        active = self.stage.active
        old = self.stage.built.get(active) if active != generation else None
        # What has failed is no measure for what comes, and the sooner that is there the better.
        return None if old is not None and old.failed else old

    def _rebuild_failed(self) -> None:
        """Build tables again that have failed.

        If viewers see such a table, they get a new one under the same name.
        """
        failed = self.stage.failed
        broken = {g: built.failed for g, built in self.stage.built.items() if built.failed}
        if not (failed or broken) or time.monotonic() < self._next_rebuild:
            return
        names = [f"{name} of generation {g}" for g, dead in broken.items() for name in dead]
        _log.error(
            "tables %s failed; rebuilding them",
            ", ".join(names or failed),
            extra={"flow": self._name},
        )
        begun = time.monotonic()
        self._next_rebuild = begun + self._retry.wait(well=begun - self._next_rebuild)
        if not broken:
            self.stage.rebuild(failed)
        elif failed or self.stage.active in broken:
            self.stage.drop(list(broken))
        else:
            for generation in broken:
                self._release(generation)

    def _release(self, generation: int) -> None:
        self.stage.release(generation)
        self._say(generation, "tables let go")

    def _advance(self, receipt_log: ReceiptLog, life: Life) -> None:
        """Let a generation take over once every source partition has reached its end."""
        birth = life.birth
        built = self.stage.built[birth.generation]
        if built.failed:
            return
        seen = highest(built.progress)
        old = self._shown_before(birth.generation)
        ready = self._has_all(built, seen) and self._leads()
        if life.state == "building" and (ready or time.monotonic() >= self._next_preview):
            self._next_preview = time.monotonic() + _PREVIEW_EVERY
            self._preview(birth, old, built)
            self._status.progress(birth, receipts.read_so_far(birth, seen))
        if not ready:
            return
        rows = built.rows
        step = replace(
            birth,
            state="caught-up",
            at=now(),
            # After a rollback it is that message.
            control=life.control,
            rows=rows,
            before={n: count for n, count in (old.rows if old else {}).items() if n in rows},
        )
        # Another flow may have taken a name since it was built, or since it was live before.
        problem = self.stage.taken(self.stage.display_of[birth.generation])
        if life.state == "building":
            problem = problem or self._guarded(step, built, seen)
        if problem:
            self._write(receipt_log, replace(step, state="failed", reason=problem))
            return
        if life.state == "building":
            self._write(receipt_log, step)
        self.stage.flip(birth.generation)
        self._write(receipt_log, replace(step, state="live", at=now()))
        self._say(birth.generation, "live")

    def _guarded(self, step: Receipt, built: Built, seen: Offsets) -> str:
        """Return why the guard is against a flip; where nothing is shown yet it never is."""
        if step.force or not step.before:
            return ""
        rows = control.guard(step, layout_of(built.birth), self._guard.min_rows_ratio)
        return rows or control.guard_rejects(built.unused(seen), self._guard.max_reject_ratio)

    def _write(self, receipt_log: ReceiptLog, receipt: Receipt) -> None:
        if not self._leads():
            raise KafkaError(f"{receipt.state} is not written: another process has the lease now")
        receipt_log.write(receipt)
        self._status.show([receipt], receipt_log.ledger)
        self._catalogue.show(receipt.flow)

    def _preview(self, birth: Receipt, old: Built | None, new: Built) -> None:
        before = Counts(old.rows, old.subjects.count()) if old else Counts({}, {})
        after = Counts(new.rows, new.subjects.count())
        self._status.preview(birth, before, after)

    def _say(self, generation: int, what: str) -> None:
        about = {"flow": self._name, "generation": generation}
        _log.info("%s generation %d: %s", self._name, generation, what, extra=about)
