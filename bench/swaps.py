"""Swaps: from the control message to new rows painted, rollbacks, and a hundred in a row."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench.browser import chromium
from bench.events import Sources
from bench.ground import Ground, ground
from bench.jvm import Jvm
from bench.options import Options
from bench.processes import BenchError
from bench.report import say
from bench.rows import Row, spread
from bench.systems import System, make_topics, start_pipeline, start_tables
from tidegrid import kafka
from tidegrid.contract import messages
from tidegrid.contract.topics import CONTROL
from tidegrid.kafka.receipt_log import ReceiptLog

_PROBE = Path(__file__).with_name("swap_probe.js").read_text("utf-8")
_VIEWS = ("final_ui", "users_ui", "accounts_ui")
_ROLLBACK = {"action": "rollback", "flow": "customers"}
_PATIENCE = 120.0
_SMALL_USERS = 10_000
#: Threads of Spark that have nothing to do end after a minute.
_IDLE_MS = 75_000
_MINUTE_MS = 60_000


@dataclass(frozen=True)
class _Watch:
    """A stack with a viewer, and a pen for control messages."""

    base: Ground
    page: Page
    sender: kafka.Sender

    @property
    def name(self) -> str:
        """The system that is watched."""
        return self.base.version.name

    def send(self, world: str, message: dict[str, str]) -> tuple[float, float]:
        """Send a message; return the ms until all views show a world, and how far apart they were.

        A view that shows rows of two worlds at once is an error.
        """
        before = {view: self._changes(view) for view in _VIEWS}
        begun = time.time() * 1000
        self.sender.send(CONTROL, messages.to_json(message))
        painted = []
        for view in _VIEWS:
            count = len(before[view])
            try:
                self.page.wait_for_function(
                    "([view, count]) => swaps[view].length > count",
                    arg=[view, count],
                    timeout=_PATIENCE * 1000,
                    polling=20,
                )
            except Exception as e:
                raise BenchError(f"{view} did not change to {world}: {self._told()}") from e
            shown, at = self._changes(view)[count]
            if shown != world:
                raise BenchError(f"{view} showed {shown} instead of {world}")
            painted.append(float(at))
        self.base.processes.check()
        return max(painted) - begun, max(painted) - min(painted)

    def settle(self) -> None:
        """Wait until the generation before lingers, and what ended is gone."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            lives = ReceiptLog.read(self.base.connection).ledger.lives("customers").values()
            states = [life.state for life in lives if life.running]
            if sorted(states) == ["lingering", "live"]:
                return
            self.page.wait_for_timeout(100)
        raise BenchError(f"the generations did not settle: {states}")

    def _changes(self, view: str) -> list[tuple[str, float]]:
        found: list[tuple[str, float]] = self.page.evaluate("view => swaps[view]", view)
        return found

    def _told(self) -> str:
        lives = ReceiptLog.read(self.base.connection).ledger.lives("customers")
        return ", ".join(f"{g} {life.state}" for g, life in list(lives.items())[-3:])


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Measure swaps of two sizes, rollbacks and, beside no other version, many in a row.

    Many come first: they also make Spark warm for those that are timed.
    """
    with ground(options.version) as base, chromium() as browser:
        watch = _watch(base, browser, options)
        for number in range(options.many_warm):
            watch.send(f"swap.{'cd'[number % 2]}", _message("cd"[number % 2]))
        if not options.against:
            _measure_many(watch, options, add)
        _measure_small(watch, options, add)
        _measure_large(watch, options, add)


def first(options: Options, add: Callable[[Row], None]) -> None:
    """Measure the first swap after a start, when the pipeline is a minute old.

    People swap once a day. It is of ordinary JSON, each time on a stack that has just started.
    """
    sizes = {"b": f"{3 * _SMALL_USERS:,} records", "large": f"{options.backlog:,} records"}
    for world, size in sizes.items():
        times = []
        for number in range(options.first_swaps):
            with ground(options.version) as base, chromium() as browser:
                watch = _watch(base, browser, options, ("a", world), ("--ordinary",))
                watch.page.wait_for_timeout(_MINUTE_MS)
                took, _ = watch.send(f"swap.{world}", _message(world))
                say(f"{watch.name}: first swap {number + 1}, {size}: {took:,.0f} ms")
                times.append(took)
        add(_row("first_swap", options.version.name, size, times))


def _measure_small(watch: _Watch, options: Options, add: Callable[[Row], None]) -> None:
    watch.send("swap.a", _message("a"))
    watch.settle()
    times: dict[str, list[float]] = {"swap": [], "rollback": [], "swap_views_apart": []}
    for number in range(options.swap_warm + options.swaps):
        warm = number >= options.swap_warm
        name = f"swap {number + 1 - options.swap_warm}" if warm else "warm-up"
        # Rolled back each time, so the next one goes there again.
        took, apart = watch.send("swap.b", _message("b"))
        watch.settle()
        back, _ = watch.send("swap.a", _ROLLBACK)
        watch.settle()
        say(f"{watch.name}: {name}: {took:,.0f} ms, rollback {back:,.0f} ms")
        if warm:
            for found, time_of in zip(times.values(), (took, back, apart), strict=True):
                found.append(time_of)
    at = f"{_SMALL_USERS:,} users, {2 * _SMALL_USERS:,} accounts"
    for measure_name, found in times.items():
        add(_row(measure_name, watch.name, at, found))


def _measure_large(watch: _Watch, options: Options, add: Callable[[Row], None]) -> None:
    times = []
    for number in range(options.large_warm + options.large_swaps):
        took, _ = watch.send("swap.large", _message("large"))
        watch.settle()
        watch.send("swap.a", _ROLLBACK)
        watch.settle()
        say(f"{watch.name}: swap to {options.backlog:,} events: {took:,.0f} ms")
        if number >= options.large_warm:
            times.append(took)
    add(_row("swap", watch.name, f"{options.backlog:,} events", times))


def _measure_many(watch: _Watch, options: Options, add: Callable[[Row], None]) -> None:
    """Swap many times; what is held afterwards must be what was held before."""
    before = _held(watch)
    begun = time.monotonic()
    for number in range(options.many):
        # An even number of them ends where it began.
        world = "cd"[number % 2]
        watch.send(f"swap.{world}", _message(world))
        if (number + 1) % 10 == 0:
            say(f"{watch.name}: {number + 1} of {options.many} swaps in a row")
    seconds = time.monotonic() - begun
    after = _held(watch)
    at = f"{options.many} in a row"
    add(Row("swaps_100", watch.name, at, value=round(seconds, 1), unit="s"))
    for what, amount in after.items():
        unit = "MB" if "heap" in what else ""
        add(Row(f"swaps_100_{what}_before", watch.name, at, value=before[what], unit=unit))
        add(Row(f"swaps_100_{what}_after", watch.name, at, value=amount, unit=unit))


def _held(watch: _Watch) -> dict[str, float]:
    """Count what could pile up, once the last generation has closed."""
    say(f"{watch.name}: waiting until only one generation is left")
    deadline = time.monotonic() + _PATIENCE
    home = watch.base.settings.home
    while True:
        lives = ReceiptLog.read(watch.base.connection).ledger.lives("customers").values()
        topics = [
            n for n in kafka.names(watch.base.connection) if n.startswith("tidegrid.customers.")
        ]
        folders = list((home / "checkpoints").glob("*/customers/*"))
        if sum(life.running for life in lives) == 1 and len(folders) == 1:
            break
        if time.monotonic() > deadline:
            raise BenchError(f"left over: {topics}, {[f.name for f in folders]}")
        watch.page.wait_for_timeout(500)
    say(f"{watch.name}: waiting until idle threads have ended")
    watch.page.wait_for_timeout(_IDLE_MS)
    tables, spark = (
        Jvm(watch.base.processes.pid(watch.name)),
        Jvm.below(watch.base.processes.pid("pipeline")),
    )
    held: dict[str, float] = {
        "topics": len(topics),
        "checkpoints": len(folders),
        "deephaven_consumer_threads": tables.threads("KafkaIngester"),
        "deephaven_threads": tables.threads(""),
        "spark_threads": spark.threads(""),
    }
    # Collecting garbage makes Spark clean up after what was collected, with threads of its own: so
    # threads are counted before, and what is left after a second time.
    spark.live_bytes()
    watch.page.wait_for_timeout(10_000)
    for name, jvm in (("deephaven_heap", tables), ("spark_heap", spark)):
        held[name] = round(jvm.live_bytes() / 1e6, 1)
    return held


def _watch(
    base: Ground,
    browser: Browser,
    options: Options,
    worlds: Sequence[str] = ("a", "b", "c", "d", "large"),
    more: Sequence[str] = (),
) -> _Watch:
    """Start a stack on a ground, and return when its first generation is live and watched."""
    small, few = ["--users", str(_SMALL_USERS)], ["--users", "1000"]
    large = [*small, "--backlog", str(options.backlog)]
    amounts = {"a": small, "b": small, "c": few, "d": few, "large": large}
    for world in worlds:
        amount = [*amounts[world], *more]
        sources = _sources(world)
        make_topics(base, sources)
        say(f"producing {sources.users} and {sources.accounts}")
        base.processes.start(
            "load", "bench.load", base.bootstrap, sources.users, sources.accounts, *amount
        )
        base.processes.wait("load", 180)
    system = System(base.version.name, base, _sources("a"))
    start_tables(system)
    start_pipeline(system)
    page = browser.new_context().new_page()
    page.goto(f"http://127.0.0.1:{system.port}/probe")
    arguments = {"tables": list(_VIEWS), "rows": 50, "interval": system.interval}
    page.evaluate(_PROBE, {"key": system.key, **arguments})
    for view in _VIEWS:
        page.wait_for_function("view => swaps[view].length > 0", arg=view, timeout=_PATIENCE * 1000)
    # Until the first generation is live there is nothing to swap.
    deadline = time.monotonic() + _PATIENCE
    while ReceiptLog.read(base.connection).ledger.live("customers") is None:
        if time.monotonic() > deadline:
            raise BenchError("the first generation did not become live")
        page.wait_for_timeout(200)
    return _Watch(base, page, kafka.Sender(base.connection))


def _sources(world: str) -> Sources:
    return Sources(f"swap.{world}.users", f"swap.{world}.accounts")


def _message(world: str) -> dict[str, str]:
    sources = _sources(world)
    return {"usersTopic": sources.users, "accountsTopic": sources.accounts}


def _row(measure_name: str, system: str, at: str, times: list[float]) -> Row:
    found = spread(times)
    return Row(
        measure_name,
        system,
        at,
        p50=round(statistics.median(times)),
        p99=round(found.p99),
        max=round(found.max),
        rounds=len(times),
    )
