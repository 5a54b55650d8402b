"""Catching up: how fast a backlog is read to its end, cold and warm."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from bench.events import Sources
from bench.ground import Ground, ground
from bench.options import Options
from bench.processes import BenchError
from bench.report import say
from bench.rows import Row
from bench.systems import make_topics

_SOURCES = Sources("backlog.users", "backlog.accounts")
_Pass = dict[str, Any]


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Produce the backlog, then read it several times: once cold, then warm."""
    with ground(options.version) as base:
        say(f"producing {options.backlog:,} events of {options.backlog_users:,} users")
        make_topics(base, _SOURCES)
        base.processes.start(
            "backlog",
            "bench.load",
            base.bootstrap,
            _SOURCES.users,
            _SOURCES.accounts,
            "--users",
            str(options.backlog_users),
            "--backlog",
            str(options.backlog),
        )
        base.processes.wait("backlog", 180)
        cold, *warm = _read(base, options)
    add(_row("catch_up_cold", base.version.name, options, [cold]))
    add(_row("catch_up", base.version.name, options, warm[options.warm_up_passes :]))


def _read(base: Ground, options: Options) -> list[_Pass]:
    """Read the backlog several times, in a Spark that is new."""
    wanted = 1 + options.warm_up_passes + options.warm_passes
    name = base.version.name
    say(f"{name}: starting for {wanted} passes over the backlog")
    base.processes.start(
        name,
        "bench.spark_catch_up",
        "--passes",
        str(wanted),
        "--cap",
        str(options.cap),
        version=base.version,
        environment={
            "KAFKA_BOOTSTRAP": base.bootstrap,
            "TIDEGRID_HOME": str(base.home(name)),
            "TIDEGRID_CUSTOMERS_USERS_TOPIC": _SOURCES.users,
            "TIDEGRID_CUSTOMERS_ACCOUNTS_TOPIC": _SOURCES.accounts,
        },
    )
    deadline = time.monotonic() + 60 + wanted * (options.cap + 30)
    said = time.monotonic()
    passes: list[_Pass] = []
    while len(passes) < wanted:
        if time.monotonic() > deadline:
            raise BenchError(f"{name}: only {len(passes)} of {wanted} passes ended in their time")
        base.processes.check()
        time.sleep(0.2)
        for done in _passes(base, name)[len(passes) :]:
            passes.append(done)
            say(f"{name}: pass {len(passes)}: {_rate(done):,.0f} events/s{_note(done)}")
        if time.monotonic() - said > 10:
            said = time.monotonic()
            say(f"{name}: reading the backlog, pass {len(passes) + 1} of {wanted}")
    base.processes.stop(name)
    return passes


def _row(measure_name: str, system: str, options: Options, passes: list[_Pass]) -> Row:
    return Row(
        measure_name,
        system,
        f"{options.backlog:,} events",
        value=round(statistics.median(_rate(p) for p in passes)),
        unit="events/s",
        rounds=len(passes),
        capped=any(p["capped"] for p in passes) or None,
    )


def _passes(base: Ground, name: str) -> list[_Pass]:
    """Return what a program has said so far; its log has other lines too."""
    lines = base.processes.log(name).read_text("utf-8", "replace").splitlines()
    return [json.loads(line) for line in lines if line.startswith('{"records"')]


def _rate(done: _Pass) -> float:
    return float(done["records"]) / float(done["seconds"])


def _note(done: _Pass) -> str:
    return ", not finished in its time" if done["capped"] else ""
