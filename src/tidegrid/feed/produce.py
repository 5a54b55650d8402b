"""Produce the sample data to the source topics: people at a steady rate, positions in bursts."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from operator import itemgetter
from typing import Any

from tidegrid import kafka, logs
from tidegrid.errors import KafkaError, SettingsError
from tidegrid.feed import history, pace
from tidegrid.feed.event import Event, Kind
from tidegrid.feed.instruments import instruments
from tidegrid.feed.people import People
from tidegrid.feed.positions import Positions
from tidegrid.kafka.connection import Connection
from tidegrid.settings import Settings

_log = logs.get("feed")

#: Sample topics are kept for a day and at most half a gigabyte a partition.
TOPIC_CONFIG = {
    "retention.ms": "86400000",
    "retention.bytes": "536870912",
    "segment.bytes": "67108864",
}

#: Events, and when each is due in seconds after the start.
Stream = tuple[Iterator[float], Iterator[Event]]


def run(settings: Settings, stop: threading.Event) -> None:
    """Make the topics, fill them if they are empty, then produce changes until `stop` is set."""
    connection, feed = settings.connection, settings.feed
    declared = settings.declared()
    names: dict[Kind, str] = {
        "users": _topic(declared, "customers", "users"),
        "accounts": _topic(declared, "customers", "accounts"),
        "positions": _topic(declared, "positions", "positions"),
    }
    # Before the topics: whoever waits for them finds the history too.
    history_folder = settings.home / "symbols"
    if history.write(history_folder, instruments(feed.seed, feed.symbols)):
        _log.info("wrote the history of %d symbols to %s", feed.symbols, history_folder)
    if not kafka.wait(connection, stop, _log.warning):
        return
    wanted = dict.fromkeys(names.values(), feed.partitions)
    kafka.ensure_topics(connection, wanted, TOPIC_CONFIG)
    ends = kafka.latest(connection, kafka.partitions(connection, wanted))
    there = {kind: sum(ends[topic].values()) for kind, topic in names.items()}
    # Going on after a stop: the same people and symbols, but not the changes of the first run.
    customers = there["users"] + there["accounts"]
    people = People(feed.seed, feed.users, feed.bad_ratio, after=customers)
    positions = Positions(feed.seed, feed.symbols, feed.bad_ratio, after=there["positions"])
    sender = _Sender(connection, names)
    if customers == 0:
        _log.info("sending %d users and their accounts", feed.users)
        sender.fill(people.everybody(), stop)
    if there["positions"] == 0:
        topic = names["positions"]
        _log.info("sending %d positions to %s", feed.symbols, topic, extra={"topic": topic})
        sender.fill(positions.everything(), stop)
    _log.info(
        "%d changes per second to %s and %s, %d on average to %s, %.1f%% of them bad",
        feed.rate,
        names["users"],
        names["accounts"],
        feed.position_rate,
        names["positions"],
        100 * feed.bad_ratio,
    )
    sender.send(
        stop,
        (pace.steady(feed.rate), people.changes()),
        (pace.bursts(feed.position_rate, feed.seed + there["positions"]), positions.changes()),
    )


def _topic(declared: Mapping[str, dict[str, Any]], flow: str, source: str) -> str:
    """Return the topic of a source of a flow that ships."""
    topic = declared.get(flow, {}).get("sources", {}).get(source, {}).get("topic", "")
    if not topic:
        raise SettingsError(
            f"the feed fills the topics of customers and positions, and {flow} names none for "
            f"{source}: name one, or leave the feed out"
        )
    return str(topic)


class _Sender:
    def __init__(self, connection: Connection, names: dict[Kind, str]) -> None:
        self._producer = kafka.producer(connection, **{"linger.ms": 1})
        self._names = names

    def fill(self, events: Iterable[Event], stop: threading.Event) -> None:
        """Send events as fast as the broker takes them, until they or `stop` end them."""
        for event in events:
            if stop.is_set():
                break
            self._produce(event)
        self._flush()

    def send(self, stop: threading.Event, *streams: Stream) -> None:
        """Send the events of all streams when they are due, in slices of 10 ms, until `stop`."""
        begun = time.monotonic()
        # Only what is due is looked at ahead: an event is made, and timed, when it is sent.
        timed = heapq.merge(
            *(zip(due, repeat(events)) for due, events in streams), key=itemgetter(0)
        )
        for due, events in timed:
            ahead = due - (time.monotonic() - begun)
            if ahead > 0.01:
                self._producer.poll(0)
                stop.wait(ahead)
            elif ahead < -5:
                # After a long stall go on from here: a burst of old changes helps nobody.
                begun += -ahead
            if stop.is_set():
                break
            self._produce(next(events))
        self._flush()

    def _flush(self) -> None:
        """Wait until the broker has everything."""
        if self._producer.flush(10):
            raise KafkaError("the broker did not take the sample data in 10 s")

    def _produce(self, event: Event) -> None:
        while True:
            try:
                self._producer.produce(self._names[event.kind], key=event.key, value=event.value)
                return
            except BufferError:
                self._producer.poll(0.1)
