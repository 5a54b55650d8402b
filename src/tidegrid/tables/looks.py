"""Looks: a viewer asks what is in a topic, and what a flow of it would be.

A viewer adds a row to `topic_requests`: a topic to look at, the place of one record in it, or a
declaration to check. It is answered in `topic_looks`, under its id, and removed. Nothing is changed
by it, here or in Kafka. One topic is looked at at a time, by a thread of its own; checks do not
wait for it.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from deephaven import dtypes
from deephaven.execution_context import ExecutionContext
from deephaven.table import Table
from deephaven.table_listener import TableUpdate, listen

from tidegrid import logs
from tidegrid.contract import control
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.receipts import Ledger, now
from tidegrid.infer import Inferred
from tidegrid.infer.look import Checked, Look, check, look
from tidegrid.infer.one_record import one_record
from tidegrid.kafka.connection import Connection
from tidegrid.tables.keyed import Keyed

_log = logs.get("tables")

#: A topic to look at, or with a partition and an offset one record of it; or a declaration to
#: check, as JSON with its name in it, and the id of the look that it was made of.
_REQUESTS = dict.fromkeys(
    ("id", "topic", "declaration", "look", "partition", "offset"), dtypes.string
)
#: `records`, `notes`, `seen` (of each field) and `problems` (each with its place) are JSON, and so
#: is `declaration`, with its name in it; `problem` is why there is none.
_LOOKS = dict.fromkeys(
    (
        *("id", "topic", "problem", "records", "declaration", "text"),
        *("notes", "seen", "problems", "at"),
    ),
    dtypes.string,
)
_KEPT = 50
#: Seconds that a look may take, from when it was asked for.
_LIMIT = 25.0
_MOST_WAITING = 20
_FAILED = "it could not be handled; see the log of the tables"


@dataclass(frozen=True)
class _Asked:
    id: str
    topic: str
    declaration: str
    look: str
    partition: str
    offset: str


class Looks:
    """The two tables, and the threads behind them."""

    def __init__(
        self,
        connection: Connection,
        context: ExecutionContext,
        ledger: Ledger,
        declared: Mapping[str, Flow],
    ) -> None:
        self._connection = connection
        self._context = context
        self._ledger = ledger
        self._declared = declared
        self._requests = Keyed(_REQUESTS, ["id"])
        self._answers = Keyed(_LOOKS, ["id"])
        self._answered: deque[str] = deque()
        #: The flows that were made, by the ids of the looks that are kept.
        self._made: dict[str, Inferred] = {}
        #: Looks that are not answered, each with when it must be.
        self._due: dict[str, tuple[_Asked, float]] = {}
        self._queue: queue.Queue[_Asked | tuple[_Asked, Look]] = queue.Queue()
        self._to_look_at: queue.Queue[_Asked] = queue.Queue()
        # Nothing becomes a text: it would read as the word None.
        texts = [f"{name}=isNull({name}) ? `` : {name}" for name in _REQUESTS]
        asked = self._requests.input.view(texts)
        self._listener = listen(asked, self._on_update, do_replay=True)

    @property
    def tables(self) -> dict[str, Table]:
        """The tables by the names they are exported under."""
        return {"topic_requests": self._requests.input, "topic_looks": self._answers.table}

    def start(self) -> None:
        """Start the threads."""
        for run in (self._answer_all, self._look_at_all):
            threading.Thread(target=run, name="tidegrid-looks", daemon=True).start()

    def _on_update(self, update: TableUpdate, _is_replay: bool) -> None:
        for rows in (update.added(), update.modified()):
            for n in range(len(rows.get("id", ()))):
                self._queue.put(_Asked(**{name: str(rows[name][n]) for name in _REQUESTS}))

    def _look_at_all(self) -> None:
        while True:
            asked = self._to_look_at.get()
            if asked.id not in self._due:
                continue
            try:
                found = self._look(asked)
            except Exception:
                _log.exception("a topic could not be looked at")
                found = Look(asked.topic, problem=_FAILED)
            self._queue.put((asked, found))

    def _look(self, asked: _Asked) -> Look:
        if asked.partition or asked.offset:
            return one_record(self._connection, asked.topic, asked.partition, asked.offset)
        return look(self._connection, asked.topic, self._flows)

    def _answer_all(self) -> None:
        with self._context:
            while True:
                try:
                    self._answer_next()
                except Exception:
                    _log.exception("a look could not be answered")

    def _answer_next(self) -> None:
        for asked, at in list(self._due.values()):
            if time.monotonic() > at:
                late = f"not done in {_LIMIT:.0f} s: try again"
                self._put(asked, Look(asked.topic, problem=late))
        soonest = min((at for _, at in self._due.values()), default=float("inf"))
        wait = None if not self._due else max(soonest - time.monotonic(), 0.0) + 0.01
        try:
            news = self._queue.get(timeout=wait)
        except queue.Empty:
            return
        if isinstance(news, tuple):
            asked, found = news
            # One that took too long is answered already.
            if asked.id in self._due:
                self._put(asked, found)
        elif news.declaration:
            self._put(news, self._check(news))
        elif len(self._due) >= _MOST_WAITING:
            self._put(news, Look(news.topic, problem="too many others are looking: try again"))
        else:
            self._due[news.id] = news, time.monotonic() + _LIMIT
            self._to_look_at.put(news)

    @property
    def _flows(self) -> dict[str, Flow]:
        return {**self._declared, **control.flows_of(self._ledger)}

    def _check(self, asked: _Asked) -> Checked | Look:
        running = control.flows_of(self._ledger)
        before = self._made.get(asked.look)
        try:
            return check(asked.declaration, self._flows, running.values(), before)
        except Exception:
            _log.exception("a declaration could not be checked")
            return Look(asked.topic, problem=_FAILED)

    def _put(self, asked: _Asked, answer: Look | Checked) -> None:
        self._due.pop(asked.id, None)
        if isinstance(answer, Look):
            if answer.inferred is not None:
                self._made[asked.id] = answer.inferred
            row = _look_row(answer)
        else:
            problems = json.dumps([asdict(problem) for problem in answer.problems])
            row = (asked.topic, "", "", "", answer.text, "", "", problems)
        self._answers.put([(asked.id, *row, now())])
        if asked.id not in self._answered:
            self._answered.append(asked.id)
        if len(self._answered) > _KEPT:
            forgotten = self._answered.popleft()
            self._made.pop(forgotten, None)
            self._answers.drop(forgotten)
        self._requests.remove(asked.id)


def _look_row(answer: Look) -> tuple[str, ...]:
    records = json.dumps(answer.records)
    made = answer.inferred
    if made is None:
        return (answer.topic, answer.problem, records, "", "", "", "", "")
    declared = json.dumps({"name": made.name, **made.document})
    seen = {place[-1]: said for place, said in made.comments.beside.items()}
    return (
        *(answer.topic, "", records, declared, made.text),
        *(json.dumps(made.notes), json.dumps(seen), "[]"),
    )
