"""`tidegrid up`: parts as processes that are started, watched and started again."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tidegrid.errors import PartError
from tidegrid.settings import Settings
from tidegrid.stack import up


class Part(up.Child):
    """A part that is a small Python program, and counts how often it was started."""

    program = "input()"
    started = 0

    def start(self) -> None:
        """Start the program."""
        self.started += 1
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.program],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def part(folder: Path, name: str, program: str = Part.program) -> Part:
    """Return a part that has said one thing."""
    log = folder / f"{name}.log"
    log.write_text("its last words\n")
    made = Part(name, name, log, {})
    made.program = program
    return made


def test_a_part_that_ends_while_others_start_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker, tables = part(tmp_path, "broker"), part(tmp_path, "tables")

    def ready(_settings: Settings, name: str, _since: float) -> bool:
        if name == "broker":
            return True
        if broker.started == 1 and broker.process is not None:
            broker.process.kill()
            return False
        # The tables cannot work before there is a broker.
        return broker.ended is None

    monkeypatch.setattr(up, "_ready", ready)
    try:
        up._start(Settings(), [broker, tables], threading.Event())
        assert (broker.started, tables.started) == (2, 1)
    finally:
        broker.stop()
        tables.stop()


def test_a_part_that_keeps_ending_is_given_up_on_while_others_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker, tables = (
        part(tmp_path, "broker", "import time; time.sleep(0.1)"),
        part(tmp_path, "tables"),
    )
    monkeypatch.setattr(up, "_ready", lambda _settings, name, _since: name == "broker")
    monkeypatch.setattr(up, "_RESTART_AFTER", 0)
    try:
        with pytest.raises(PartError, match=r"broker ended 5 times .* its last words"):
            up._start(Settings(), [broker, tables], threading.Event())
    finally:
        broker.stop()
        tables.stop()


def test_one_of_a_pair_that_keeps_ending_leaves_the_other_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = part(tmp_path, "pipeline"), part(tmp_path, "second", "pass")
    monkeypatch.setattr(up, "_RESTART_AFTER", 0)

    def end(child: Part, others: list[up.Child]) -> None:
        for _ in range(2 * up._MOST_RESTARTS):
            assert child.process is not None
            child.process.wait()
            up._keep_up(child, others)

    first.start()
    second.start()
    try:
        end(second, [first])
        assert second.started == 1 + up._MOST_RESTARTS
        # It is tried again when its minute is over.
        second.restarts = [at - 60 for at in second.restarts]
        up._keep_up(second, [first])
        assert second.started == 2 + up._MOST_RESTARTS
        first.program = "pass"
        first.stop()
        first.start()
        assert second.process is not None
        second.process.wait()
        with pytest.raises(PartError, match="pipeline ended 5 times"):
            end(first, [second])
    finally:
        first.stop()
        second.stop()


def test_no_part_is_asked_whether_it_works_before_there_is_a_broker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [part(tmp_path, name) for name in ("broker", "feed", "tables")]
    asked: list[str] = []

    def ready(_settings: Settings, name: str, _since: float) -> bool:
        asked.append(name)
        return len(asked) > 2

    monkeypatch.setattr(up, "_ready", ready)
    try:
        up._start(Settings(), parts, threading.Event())
        assert asked == ["broker", "broker", "broker", "feed", "tables"]
        assert [one.started for one in parts] == [1, 1, 1]
    finally:
        for one in parts:
            one.stop()


@pytest.mark.parametrize("crowded", [True, False])
def test_on_few_cores_the_pipeline_starts_when_the_tables_are_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crowded: bool
) -> None:
    pipeline, tables = part(tmp_path, "pipeline"), part(tmp_path, "tables")
    before: list[int] = []

    def ready(_settings: Settings, name: str, _since: float) -> bool:
        if name == "tables":
            before.append(pipeline.started)
        return name == "pipeline" or len(before) > 2

    monkeypatch.setattr(up, "_ready", ready)
    monkeypatch.setattr(up, "_crowded", lambda: crowded)
    try:
        up._start(Settings(), [pipeline, tables], threading.Event())
        assert before == [0 if crowded else 1] * 3
        assert (pipeline.started, tables.started) == (1, 1)
    finally:
        pipeline.stop()
        tables.stop()


def test_a_part_is_started_again_at_once_and_the_next_time_after_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(up, "_RESTART_AFTER", 1.5)
    tables = part(tmp_path, "tables", "pass")
    tables.start()
    took = []
    for _ in range(2):
        assert tables.process is not None
        tables.process.wait()
        begun = time.monotonic()
        up._keep_up(tables)
        took.append(time.monotonic() - begun)
    tables.stop()
    assert took[0] < 1.5 <= took[1]


def test_a_part_that_does_not_start_says_why(tmp_path: Path) -> None:
    feed = part(tmp_path, "feed", "raise SystemExit(3)")
    feed.start()
    assert feed.process is not None
    feed.process.wait()
    feed.start = lambda: None  # type: ignore[method-assign]
    with pytest.raises(PartError, match="feed did not start: its last words"):
        up._start(Settings(), [feed], threading.Event())
    feed.stop()
