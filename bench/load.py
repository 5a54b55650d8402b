"""The producer, as a process of its own: a steady rate, or a backlog as fast as it goes."""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterable

from bench.events import Event, Sources, changes, everybody, ordinary, send
from tidegrid import kafka
from tidegrid.kafka.connection import Connection, Kafka

#: The shortest sleep between events, in seconds.
_PAUSE = 0.004


def main() -> None:
    """Send what the arguments say, then end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("bootstrap")
    parser.add_argument("users_topic")
    parser.add_argument("accounts_topic")
    parser.add_argument("--users", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--backlog", type=int)
    parser.add_argument("--ordinary", action="store_true")
    given = parser.parse_args()
    sources = Sources(given.users_topic, given.accounts_topic)
    endless = changes(sources, given.users, given.seed)
    each = everybody(sources, given.users)
    if given.ordinary:
        endless, each = map(ordinary, endless), map(ordinary, each)
    if given.backlog is not None:
        send_all(given.bootstrap, itertools.islice(endless, given.backlog))
    elif given.rate is not None:
        send_steadily(given.bootstrap, endless, given.rate, given.seconds)
    else:
        send_all(given.bootstrap, each)


def send_all(bootstrap: str, events: Iterable[Event]) -> None:
    """Send events in large compressed batches."""
    batching = {"linger.ms": 20, "batch.size": 1_000_000, "compression.type": "lz4"}
    producer = kafka.producer(Connection(Kafka(bootstrap)), **batching)
    for number, event in enumerate(events):
        send(producer, event)
        if number % 1000 == 0:
            producer.poll(0)
    if producer.flush(120):
        raise SystemExit("the broker did not take the events in 120 s")


def send_steadily(bootstrap: str, events: Iterable[Event], rate: int, seconds: float) -> None:
    """Send each event when it is due, or some milliseconds later, with others.

    Kafka's time of creation is the moment of sending.
    The producer is as librdkafka makes it: it may hold an event for 5 ms, which counts. An event
    that is late because this process was not scheduled counts from when it was sent.
    """
    producer = kafka.producer(Connection(Kafka(bootstrap)))
    begun = time.monotonic()
    for number, event in enumerate(events):
        due = number / rate
        if due > seconds:
            break
        wait = begun + due - time.monotonic()
        if wait > 0:
            # Not for each event: what the producer takes is taken from what is measured.
            producer.poll(0)
            time.sleep(max(wait, _PAUSE))
        send(producer, event)
    producer.flush(10)


if __name__ == "__main__":
    main()
