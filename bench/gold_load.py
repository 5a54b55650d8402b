"""The producer of position changes, as a process of its own: a steady rate over some symbols."""

from __future__ import annotations

import argparse
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
    given = parser.parse_args()
    if given.rate is None:
        # Each symbol once.
        send_all(given.bootstrap, (_event(given.topic, n, 0) for n in range(given.symbols)))
    else:
        endless = changes(given.topic, given.symbols)
        send_steadily(given.bootstrap, endless, given.rate, given.seconds)


def changes(topic: str, symbols: int) -> Iterator[Event]:
    """Yield changes without end, each made when it is asked for: its time is the moment."""
    # Sample data, not secrets.
    rng = random.Random(1)  # noqa: S311
    turn = 0
    while True:
        turn += 1
        yield _event(topic, int(rng.random() * symbols), turn)


def _event(topic: str, number: int, turn: int) -> Event:
    symbol = f"SYM{number:04d}"
    value = (
        f'{{"event_ts":{time.time_ns() // 1_000_000},"symbol":"{symbol}",'
        f'"price":{100 + turn % 1000 / 8},"qty":{1 + turn % 50},"op":"U",'
        f'"_source_system":"S{number % 4}","allotment":"D{number % 8}",'
        f'"instrumentCode":"I{number % 40}","pnl":{turn % 2000 - 1000},"mtm":{turn % 5000}}}'
    )
    return Event(topic, symbol, value)


if __name__ == "__main__":
    main()
