"""From event to screen: the first minute of a cold pipeline, then all systems in rounds."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Browser

from bench.browser import TABLES, attach, chromium
from bench.ground import Ground, ground
from bench.options import Options
from bench.processes import BenchError
from bench.report import say
from bench.rows import Row, Spread, over_rounds, spread
from bench.systems import System, all_systems, make_topics, start_tables

MEASURES = dict(zip(TABLES, ("event_to_screen", "event_to_screen_users"), strict=True))
_WINDOW = 10
#: How far behind a system may be when a round ends, in seconds.
_STRAGGLERS = 60


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Measure the first minute and the rounds."""
    systems = all_systems()
    with ground() as base, chromium() as browser:
        for system in systems:
            make_topics(base.bootstrap, system.sources)
            send(base, system, options)
            base.processes.wait("load", 60)
        start_tables(systems[0], base.processes, base.bootstrap, str(base.settings.home))
        _first_minute(base, browser, systems[0], options, add)
        for system in systems[1:]:
            start_tables(system, base.processes, base.bootstrap, str(base.settings.home))
        seen: dict[tuple[str, str], list[Spread]] = {}
        # Round 0 warms each system up and does not count.
        for number in range(options.rounds + 1):
            for system in systems:
                found = one_round(base, browser, system, options, number)
                for table, result in found.items():
                    if number > 0:
                        seen.setdefault((table, system.name), []).append(result)
        for table in TABLES:
            for system in systems:
                rounds = seen[table, system.name]
                add(over_rounds(MEASURES[table], system.name, f"{options.rate}/s", rounds))


def _first_minute(
    base: Ground, browser: Browser, system: System, options: Options, add: Callable[[Row], None]
) -> None:
    """Start the pipeline cold while events flow.

    The minute begins when the first joined rows are on the screen. Events since then count, in the
    window they were made in, however late they came.
    """
    say(f"{system.name}: starting the pipeline cold, {options.rate} events/s flowing")
    with attach(browser, system.port, system.key, system.interval) as probe:
        send(base, system, options, seconds=options.first_minute + 100 + _STRAGGLERS)
        begun = time.time()
        base.processes.start(
            "pipeline",
            "tidegrid",
            "pipeline",
            environment={
                **system.environment(base.bootstrap),
                "TIDEGRID_HOME": str(base.settings.home),
            },
        )
        first = probe.first(TABLES[0], 100)
        add(Row("start_to_first_row", system.name, value=round(first / 1000 - begun, 1), unit="s"))
        say(f"{system.name}: first rows after {first / 1000 - begun:.1f} s; measuring a minute")
        left = options.first_minute
        while left > 0:
            probe.watch(min(left, _WINDOW))
            base.processes.check()
            left -= _WINDOW
            say(f"{system.name}: {max(left, 0):.0f} s of the first minute left")
        probe.watch_past(TABLES[0], first + options.first_minute * 1000, _STRAGGLERS)
        base.processes.stop("load")
        samples = probe.samples(TABLES[0])
    for begin in range(0, int(options.first_minute), _WINDOW):
        window = [
            s.latency
            for s in samples
            if begin <= (s.at - first) / 1000 < min(begin + _WINDOW, options.first_minute)
        ]
        if not window:
            raise BenchError(f"no event made {begin} s after the first row reached the screen")
        found = spread(window)
        add(
            Row(
                "event_to_screen_first_minute",
                system.name,
                f"{begin}-{begin + _WINDOW} s",
                found.p50,
                found.p99,
                found.max,
                samples=found.samples,
            )
        )


def one_round(
    base: Ground, browser: Browser, system: System, options: Options, number: int
) -> dict[str, Spread]:
    """Attach, let events flow, and return what was seen after they settled, for each table."""
    with attach(browser, system.port, system.key, system.interval) as probe:
        settle = options.settle if number else options.warm
        length = settle + options.measure
        send(base, system, options, seconds=length + _STRAGGLERS, seed=number + 1)
        begun = time.time() * 1000
        begin, end = begun + settle * 1000, begun + length * 1000
        probe.watch(length)
        base.processes.check()
        for table in TABLES:
            probe.watch_past(table, end, _STRAGGLERS)
        base.processes.stop("load")
        found = {}
        for table in TABLES:
            kept = [s.latency for s in probe.samples(table) if begin <= s.at < end]
            if not kept:
                raise BenchError(f"{system.name}: no change of {table} reached the screen")
            found[table] = spread(kept)
    joined = found[TABLES[0]]
    name = f"round {number} of {options.rounds}" if number else "warm-up"
    say(f"{system.name}: {name}: p50 {joined.p50:.0f} ms, p99 {joined.p99:.0f} ms")
    return found


def send(
    base: Ground, system: System, options: Options, seconds: float | None = None, seed: int = 1
) -> None:
    """Start the producer: at the rate for some seconds, or each user and account once."""
    steady = [] if seconds is None else ["--rate", str(options.rate), "--seconds", str(seconds)]
    base.processes.start(
        "load",
        "bench.load",
        base.bootstrap,
        system.sources.users,
        system.sources.accounts,
        "--users",
        str(options.users),
        "--seed",
        str(seed),
        *steady,
    )
