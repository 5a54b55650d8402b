"""From event to screen: the first minute of a cold pipeline, then all systems in rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from playwright.sync_api import Browser

from bench.browser import TABLES, attach, chromium
from bench.ground import ground
from bench.options import Options
from bench.processes import BenchError
from bench.report import say
from bench.rows import Row, Spread, over_rounds, spread
from bench.systems import (
    System,
    make_system,
    make_topics,
    start_pipeline,
    start_tables,
    tidegrid,
)

MEASURES = dict(zip(TABLES, ("event_to_screen", "event_to_screen_users"), strict=True))
_WINDOW = 10
#: How far behind a system may be when a round ends, in seconds.
_STRAGGLERS = 60


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Measure the first minute and the rounds; beside another version the rounds alone."""
    with ground(options.version) as base, chromium() as browser:
        ours = tidegrid(base)
        direct = [
            make_system("deephaven_direct", base),
            make_system("deephaven_defaults", base, None),
        ]
        systems = [ours] if options.against else [ours, *direct]
        for system in systems:
            make_topics(base, system.sources)
            send(system, options)
            base.processes.wait("load", 60)
        start_tables(ours)
        if options.against:
            first_rows(browser, ours)
        else:
            _first_minute(browser, ours, options, add)
        for system in systems[1:]:
            start_tables(system)
        seen: dict[tuple[str, str], list[Spread]] = {}
        # Round 0 warms each system up and does not count.
        for number in range(options.rounds + 1):
            for system in systems:
                found = one_round(browser, system, options, number)
                for table, result in found.items():
                    if number > 0:
                        seen.setdefault((table, system.name), []).append(result)
        for table in TABLES:
            for system in systems:
                rounds = seen[table, system.name]
                add(over_rounds(MEASURES[table], system.name, f"{options.rate}/s", rounds))


def first_rows(browser: Browser, system: System, told: Mapping[str, str] | None = None) -> None:
    """Start the pipeline and return when there are joined rows on the screen."""
    begun = time.time()
    start_pipeline(system, told)
    with attach(browser, system.port, system.key, system.interval) as probe:
        first = probe.first(TABLES[0], 150) / 1000 - begun
    say(f"{system.name}: first rows after {first:.1f} s")


def _first_minute(
    browser: Browser, system: System, options: Options, add: Callable[[Row], None]
) -> None:
    """Start the pipeline cold while events flow.

    The minute begins when the first joined rows are on the screen. Events since then count, in the
    window they were made in, however late they came.
    """
    say(f"{system.name}: starting the pipeline cold, {options.rate} events/s flowing")
    with attach(browser, system.port, system.key, system.interval) as probe:
        send(system, options, seconds=options.first_minute + 100 + _STRAGGLERS)
        begun = time.time()
        start_pipeline(system)
        first = probe.first(TABLES[0], 100)
        add(Row("start_to_first_row", system.name, value=round(first / 1000 - begun, 1), unit="s"))
        say(f"{system.name}: first rows after {first / 1000 - begun:.1f} s; measuring a minute")
        left = options.first_minute
        while left > 0:
            probe.watch(min(left, _WINDOW))
            system.base.processes.check()
            left -= _WINDOW
            say(f"{system.name}: {max(left, 0):.0f} s of the first minute left")
        probe.watch_past(TABLES[0], first + options.first_minute * 1000, _STRAGGLERS)
        system.base.processes.stop("load")
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


def one_round(browser: Browser, system: System, options: Options, number: int) -> dict[str, Spread]:
    """Attach, let events flow, and return what was seen after they settled, for each table."""
    processes = system.base.processes
    with attach(browser, system.port, system.key, system.interval) as probe:
        settle = options.settle if number else options.warm
        length = settle + options.measure
        send(system, options, seconds=length + _STRAGGLERS, seed=number + 1)
        begun = time.time() * 1000
        begin, end = begun + settle * 1000, begun + length * 1000
        probe.watch(length)
        processes.check()
        for table in TABLES:
            probe.watch_past(table, end, _STRAGGLERS)
        processes.stop("load")
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


def send(system: System, options: Options, seconds: float | None = None, seed: int = 1) -> None:
    """Start the producer: at the rate for some seconds, or each user and account once."""
    steady = [] if seconds is None else ["--rate", str(options.rate), "--seconds", str(seconds)]
    system.base.processes.start(
        "load",
        "bench.load",
        system.base.bootstrap,
        system.sources.users,
        system.sources.accounts,
        "--users",
        str(options.users),
        "--seed",
        str(seed),
        *steady,
    )
