"""Log lines: text for people, and JSON that holds whatever is in a message."""

from __future__ import annotations

import json
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegrid import logs
from tidegrid.errors import KafkaError
from tidegrid.settings import Logs


@pytest.fixture(autouse=True)
def _put_the_process_back() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    hooks = sys.excepthook, threading.excepthook
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    sys.excepthook, threading.excepthook = hooks
    logging.captureWarnings(False)


Out = pytest.CaptureFixture[str]


def events(capsys: Out) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def fail(text: str) -> None:
    raise ValueError(text)


def test_text_has_time_level_part_and_message(capsys: Out) -> None:
    logs.setup(Logs())
    logs.get("pipeline").info("customers %d: live", 3, extra={"generation": 3})
    logs.get("pipeline").debug("not asked for")
    clock, line = capsys.readouterr().err.split(" ", 1)
    assert datetime.strptime(clock, "%H:%M:%S.%f")
    assert line == "INFO    tidegrid.pipeline: customers 3: live\n"


def test_json_has_the_same_and_what_it_is_about(capsys: Out) -> None:
    logs.setup(Logs(format="json"))
    about = {"topic": "users", "partition": 0, "offset": 17}
    with logs.about(flow="customers", generation=3):
        logs.get("tables").warning("lost %s", "sight", extra=about)
        with logs.about(generation=4):
            logs.get("tables").info("inner")
    logs.get("tables").info("outer")
    first, inner, outer = events(capsys)
    at = datetime.fromisoformat(first.pop("time"))
    assert abs((datetime.now(at.tzinfo) - at).total_seconds()) < 60
    assert str(at.tzinfo) == "UTC"
    assert first == {
        "level": "WARNING",
        "part": "tables",
        "message": "lost sight",
        "flow": "customers",
        "generation": 3,
        **about,
    }
    assert (inner["flow"], inner["generation"]) == ("customers", 4)
    assert outer.keys() == {"time", "level", "part", "message"}


def test_what_lines_are_about_stays_in_its_thread(capsys: Out) -> None:
    logs.setup(Logs(format="json"))
    with logs.about(flow="customers"):
        other = threading.Thread(target=logs.get("tables").info, args=("elsewhere",))
        other.start()
        other.join()
    assert "flow" not in events(capsys)[0]


@given(st.text())
def test_any_message_is_one_line_of_json(message: str) -> None:
    record = logging.LogRecord("tidegrid.x", logging.INFO, "", 0, "%s", (message,), None)
    line = logs.JsonLines().format(record)
    assert len(line.splitlines()) == 1
    assert json.loads(line)["message"] == message
    assert logs.message(line) == message


def test_an_exception_is_in_the_line_it_belongs_to(capsys: Out) -> None:
    logs.setup(Logs(format="json"))
    try:
        fail('two\nlines and "quotes"')
    except ValueError:
        logs.get("tables").exception("it failed")
    [event] = events(capsys)
    assert event["message"] == "it failed"
    assert event["error"].startswith("Traceback")
    assert event["error"].endswith('ValueError: two\nlines and "quotes"')


def test_what_nobody_catches_is_a_line_too(capsys: Out) -> None:
    logs.setup(Logs(format="json"))
    for target in (lambda: fail("in a thread"), sys.exit):
        thread = threading.Thread(target=target)
        thread.start()
        thread.join()
    try:
        fail("at the top")
    except ValueError as e:
        sys.excepthook(type(e), e, e.__traceback__)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old ways", stacklevel=1)
    found = events(capsys)
    assert [e["level"] for e in found] == ["CRITICAL", "CRITICAL", "WARNING"]
    assert "in a thread" in found[0]["error"]
    assert "at the top" in found[1]["message"]
    assert "old ways" in found[2]["message"]


def test_the_level_is_taken_in_small_letters_too(capsys: Out) -> None:
    logs.setup(Logs(level="error"))
    logs.get("tables").warning("quiet")
    assert capsys.readouterr().err == ""
    logs.get("tables").error("loud")
    assert capsys.readouterr().err.endswith("ERROR   tidegrid.tables: loud\n")


def test_the_last_words_of_a_command_are_in_the_form_of_its_log(capsys: Out) -> None:
    logs.failure("pipeline", KafkaError("no broker"))
    assert capsys.readouterr().err == "tidegrid pipeline: no broker\n"
    logs.setup(Logs(format="json"))
    logs.failure("pipeline", KafkaError("no broker"))
    [event] = events(capsys)
    assert (event["level"], event["part"], event["message"]) == ("ERROR", "pipeline", "no broker")


@pytest.mark.parametrize("line", ["", "plain text", "{", "[]", '{"a": 1}', "5"])
def test_a_line_that_is_no_event_is_its_own_message(line: str) -> None:
    assert logs.message(line) == line
