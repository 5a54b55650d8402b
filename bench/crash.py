"""What a viewer sees of commits and of a pipeline that is killed, alone and as one of a pair."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from bench.browser import TABLES, Probe, Sample, attach, chromium
from bench.ground import ground
from bench.latency import first_rows, send
from bench.options import Options
from bench.processes import BenchError
from bench.report import say
from bench.rows import Row, spread
from bench.systems import System, make_topics, start_pipeline, start_tables, tidegrid
from tidegrid.contract import health
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.stack.status import newest_health

_VIEW, _FLOW = TABLES[0], "customers"
#: The pipelines, as processes.
_PARTS = ("pipeline", "second")
#: Seconds after which `tidegrid up` has seen that a part has ended, and starts it again.
_AGAIN = 0.1
#: Rows at most this old, in milliseconds, for so many seconds: then all is as before.
_FRESH, _STEADY = 1000.0, 5.0
#: Seconds from when both of a pair write rows until one is killed.
_BETWEEN = 15.0
#: Seconds in which it must be so.
_PATIENCE = 240.0


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Measure commits, then kills, of one pipeline and of a pair."""
    for parts in (_PARTS[:1], _PARTS):
        told = {"TIDEGRID_PIPELINE_PAIR": str(len(parts) > 1).lower()}
        often = {**told, "TIDEGRID_PIPELINE_CHECKPOINT_INTERVAL": f"{options.commit_every} seconds"}
        with _running(options, parts, often) as (system, probe):
            _measure_commits(system, probe, options, parts, add)
        with _running(options, parts, told) as (system, probe):
            _measure_kills(system, probe, options, parts, told, add)


@contextmanager
def _running(
    options: Options, parts: Sequence[str], told: Mapping[str, str]
) -> Iterator[tuple[System, Probe]]:
    """Start everything, and the load; return when it is warm."""
    with ground() as base, chromium() as browser:
        system = tidegrid(base)
        make_topics(base, system.sources)
        send(system, options)
        base.processes.wait("load", 60)
        start_tables(system)
        first_rows(browser, system, told)
        if len(parts) > 1:
            start_pipeline(system, told, _PARTS[1])
        with attach(browser, system.port, system.key, system.interval) as probe:
            send(system, options, seconds=24 * 3600)
            if len(parts) > 1:
                _wait_for_both(system, time.time())
            say(f"{_called(parts)}: warming up for {options.warm:.0f} s")
            probe.watch(options.warm)
            yield system, probe


def _measure_commits(
    system: System,
    probe: Probe,
    options: Options,
    parts: Sequence[str],
    add: Callable[[Row], None],
) -> None:
    """Watch a stretch with several commits: how old rows are, and the longest pause."""
    begin = time.time() * 1000
    probe.watch(options.commits * options.commit_every)
    system.base.processes.check()
    samples = [s for s in probe.samples(_VIEW) if s.at >= begin]
    found = spread([s.latency for s in samples])
    ordered = sorted(s.latency for s in samples)
    late = ordered[min(int(0.999 * len(ordered)), len(ordered) - 1)]
    pause = _longest_pause(samples, begin)
    at = f"{options.rate}/s, {options.commits} commits"
    name = _called(parts)
    say(
        f"{name}: {options.commits} commits: p50 {found.p50:.0f} ms, p99 {found.p99:.0f} ms, "
        f"p99.9 {late:.0f} ms, worst {found.max:.0f} ms; longest pause {pause:.0f} ms"
    )
    add(Row("commit_latency", name, at, found.p50, found.p99, found.max, samples=found.samples))
    add(Row("commit_latency_p999", name, at, value=late))
    add(Row("commit_stall", name, at, value=round(pause)))


def _measure_kills(
    system: System,
    probe: Probe,
    options: Options,
    parts: Sequence[str],
    told: Mapping[str, str],
    add: Callable[[Row], None],
) -> None:
    """Kill a pipeline again and again: how long nothing new came, and until rows were fresh."""
    pauses, waits = [], []
    name = _called(parts)
    for number in range(options.kills):
        part = parts[number % len(parts)]
        begin = time.time() * 1000
        system.base.processes.stop(part)
        probe.watch(_AGAIN)
        start_pipeline(system, told, part)
        fresh = _fresh_again(system, probe, begin)
        came = [s for s in probe.samples(_VIEW) if s.at + s.latency > begin - 1000]
        pauses.append(_longest_pause(came, begin))
        waits.append(fresh - begin)
        found = f"{pauses[-1]:,.0f} ms without a row, fresh after {waits[-1]:,.0f} ms"
        say(f"{name}: kill {number + 1}: {found}")
        if len(parts) > 1:
            _wait_for_both(system, begin / 1000)
        # What it has missed is read again before the next one.
        probe.watch(_BETWEEN)
    at = f"{options.rate}/s, {options.kills} kills"
    for measure_name, values in (("crash_pipeline", pauses), ("crash_pipeline_fresh", waits)):
        seen = spread(values)
        add(Row(measure_name, name, at, seen.p50, None, seen.max, samples=seen.samples))


def _fresh_again(system: System, probe: Probe, begin: float) -> float:
    """Return from when on rows were fresh, in epoch milliseconds; wait until they stay so."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        probe.watch(1)
        system.base.processes.check()
        came = [s for s in probe.samples(_VIEW) if s.at + s.latency > begin]
        late = [s.at + s.latency for s in came if s.latency > _FRESH]
        since = max(late, default=begin)
        after = [s.at + s.latency for s in came if s.at + s.latency > since]
        if after and after[-1] - after[0] > _STEADY * 1000:
            # The first row after the last late one, or after a pause that none came late from.
            longest = max(
                zip([begin, *after], after, strict=False), key=lambda pair: pair[1] - pair[0]
            )
            return longest[1] if not late else after[0]
    raise BenchError(f"rows were not fresh within {_PATIENCE:.0f} s")


def _longest_pause(samples: Sequence[Sample], begin: float) -> float:
    came = [begin, *sorted(s.at + s.latency for s in samples if s.at + s.latency > begin)]
    return max((b - a for a, b in itertools.pairwise(came)), default=float("inf"))


def _wait_for_both(system: System, since: float) -> None:
    """Wait until both pipelines have reported after a time and write rows of the live generation.

    A query that starts again finds rows of its own: so they must become more.
    """
    deadline = time.monotonic() + _PATIENCE
    before: dict[str, float] = {}
    while True:
        now = _written(system, since)
        if all(now.get(p, 0) > before.get(p, now.get(p, 0)) for p in ("pipeline", health.SECOND)):
            return
        before = {**before, **{part: rows for part, rows in now.items() if part not in before}}
        if time.monotonic() > deadline:
            raise BenchError(f"not both pipelines wrote rows within {_PATIENCE:.0f} s")
        system.base.processes.check()
        time.sleep(0.5)


def _written(system: System, since: float) -> dict[str, float]:
    """Return how many rows of the live generation there are, by the part that reports it."""
    live = ReceiptLog.read(system.base.connection).ledger.live(_FLOW)
    return {
        part: sum(
            figure.value
            for figure in report.figures
            if figure.measure == "rows_written"
            and (figure.flow, figure.generation) == (_FLOW, live)
        )
        for part, report in newest_health(system.base.connection).items()
        if report.at > since
    }


def _called(parts: Sequence[str]) -> str:
    return "tidegrid_pair" if len(parts) > 1 else "tidegrid"
