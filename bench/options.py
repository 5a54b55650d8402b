"""How long the benchmark runs and how much it sends; every default can be set by a flag."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from bench.versions import OURS, Version, other

#: What another version can be measured beside.
COMPARED = ("latency", "catch-up", "swaps", "gold")
PARTS = (*COMPARED, "first-swap", "start", "page", "crash", "crash-tables", "cluster", "soak")


@dataclass(frozen=True)
class Options:
    """What `python -m bench` can be told; seconds unless the name says otherwise."""

    rate: int = 500
    users: int = 1000
    rounds: int = 3
    warm: float = 120
    settle: float = 5
    measure: float = 15
    first_minute: float = 60
    backlog: int = 1_000_000
    backlog_users: int = 10_000
    warm_up_passes: int = 3
    warm_passes: int = 5
    cap: float = 150
    swap_warm: int = 4
    swaps: int = 8
    first_swaps: int = 3
    starts: int = 3
    large_warm: int = 2
    large_swaps: int = 3
    many_warm: int = 10
    many: int = 100
    gold_rate: int = 2000
    symbols: int = 500
    gold_warm: float = 150
    commit_every: int = 40
    commits: int = 5
    kills: int = 5
    soak_minutes: int = 30
    parts: str = ",".join(PARTS[:-1])
    against: str = ""
    version: Version = OURS
    results: str = str(Path(__file__).with_name("results.json"))

    @property
    def turns(self) -> list[Options]:
        """These options for each turn: of this version, or of two in turn and back again.

        One at a time, for two that share the cores are slower than alone; there and back, so that
        a machine that gets slower or faster meanwhile is so for both.
        """
        if not self.against:
            return [self]
        theirs = other(Path(self.against))
        return [replace(self, version=v) for v in (OURS, theirs, theirs, OURS)]


_HELP = {
    "rate": "events a second while measuring",
    "users": "users that the events are about",
    "rounds": "times each system is measured, in turn",
    "warm": "seconds of load on each system before the rounds",
    "settle": "seconds of load before each measurement",
    "measure": "seconds of each measurement",
    "first_minute": "seconds measured right after the first row",
    "backlog": "events to catch up on",
    "backlog_users": "users in the backlog",
    "warm_up_passes": "passes after the first, cold one that do not count",
    "warm_passes": "passes over the backlog that count",
    "cap": "seconds after which a pass is cut off",
    "swap_warm": "swaps before those that count",
    "swaps": "swaps and rollbacks that are measured",
    "first_swaps": "starts after which the first swap is measured, for each size",
    "starts": "starts on a used home folder",
    "large_warm": "swaps to the backlog before those that count",
    "large_swaps": "swaps to the backlog that are measured",
    "many_warm": "swaps before what is held is counted for the first time",
    "many": "swaps in a row, to see what they leave behind",
    "gold_rate": "changes of positions a second",
    "symbols": "symbols that they are about",
    "gold_warm": "seconds of those on each system before the rounds",
    "commit_every": "seconds between commits while those are watched",
    "commits": "commits that are watched",
    "kills": "times that a pipeline or the tables are killed",
    "soak_minutes": "minutes of the part soak, which runs only if it is named",
    "parts": f"what to run, by commas: {', '.join(PARTS)}",
    "against": "a checkout of another version: it and this one are measured in turn, each alone, "
    f"instead of Deephaven alone; only {', '.join(COMPARED)}",
    "results": "file to write",
}


def parse(arguments: Sequence[str] | None = None) -> Options:
    """Read the flags."""
    parser = argparse.ArgumentParser(
        prog="bench",
        description="Event to screen, catch-up and swaps: Tidegrid beside Deephaven alone, or "
        "beside another version of itself.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    for f in fields(Options):
        if f.name not in _HELP:
            continue
        kind = type(f.default)
        flag = f"--{f.name.replace('_', '-')}"
        parser.add_argument(flag, type=kind, default=f.default, help=_HELP[f.name])
    given = Options(**vars(parser.parse_args(arguments)))
    parts = given.parts.replace("_", "-")
    if unknown := [part for part in parts.split(",") if part not in PARTS]:
        parser.error(f"--parts: there is no {unknown[0]}; there are {', '.join(PARTS)}")
    if given.against and not Path(given.against, "src", "tidegrid").is_dir():
        parser.error(f"--against: {given.against} is no checkout: it has no src/tidegrid")
    return replace(given, parts=parts)
