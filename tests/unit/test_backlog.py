"""How far a backlog is read in bulk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidegrid.pipeline import backlog


def test_the_last_records_of_each_partition_are_left() -> None:
    start = {"u": {"0": 0, "1": 10}, "a": {"0": 0}}
    end = {"u": {"0": 50, "1": 1000}, "a": {"0": 500}}
    found = backlog.until(start, end, keep=100, worth_it=1)
    assert found == {"u": {"0": 0, "1": 900}, "a": {"0": 400}}


def test_a_short_backlog_is_not_worth_it() -> None:
    start, end = {"u": {"0": 0}}, {"u": {"0": 60_000}}
    assert backlog.until(start, end, keep=20_000) is None
    assert backlog.until(start, end, keep=5_000) == {"u": {"0": 55_000}}


def test_an_empty_topic_has_no_backlog() -> None:
    assert backlog.until({"u": {"0": 7}}, {"u": {"0": 7}}, keep=10) is None


@pytest.mark.parametrize("note", [None, "", '[{"u": {"0"'])
def test_a_note_that_is_not_whole_is_none(tmp_path: Path, note: str | None) -> None:
    if note is not None:
        (tmp_path / "backlog").write_text(note)
    assert backlog.begun(tmp_path) is None


def test_a_note_says_what_is_being_read(tmp_path: Path) -> None:
    (tmp_path / "backlog").write_text('[{"u": {"0": 5}}, {"u": {"0": 60}}]')
    found = backlog.begun(tmp_path)
    assert found is not None
    assert (found.start, found.until, found.records) == ({"u": {"0": 5}}, {"u": {"0": 60}}, 55)
