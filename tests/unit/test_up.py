"""`tidegrid up`: parts as processes that are started, watched and started again."""

from __future__ import annotations

import subprocess
import sys
import threading
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
    broker, tables = part(tmp_path, "broker", "pass"), part(tmp_path, "tables")
    broker.start()
    assert broker.process is not None
    broker.process.wait()
    broker.program = Part.program
    # The tables cannot work before there is a broker.
    monkeypatch.setattr(up, "_ready", lambda *_: broker.ended is None)
    monkeypatch.setattr(up, "_RESTART_AFTER", 0)
    try:
        up._start(Settings(), [tables], [broker], threading.Event())
        assert (broker.started, tables.started) == (2, 1)
    finally:
        broker.stop()
        tables.stop()


def test_a_part_that_keeps_ending_is_given_up_on_while_others_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker, tables = part(tmp_path, "broker", "pass"), part(tmp_path, "tables")
    broker.start()
    monkeypatch.setattr(up, "_ready", lambda *_: False)
    monkeypatch.setattr(up, "_RESTART_AFTER", 0)
    try:
        with pytest.raises(PartError, match=r"broker ended 5 times .* its last words"):
            up._start(Settings(), [tables], [broker], threading.Event())
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


def test_a_part_that_does_not_start_says_why(tmp_path: Path) -> None:
    feed = part(tmp_path, "feed", "raise SystemExit(3)")
    feed.start()
    assert feed.process is not None
    feed.process.wait()
    feed.start = lambda: None  # type: ignore[method-assign]
    with pytest.raises(PartError, match="feed did not start: its last words"):
        up._start(Settings(), [feed], [], threading.Event())
    feed.stop()
