"""When the events of a feed are due: an endless run of seconds after its start."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count


@dataclass(frozen=True)
class Phase:
    """A while in which events come faster or slower than on average."""

    #: How often it comes in a round of phases.
    times: int
    #: The shortest and the longest it takes.
    seconds: tuple[float, float]
    #: How busy it is, compared with the other phases.
    busy: float


#: Calm, busy, burst: a round takes about a minute, so that the average holds over a few.
PHASES = (
    Phase(times=5, seconds=(4, 12), busy=1),
    Phase(times=3, seconds=(2, 8), busy=3),
    Phase(times=2, seconds=(1, 3), busy=10),
)
#: How busy it is on average over time.
_AVERAGE = sum(p.times * sum(p.seconds) * p.busy for p in PHASES) / sum(
    p.times * sum(p.seconds) for p in PHASES
)


def steady(rate: float) -> Iterator[float]:
    """Yield when events are due that come one after the other at a rate per second."""
    return (number / rate for number in count())


def bursts(rate: float, seed: int) -> Iterator[float]:
    """Yield when events are due that come by chance, in calm, busy and burst phases.

    On average over a few minutes they come at the rate per second.
    """
    # Sample data, not secrets.
    rng = random.Random(seed)  # noqa: S311
    begin = 0.0
    while True:
        phases = [phase for phase in PHASES for _ in range(phase.times)]
        rng.shuffle(phases)
        for phase in phases:
            speed, due = rate * phase.busy / _AVERAGE, begin
            begin += rng.uniform(*phase.seconds)
            # Chance has no memory: cutting the last gap at the end of a phase changes no rate.
            while (due := due + rng.expovariate(speed)) < begin:
                yield due
