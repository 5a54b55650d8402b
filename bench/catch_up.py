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
_PROGRAMS = {"tidegrid": "bench.spark_catch_up"}


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Produce the backlog, then read it several times: once cold, then warm."""
    with ground() as base:
        say(f"producing {options.backlog:,} events of {options.backlog_users:,} users")
        make_topics(base.bootstrap, _SOURCES)
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
        for system, program in _PROGRAMS.items():
            _measure(base, system, program, options, add)


def _measure(
    base: Ground, system: str, program: str, options: Options, add: Callable[[Row], None]
) -> None:
    warm = 1 + options.warm_up_passes
    wanted = warm + options.warm_passes
    say(f"{system}: starting for {wanted} passes over the backlog")
    environment = {
        "KAFKA_BOOTSTRAP": base.bootstrap,
        "TIDEGRID_HOME": str(base.settings.home),
        "TIDEGRID_CUSTOMERS_USERS_TOPIC": _SOURCES.users,
        "TIDEGRID_CUSTOMERS_ACCOUNTS_TOPIC": _SOURCES.accounts,
    }
    arguments = ["--passes", str(wanted), "--cap", str(options.cap)]
    base.processes.start(system, program, *arguments, environment=environment)
    deadline = time.monotonic() + 60 + wanted * (options.cap + 30)
    said = time.monotonic()
    passes: list[dict[str, Any]] = []
    while len(passes) < wanted and time.monotonic() < deadline:
        base.processes.check()
        time.sleep(0.2)
        new = _passes(base, system)[len(passes) :]
        for done in new:
            passes.append(done)
            say(f"{system}: pass {len(passes)}: {_rate(done):,.0f} events/s{_note(done)}")
        if time.monotonic() - said > 10:
            said = time.monotonic()
            say(f"{system}: reading the backlog, pass {len(passes) + 1} of {wanted}")
    base.processes.stop(system)
    for name, chosen in (("catch_up_cold", passes[:1]), ("catch_up", passes[warm:])):
        if chosen:
            rate = statistics.median(_rate(p) for p in chosen)
            capped = any(p["capped"] for p in chosen) or None
            add(
                Row(
                    name,
                    system,
                    f"{options.backlog:,} events",
                    value=round(rate),
                    unit="events/s",
                    rounds=len(chosen),
                    capped=capped,
                )
            )
    if len(passes) < wanted:
        raise BenchError(f"{system}: only {len(passes)} of {wanted} passes ended in their time")


def _passes(base: Ground, system: str) -> list[dict[str, Any]]:
    """Return what a program has said so far; its log has other lines too."""
    lines = base.processes.log(system).read_text("utf-8", "replace").splitlines()
    return [json.loads(line) for line in lines if line.startswith('{"records"')]


def _rate(done: dict[str, Any]) -> float:
    return float(done["records"]) / float(done["seconds"])


def _note(done: dict[str, Any]) -> str:
    return ", not finished in its time" if done["capped"] else ""
