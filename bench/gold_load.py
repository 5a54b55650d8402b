"""The producer of position changes, as a process of its own: a steady rate over some symbols."""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections.abc import Iterator

from bench.events import Event
from bench.load import send_all, send_steadily


def main() -> None:
    """Send what the arguments say, then end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("bootstrap")
    parser.add_argument("topic")
    parser.add_argument("--symbols", type=int, required=True)
    parser.add_argument("--rate", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--past", type=int)
    given = parser.parse_args()
    if given.rate is None:
        # Each symbol once.
        now = _now()
        send_all(given.bootstrap, (_event(given.topic, n, 0, now) for n in range(given.symbols)))
    elif given.past is not None:
        send_all(given.bootstrap, past(given.topic, given.symbols, given.rate, given.past))
    else:
        endless = changes(given.topic, given.symbols)
        send_steadily(given.bootstrap, endless, given.rate, given.seconds)


def changes(topic: str, symbols: int) -> Iterator[Event]:
    """Yield changes without end, each made when it is asked for: its time is the moment."""
    for turn, number in enumerate(_numbers(symbols)):
        yield _event(topic, number, turn, _now())


def past(topic: str, symbols: int, rate: int, seconds: int) -> Iterator[Event]:
    """Yield what the last seconds would have brought at a rate, oldest first."""
    now, count = _now(), rate * seconds
    for turn, number in enumerate(itertools.islice(_numbers(symbols), count)):
        yield _event(topic, number, turn, now - 1000 * (count - turn) // rate)


def _numbers(symbols: int) -> Iterator[int]:
    # Sample data, not secrets.
    rng = random.Random(1)  # noqa: S311
    while True:
        yield int(rng.random() * symbols)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _event(topic: str, number: int, turn: int, at: int) -> Event:
    symbol = f"SYM{number:04d}"
    value = (
        f'{{"event_ts":{at},"symbol":"{symbol}",'
        f'"price":{100 + turn % 1000 / 8},"qty":{1 + turn % 50},"op":"U",'
        f'"_source_system":"S{number % 4}","allotment":"D{number % 8}",'
        f'"instrumentCode":"I{number % 40}","pnl":{turn % 2000 - 1000},"mtm":{turn % 5000}}}'
    )
    return Event(topic, symbol, value)


if __name__ == "__main__":
    main()
