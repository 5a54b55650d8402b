"""How long the benchmark runs and how much it sends; every default can be set by a flag."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Options:
    """What `python -m bench` can be told; seconds unless the name says otherwise."""

    rate: int = 500
    users: int = 1000
    rounds: int = 3
    settle: float = 5
    measure: float = 15
    first_minute: float = 60
    backlog: int = 1_000_000
    backlog_users: int = 50_000
    warm_passes: int = 2
    cap: float = 150
    parts: str = "latency,catch-up"
    results: str = str(Path(__file__).with_name("results.json"))


def parse(arguments: Sequence[str] | None = None) -> Options:
    """Read the flags."""
    parser = argparse.ArgumentParser(
        prog="bench",
        description="Event to screen and catch-up, Tidegrid beside Deephaven alone.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    for f in fields(Options):
        kind = type(f.default)
        parser.add_argument(f"--{f.name.replace('_', '-')}", type=kind, default=f.default, help=" ")
    return Options(**vars(parser.parse_args(arguments)))
