"""The command line: help that is complete, and failures that are one line and a code."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from tidegrid import cli, settings
from tidegrid.errors import SettingsError

COMMANDS = ("up", "broker", "feed", "pipeline", "tables", "swap", "rollback", "doctor", "status")


@pytest.fixture(autouse=True)
def _put_the_process_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Undo what `main` does to its process: it takes over the signals and the log."""
    monkeypatch.chdir(tmp_path)
    signals = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    for number, handler in signals.items():
        signal.signal(number, handler)
    root.handlers[:] = handlers
    root.setLevel(level)


def help_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        cli.main([*arguments, "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(capsys)
    listed = {line.split()[0] for line in text.splitlines() if line.startswith("    ")}
    assert listed >= set(COMMANDS)


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_help_lists_every_setting_with_its_variable(
    capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    lines = [line.split() for line in help_of(capsys, *command).splitlines()]
    found = {tuple(words[:2]) for words in lines}
    for section, kind in settings.sections().items():
        for f in fields(kind):
            assert (f"{section}.{f.name}", f"TIDEGRID_{section}_{f.name}".upper()) in found
    assert ("home", "TIDEGRID_HOME") in found
    assert any(words[:1] == [settings.PSK_VARIABLE] for words in lines)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["up", "--without", "wings"],
        ["feed", "--without", "broker"],
        ["status", "--verbose"],
    ],
)
def test_a_command_that_is_not_known_ends_with_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: tidegrid")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bad_settings_file_is_one_line_and_a_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("[tables]\nprot = 1\n", "utf-8")
    assert cli.main([command, "--settings", str(path)]) == SettingsError.exit_code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith(f"tidegrid {command}: setting tables.prot in {path}: unknown")


def test_the_settings_file_of_this_folder_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "tidegrid.toml").write_text("not toml", "utf-8")
    assert cli.main(["status"]) == SettingsError.exit_code
    assert "tidegrid.toml: not valid TOML" in capsys.readouterr().err


def test_a_bad_variable_is_one_line_and_a_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDEGRID_TABLES_PORT", "http")
    assert cli.main(["status"]) == SettingsError.exit_code
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "tables.port in the environment" in said


def test_the_handout_for_another_deephaven_holds_no_secret(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = {settings.PSK_VARIABLE: "4cU8nQ1rT6yW3eX0", "KAFKA_CLIENT_SECRET": "for Kafka alone"}
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "index.html").write_text("the page")
    monkeypatch.setenv("TIDEGRID_TABLES_PAGE", str(tmp_path))
    into = tmp_path.with_name("handout")
    assert cli.main(["tables", "--print-config"]) == 0
    assert cli.main(["tables", "--print-config", "--into", str(into)]) == 0
    texts = [capsys.readouterr().out]
    texts += [p.read_text("utf-8") for p in into.rglob("*") if p.is_file()]
    assert len(texts) > 5
    assert [t for t in texts for value in secrets.values() if value in t] == []


def test_into_without_print_config_is_an_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert cli.main(["tables", "--into", str(tmp_path)]) == SettingsError.exit_code
    assert "--into needs --print-config" in capsys.readouterr().err
