"""Java: its version, and what is said when it is missing or too old."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tidegrid.errors import MachineError
from tidegrid.machine.java import REQUIRED, java_command, java_home, parse_version


@pytest.fixture(autouse=True)
def _forget_the_java_of_this_machine() -> Iterator[None]:
    java_command.cache_clear()
    yield
    java_command.cache_clear()


def install(home: Path, version: str) -> Path:
    """Put a `java` that only tells a version into a folder."""
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n", "utf-8")
    java.chmod(0o755)
    return java


@pytest.mark.parametrize(
    ("text", "major"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "21-ea" 2023-09-19', 21),
        ('openjdk version "25" 2025-09-16 LTS', 25),
        ('openjdk version "11.0.2" 2019-01-15\nOpenJDK Runtime Environment', 11),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "17.0.1"', 17),
        ("bash: java: command not found", 0),
        ('version "seventeen"', 0),
        ("", 0),
    ],
)
def test_the_major_version_is_read(text: str, major: int) -> None:
    assert parse_version(text) == major


def test_a_java_home_without_java_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MachineError, match="JAVA_HOME") as failed:
        java_command()
    message = str(failed.value)
    assert "\n" not in message
    assert str(tmp_path) in message
    assert f"install a JDK {REQUIRED} or newer" in message


def test_no_java_at_all_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MachineError, match="no java on the PATH") as failed:
        java_command()
    assert "\n" not in str(failed.value)


def test_a_java_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = install(tmp_path, "11.0.2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MachineError, match="Java 11") as failed:
        java_command()
    assert str(java) in str(failed.value)


def test_java_home_wins_over_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, other = tmp_path / "ours", tmp_path / "other"
    java = install(ours, f"{REQUIRED}.0.1")
    install(other, "25")
    monkeypatch.setenv("JAVA_HOME", str(ours))
    monkeypatch.setenv("PATH", str(other / "bin"), prepend=":")
    assert java_command() == str(java)
    assert java_home() == str(ours.resolve())
