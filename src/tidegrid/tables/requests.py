"""Requests: what a viewer asks for on the page becomes a control message.

A viewer adds a row to `swap_requests`; it is checked here, produced to the control topic, answered
in `swap_answers` and removed. The same thread looks after the list of the broker's topics.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from deephaven import dtypes
from deephaven.execution_context import ExecutionContext
from deephaven.table import Table
from deephaven.table_listener import TableUpdate, listen

from tidegrid import kafka, logs
from tidegrid.contract import control, messages, topics
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.receipts import Ledger, now
from tidegrid.errors import KafkaError
from tidegrid.kafka.connection import Connection
from tidegrid.tables.keyed import Keyed
from tidegrid.tables.status import Size, Status

_log = logs.get("tables")

#: The fields of a request beside the topics; `message` is a whole message as JSON, in their place.
_FIELDS = ("joinType", "startingOffsets", "action", "flow", "message")
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
        self,
        connection: Connection,
        context: ExecutionContext,
        status: Status,
        ledger: Ledger,
        declared: Mapping[str, Flow],
    ) -> None:
        """Make the tables; sources of flows that are declared now have a column each."""
        self._connection = connection
        self._context = context
        self._status = status
        self._ledger = ledger
        self._declared = declared
        self._sender = kafka.Sender(connection)
        sources = dict.fromkeys(f"{s}Topic" for flow in declared.values() for s in flow.sources)
        columns = dict.fromkeys(("id", *sources, *_FIELDS), dtypes.string)
        self._requests = Keyed(columns, ["id"])
        self._answers = Keyed(_ANSWERS, ["id"])
        self._answered: deque[str] = deque()
        self._queue: queue.Queue[dict[str, str]] = queue.Queue()
        # Nothing becomes a text: it would read as the word None.
        texts = [f"{name}=isNull({name}) ? `` : {name}" for name in columns]
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
                        self._status.topics(topics_for_viewers(self._connection))
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
        flows = {**self._declared, **control.flows_of(self._ledger)}
        offset, problem = -1, ""
        try:
            message = _message(fields)
            problem = control.problem(message, flows, self._ledger)
            if not problem:
                offset = self._sender.send(topics.CONTROL, messages.to_json(message))
        except (ValueError, KafkaError) as e:
            problem = str(e)
        except Exception:
            # Whoever asked waits for an answer, whatever it is.
            _log.exception("a request could not be handled")
            problem = "it could not be handled; see the log of the tables"
        self._answers.put([(identity, offset, problem, now())])
        self._answered.append(identity)
        if len(self._answered) > _ANSWERS_KEPT:
            self._answers.drop(self._answered.popleft())
        self._requests.remove(identity)


def _message(fields: dict[str, str]) -> dict[str, Any]:
    """Return the message that a row asks for; a ValueError says why there is none."""
    if "message" not in fields:
        return dict(fields)
    try:
        message = json.loads(fields["message"])
    except (ValueError, RecursionError):
        raise ValueError("message: not JSON") from None
    if not isinstance(message, dict):
        raise ValueError("message: not a JSON object")
    return message


def topics_for_viewers(connection: Connection) -> dict[str, Size]:
    """Return the topics that may be a source, each with its size."""
    names = [name for name in kafka.names(connection) if not topics.not_a_source(name, [name])]
    found = kafka.partitions(connection, names)
    if sum(found.values()) > _COUNTED:
        return {topic: Size(count, None, None) for topic, count in found.items()}
    ends, starts = kafka.latest(connection, found), kafka.earliest(connection, found)
    times = kafka.newest_times(connection, found)
    return {
        topic: Size(
            count,
            sum(ends[topic].values()) - sum(starts[topic].values()),
            _iso(times[topic]) if topic in times else None,
        )
        for topic, count in found.items()
    }


def _iso(millis: int) -> str | None:
    """Return a time as ISO has it; None if a producer wrote one that no calendar has."""
    try:
        return datetime.fromtimestamp(millis / 1000, UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return None
