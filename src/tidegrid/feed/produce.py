"""Produce the sample data to the source topics, at a steady rate."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable

from tidegrid import kafka, logs
from tidegrid.errors import KafkaError
from tidegrid.feed.people import Event, Kind, People
from tidegrid.settings import Settings

_log = logs.get("feed")

#: Sample topics are kept for a day and at most half a gigabyte a partition.
TOPIC_CONFIG = {
    "retention.ms": "86400000",
    "retention.bytes": "536870912",
    "segment.bytes": "67108864",
}


def run(settings: Settings, stop: threading.Event) -> None:
    """Make the topics, fill them if they are empty, then produce changes until `stop` is set."""
    bootstrap = settings.kafka.bootstrap
    names: dict[Kind, str] = {
        "users": settings.customers.users_topic,
        "accounts": settings.customers.accounts_topic,
    }
    wanted = dict.fromkeys(names.values(), settings.feed.partitions)
    kafka.ensure_topics(bootstrap, wanted, TOPIC_CONFIG)
    ends = kafka.latest(bootstrap, kafka.partitions(bootstrap, wanted))
    there = sum(offset for partitions in ends.values() for offset in partitions.values())
    feed = settings.feed
    # Going on after a stop: the same people, but not the changes of the first run again.
    people = People(feed.seed, feed.users, feed.bad_ratio, after=there)
    producer = _Sender(bootstrap, names)
    if there == 0:
        _log.info("sending %d users and their accounts", feed.users)
        producer.send(people.everybody(), stop)
        producer.flush()
    _log.info(
        "%d changes per second to %s, %.1f%% of them bad",
        feed.rate,
        " and ".join(names.values()),
        100 * feed.bad_ratio,
    )
    producer.send(people.changes(), stop, feed.rate)
    producer.flush()


class _Sender:
    def __init__(self, bootstrap: str, names: dict[Kind, str]) -> None:
        self._producer = kafka.producer(bootstrap, **{"linger.ms": 1})
        self._names = names

    def send(self, events: Iterable[Event], stop: threading.Event, rate: int | None = None) -> None:
        """Send events until they or `stop` end them; at a rate, in slices of 10 ms."""
        begun = time.monotonic()
        for number, event in enumerate(events):
            if stop.is_set():
                return
            self._produce(event)
            if rate is not None:
                ahead = number / rate - (time.monotonic() - begun)
                if ahead > 0.01:
                    self._producer.poll(0)
                    stop.wait(ahead)
                elif ahead < -5:
                    # After a long stall go on from here: a burst of old changes helps nobody.
                    begun += -ahead

    def flush(self) -> None:
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
