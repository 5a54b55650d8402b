"""Requests: what a viewer asks for on the page becomes a control message.

A viewer adds a row to `swap_requests`; it is checked here, produced to the control topic, answered
in `swap_answers` and removed. The same thread looks after the list of the broker's topics.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque

from deephaven import dtypes
from deephaven.execution_context import ExecutionContext
from deephaven.table import Table
from deephaven.table_listener import TableUpdate, listen

from tidegrid import kafka, logs
from tidegrid.connection import Connection
from tidegrid.contract import control
from tidegrid.contract.receipts import Ledger, now
from tidegrid.errors import KafkaError
from tidegrid.tables.screens import Keyed, Screens

_log = logs.get("tables")

_FIELDS = (*control.SOURCES, "joinType", "startingOffsets", "action", "flow")
_REQUESTS = dict.fromkeys(("id", *_FIELDS), dtypes.string)
_ANSWERS = {
    "id": dtypes.string,
    "control": dtypes.int64,
    "problem": dtypes.string,
    "at": dtypes.string,
}
_ANSWERS_KEPT = 200
#: Seconds between two looks at the broker's topics: Kafka has no event for them.
_TOPICS_EVERY = 10.0
#: Above this many partitions their records are not counted.
_COUNTED = 1000


class Requests:
    """The two tables, and the thread behind them."""

    def __init__(
        self, connection: Connection, context: ExecutionContext, screens: Screens, ledger: Ledger
    ) -> None:
        self._connection = connection
        self._context = context
        self._screens = screens
        self._ledger = ledger
        self._sender = kafka.Sender(connection)
        self._requests = Keyed(_REQUESTS, ["id"])
        self._answers = Keyed(_ANSWERS, ["id"])
        self._answered: deque[str] = deque()
        self._queue: queue.Queue[dict[str, str]] = queue.Queue()
        # Nothing becomes a text: it would read as the word None.
        texts = [f"{name}=isNull({name}) ? `` : {name}" for name in _REQUESTS]
        asked = self._requests.input.view(texts)
        self._listener = listen(asked, self._on_update, do_replay=True)

    @property
    def tables(self) -> dict[str, Table]:
        """The tables by the names they are exported under."""
        return {"swap_requests": self._requests.input, "swap_answers": self._answers.table}

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._run, name="tidegrid-requests", daemon=True).start()

    def _on_update(self, update: TableUpdate, _is_replay: bool) -> None:
        for rows in (update.added(), update.modified()):
            for n in range(len(rows.get("id", ()))):
                self._queue.put({name: str(values[n]) for name, values in rows.items()})

    def _run(self) -> None:
        with self._context:
            looked = float("-inf")
            while True:
                wait = looked + _TOPICS_EVERY - time.monotonic()
                try:
                    if wait <= 0:
                        looked = time.monotonic()
                        self._screens.topics(topics_for_viewers(self._connection))
                        continue
                    self._answer(self._queue.get(timeout=wait))
                except queue.Empty:
                    continue
                except KafkaError as e:
                    _log.warning("%s", e)
                except Exception:
                    _log.exception("a request could not be handled")

    def _answer(self, row: dict[str, str]) -> None:
        identity = row.pop("id", "")
        fields = {name: text for name, text in row.items() if text}
        offset, problem = -1, ""
        try:
            problem = control.problem(fields, self._ledger)
            if not problem:
                offset = self._sender.send(control.TOPIC, control.to_json(fields))
        except KafkaError as e:
            problem = str(e)
        self._answers.put([(identity, offset, problem, now())])
        self._answered.append(identity)
        if len(self._answered) > _ANSWERS_KEPT:
            self._answers.drop(self._answered.popleft())
        self._requests.remove(identity)


def topics_for_viewers(connection: Connection) -> dict[str, tuple[int, int | None]]:
    """Return the topics that may be a source, each with its partitions and records."""
    names = [name for name in kafka.names(connection) if not control.not_a_source(name, [name])]
    found = kafka.partitions(connection, names)
    if sum(found.values()) > _COUNTED:
        return {topic: (count, None) for topic, count in found.items()}
    ends, starts = kafka.latest(connection, found), kafka.earliest(connection, found)
    return {
        topic: (count, sum(ends[topic].values()) - sum(starts[topic].values()))
        for topic, count in found.items()
    }
