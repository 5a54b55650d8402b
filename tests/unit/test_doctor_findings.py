"""Findings: how they read, and what follows from one that did not go well."""

from __future__ import annotations

import json
import time
from typing import NoReturn

import pytest

from tidegrid.doctor import findings
from tidegrid.doctor.findings import Answer, Finding, Problem, Steps, shown
from tidegrid.errors import KafkaError


class Patient:
    """Steps, with what they told."""

    def __init__(self) -> None:
        self.told: list[Finding] = []
        self.said: list[str] = []
        self.steps = Steps(self.told.append, self.said.append)

    def fail(self, check: str, **more: object) -> None:
        """Take a step that finds a problem."""

        def step() -> NoReturn:
            raise Problem("it is broken", "mend it", **more)  # type: ignore[arg-type]

        assert self.steps.take(check, "looking", step) is None

    def be_well(self, check: str, *after: str) -> int | None:
        """Take a step that finds a 5."""
        return self.steps.take(check, "looking", lambda: Answer("fine", 5), after)


def test_a_finding_is_one_aligned_line() -> None:
    lines = [
        Finding("java", "ok", "17.0.12 (/usr/bin/java)").line(),
        Finding("topic users", "failed", "there is none", "produce to it").line(),
    ]
    assert lines == [
        "ok       java                           17.0.12 (/usr/bin/java)",
        "failed   topic users                    there is none -> produce to it",
    ]


def test_a_finding_is_one_json_object_in_a_line() -> None:
    text = Finding("a", "failed", 'line\n"two"', "mend").to_json()
    assert "\n" not in text
    found = {"check": "a", "state": "failed", "detail": 'line\n"two"', "fix": "mend"}
    assert json.loads(text) == found


def test_what_stands_on_a_failure_is_skipped_and_names_the_first_cause() -> None:
    patient = Patient()
    patient.fail("tcp")
    assert patient.be_well("tls", "tcp") is None
    assert patient.be_well("login", "tls") is None
    assert patient.be_well("spark") == 5
    assert [(f.check, f.state) for f in patient.told] == [
        ("tcp", "failed"),
        ("tls", "skipped"),
        ("login", "skipped"),
        ("spark", "ok"),
    ]
    assert patient.told[0] == Finding("tcp", "failed", "it is broken", "mend it")
    assert patient.told[2].detail == "because of tcp"
    assert not patient.steps.well


def test_a_warning_leaves_all_well_even_if_more_stands_on_it() -> None:
    patient = Patient()
    patient.fail("deephaven", state="warning")
    assert patient.be_well("its login", "deephaven") is None
    assert patient.told[1].state == "skipped"
    assert patient.steps.well


@pytest.mark.parametrize("error", [KafkaError("no broker"), OSError("no disk")])
def test_an_error_on_the_way_is_a_failure(error: Exception) -> None:
    patient = Patient()

    def step() -> NoReturn:
        raise error

    patient.steps.take("a", "looking", step)
    assert patient.told == [Finding("a", "failed", str(error))]


def test_a_step_that_takes_long_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "_SAY_AFTER", 0.01)
    patient = Patient()

    def step() -> Answer[None]:
        deadline = time.monotonic() + 5
        while not patient.said and time.monotonic() < deadline:
            time.sleep(0.005)
        return Answer("fine", None)

    patient.steps.take("login", "asking the provider", step)
    assert len(patient.said) == 1
    assert patient.said[0].startswith("login: asking the provider, ")


def test_a_quick_step_says_nothing() -> None:
    patient = Patient()
    patient.be_well("a")
    assert patient.said == []


def test_a_text_from_outside_is_short_and_printable_and_has_no_secret() -> None:
    assert shown("x" * 100) == "x" * 60 + "..."
    assert shown("a\x1b[31m\nb") == "a [31m b"
    assert shown("your key sesame is wrong", secret="sesame") == "your key *** is wrong"
