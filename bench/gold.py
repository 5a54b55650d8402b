"""Position changes to a cell of `gold_latest`, beside Deephaven's own `last_by`; and a long run."""

from __future__ import annotations

import statistics
import time
import urllib.request
from collections.abc import Callable, Sequence

from playwright.sync_api import Browser
from prometheus_client.parser import text_string_to_metric_families

from bench.browser import attach, chromium
from bench.ground import ground
from bench.jvm import Jvm
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
from tidegrid.machine.ports import free_port

_TABLE = "gold_latest"
#: How far behind a system may be when a round ends, in seconds.
_STRAGGLERS = 60
_MB = 1024 * 1024
#: Minutes between two looks at the latency in a long run.
_LOOK = 3
#: Seconds that are held of: the longest window, and two minutes until the watermark is past it.
_HELD = 900 + 120


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Measure the systems in rounds, in turn, and what Tidegrid's parts use of the cores."""
    with ground(options.version) as base, chromium() as browser:
        ours = tidegrid(base, gold=True)
        direct = make_system("deephaven_direct", base, gold=True)
        systems = [ours] if options.against else [ours, direct]
        for each in systems:
            _start(each, options)
        start_pipeline(ours)
        seen: dict[str, list[Spread]] = {s.name: [] for s in systems}
        used: dict[str, list[float]] = {part: [] for part in ("pipeline", *seen)}
        # The first two warm each system up and do not count. Every second time the order is the
        # other way round, or whoever comes first would have been idle longest.
        for number in range(-1, options.rounds + 1):
            for each in systems[:: 1 if number % 2 else -1]:
                parts = [each.name, *(["pipeline"] if each is ours else [])]
                found, cores = _round(browser, each, options, number, parts)
                if number > 0:
                    seen[each.name].append(found)
                    for part, share in cores.items():
                        used[part].append(share)
        at = f"{options.gold_rate}/s, {options.symbols} symbols"
        for each in systems:
            add(over_rounds("gold_latest", each.name, at, seen[each.name]))
            add(_cores("gold_cores_tables", each.name, at, used[each.name]))
        add(_cores("gold_cores_pipeline", ours.name, at, used["pipeline"]))


def soak(options: Options, add: Callable[[Row], None]) -> None:
    """Run for long at the rate, and report what is held each minute.

    It begins with what the longest window and its watermark hold at that rate: with nothing, all
    that is held would grow for as long as they look back.
    """
    with ground() as base, chromium() as browser:
        ours, metrics = tidegrid(base, gold=True), free_port()
        _start(ours, options, past=_HELD)
        start_pipeline(ours, {"TIDEGRID_PIPELINE_METRICS_PORT": str(metrics)})
        with attach(browser, ours.port, ours.key, ours.interval, (_TABLE,)) as probe:
            probe.first(_TABLE, 180)
        _send(ours, options, seconds=options.soak_minutes * 60 + 60)
        tables = Jvm(base.processes.pid(ours.name))
        spark = Jvm.below(base.processes.pid("pipeline"))
        begun = time.monotonic()
        for minute in range(1, options.soak_minutes + 1):
            time.sleep(max(begun + 60 * minute - time.monotonic(), 0))
            base.processes.check()
            held = {
                "tables_heap": tables.live_bytes(),
                "spark_heap": spark.live_bytes(),
                **{f"spark_state_{where}": size for where, size in _state(metrics).items()},
            }
            held = {name: round(size / _MB, 1) for name, size in held.items()}
            at = f"minute {minute}"
            say(f"{at}: " + ", ".join(f"{name} {size:,} MB" for name, size in held.items()))
            for name, size in held.items():
                add(Row(f"gold_soak_{name}", "tidegrid", at, value=size, unit="MB"))
            if minute % _LOOK == 0:
                found = _look(browser, ours)
                say(f"{at}: p50 {found.p50:.0f} ms, p99 {found.p99:.0f} ms")
                add(Row("gold_soak_latency", "tidegrid", at, found.p50, found.p99, found.max))


def _look(browser: Browser, each: System) -> Spread:
    """Attach for some seconds, and return what was seen after the first rows."""
    with attach(browser, each.port, each.key, each.interval, (_TABLE,)) as probe:
        begin = probe.first(_TABLE, 60)
        probe.watch(15)
        return spread([s.latency for s in probe.samples(_TABLE) if s.at > begin + 1000])


def _start(each: System, options: Options, past: int | None = None) -> None:
    """Send each symbol once, or what so many seconds would have brought; start the tables."""
    make_topics(each.base, each.sources)
    _send(each, options, past=past)
    each.base.processes.wait("load", 120)
    start_tables(each)


def _cores(measure_name: str, system: str, at: str, rounds: list[float]) -> Row:
    value = round(statistics.median(rounds), 3)
    return Row(measure_name, system, at, value=value, unit="cores", rounds=len(rounds))


def _round(
    browser: Browser, each: System, options: Options, number: int, parts: Sequence[str]
) -> tuple[Spread, dict[str, float]]:
    """Attach, let events flow, and return what was seen after they settled.

    With it comes how much of a core each of the parts used meanwhile.
    """
    processes = each.base.processes
    with attach(browser, each.port, each.key, each.interval, (_TABLE,)) as probe:
        probe.first(_TABLE, 180)
        settle = options.settle if number > 0 else options.gold_warm / 2
        length = settle + options.measure
        _send(each, options, seconds=length + _STRAGGLERS)
        begun = time.time() * 1000
        begin, end = begun + settle * 1000, begun + length * 1000
        probe.watch(settle)
        before = {part: processes.cpu_seconds(part) for part in parts}
        probe.watch(options.measure)
        cores = {p: (processes.cpu_seconds(p) - b) / options.measure for p, b in before.items()}
        processes.check()
        probe.watch_past(_TABLE, end, _STRAGGLERS)
        processes.stop("load")
        kept = [s.latency for s in probe.samples(_TABLE) if begin <= s.at < end]
        if not kept:
            raise BenchError(f"{each.name}: no change of {_TABLE} reached the screen")
    found = spread(kept)
    name = f"round {number} of {options.rounds}" if number > 0 else "warm-up"
    busy = ", ".join(f"{part} {share:.2f} cores" for part, share in cores.items())
    say(f"{each.name}: {name}: p50 {found.p50:.0f} ms, p99 {found.p99:.0f} ms; {busy}")
    return found, cores


def _send(
    each: System,
    options: Options,
    *,
    seconds: float | None = None,
    past: int | None = None,
) -> None:
    """Start the producer: at the rate for some seconds, as if it had run, or each symbol once."""
    steady = ["--rate", str(options.gold_rate)] if seconds or past else []
    steady += ["--seconds", str(seconds)] if seconds else []
    steady += ["--past", str(past)] if past else []
    each.base.processes.start(
        "load",
        "bench.gold_load",
        each.base.bootstrap,
        each.sources.positions,
        "--symbols",
        str(options.symbols),
        *steady,
    )


def _state(port: int) -> dict[str, float]:
    """Return how large the pipeline says its state was at its last commit, by where it is."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return {
        sample.labels["where"]: sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "tidegrid_state_bytes" and sample.labels["flow"] == "positions"
    }
