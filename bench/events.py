"""The events of the benchmark: valid users and accounts, one user for every two accounts."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from confluent_kafka import Producer

ACCOUNT_TYPES = ("CHECKING", "SAVINGS")


@dataclass(frozen=True)
class Sources:
    """The topics of one system, so that an idle one gets no events."""

    users: str
    accounts: str
    positions: str = ""


@dataclass(frozen=True)
class Event:
    """One record to send."""

    topic: str
    key: str
    value: str


def everybody(sources: Sources, users: int) -> Iterator[Event]:
    """Yield each user once, with each account."""
    for number in range(users):
        yield _user(sources, number, 0)
        for account_type in ACCOUNT_TYPES:
            yield _account(sources, number, account_type, 0)


def changes(sources: Sources, users: int, seed: int) -> Iterator[Event]:
    """Yield changes without end: a third to users, the rest to accounts."""
    # Sample data, not secrets.
    rng = random.Random(seed)  # noqa: S311
    turn = 0
    while True:
        turn += 1
        number = int(rng.random() * users)
        if turn % 3 == 0:
            yield _user(sources, number, turn)
        else:
            yield _account(sources, number, ACCOUNT_TYPES[int(rng.random() * 2)], turn)


def ordinary(event: Event) -> Event:
    """Return an event as most programs write JSON: with blanks, an escape, and an object inside."""
    more = {"note": 'a "quoted" line\n', "origin": {"host": "h1", "shard": [1, 2]}}
    return replace(event, value=json.dumps({**json.loads(event.value), **more}))


def send(producer: Producer, event: Event) -> None:
    """Hand a record to the producer; wait if its queue is full."""
    while True:
        try:
            producer.produce(event.topic, key=event.key, value=event.value)
            return
        except BufferError:
            producer.poll(0.1)


def _user(sources: Sources, number: int, turn: int) -> Event:
    key = f"U{number:06d}"
    value = (
        f'{{"userId":"{key}","name":"Name {turn}","email":"u{number}@example.com",'
        f'"age":{18 + turn % 70}}}'
    )
    return Event(sources.users, key, value)


def _account(sources: Sources, number: int, account_type: str, turn: int) -> Event:
    key = f"U{number:06d}"
    value = f'{{"userId":"{key}","accountType":"{account_type}","balance":{turn % 100_000 / 4}}}'
    return Event(sources.accounts, key, value)
