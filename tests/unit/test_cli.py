"""The command line: help that is complete, and failures that are one line and a code."""

from __future__ import annotations

import json
import logging
import re
import shlex
import signal
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from tidegrid import cli, commands, options, settings
from tidegrid.errors import FlowError, SettingsError

#: All commands, each with what it cannot do without.
NEEDS = {
    **dict.fromkeys(("up", "broker", "feed", "pipeline", "tables", "flows"), ()),
    **dict.fromkeys(("swap", "rollback", "doctor", "status", "settings"), ()),
    "plan": ("orders.toml",),
    "apply": ("orders.toml",),
    "remove": ("orders",),
    "infer": ("shop.orders",),
}
COMMANDS = tuple(NEEDS)
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _put_the_process_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Undo what `main` does to its process: it takes over the signals, the log and a variable."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(settings.SETTINGS_VARIABLE, "")
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
    assert listed >= set(COMMANDS) == set(commands.COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_is_about_that_command(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    text = help_of(capsys, command)
    before, examples = text.split("\nexamples:\n")
    assert before.startswith(f"usage: tidegrid {command} ")
    assert "\nNeeds " in before
    assert "--settings FILE" in before
    shown = examples.split("\n\n")[0].splitlines()
    assert 2 <= len(shown) <= 3
    assert any(f"tidegrid {command}" in example for example in shown)
    assert "tidegrid settings" in examples
    assert len(text.splitlines()) < 35
    assert "TIDEGRID_FEED_SEED" not in text


@pytest.mark.parametrize("example", [e for c in commands.COMMANDS.values() for e in c.examples])
def test_every_example_is_a_command_that_is_understood(example: str) -> None:
    words = [w for w in shlex.split(example.split(" > ")[0]) if not re.match("[A-Z_]+=", w)]
    assert words[0] == "tidegrid"
    assert options.parse(words[1:]).command == words[1]


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert capsys.readouterr().out == f"tidegrid {project['version']}\n"


def test_the_page_has_the_version_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
    versions = {page["version"], lock["version"], lock["packages"][""]["version"]}
    assert versions == {project["version"]}


def test_settings_lists_every_setting_with_its_variable(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["settings"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    found = {(words[0], word.strip(",")) for words in lines if words for word in words[1:]}
    for section, kind in settings.sections().items():
        for f in fields(kind):
            assert (f"{section}.{f.name}", f"TIDEGRID_{section}_{f.name}".upper()) in found
    assert {("home", "TIDEGRID_HOME"), ("-", settings.PSK_VARIABLE)} <= found


def test_settings_says_what_the_environment_and_a_file_set(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[tables]\nport = 8080\nheap_mb = 512\n", "utf-8")
    monkeypatch.setenv("TIDEGRID_TABLES_PORT", "8443")
    monkeypatch.setenv("KAFKA_CLIENT_SECRET", "for Kafka alone")
    arguments = ["settings", "--settings", str(path)]
    assert cli.main([*arguments, "--format", "json"]) == 0
    by_variable = {e["variables"][0]: e for e in json.loads(capsys.readouterr().out)}
    assert by_variable["TIDEGRID_TABLES_PORT"] == {
        "setting": "tables.port",
        "variables": ["TIDEGRID_TABLES_PORT"],
        "default": 10000,
        "value": 8443,
        "source": "environment",
        "place": "TIDEGRID_TABLES_PORT",
    }
    heap = by_variable["TIDEGRID_TABLES_HEAP_MB"]
    assert (heap["value"], heap["source"], heap["place"]) == (512, "file", str(path))
    assert cli.main(arguments) == 0
    text = capsys.readouterr().out
    assert f"The settings file: {path}" in text
    assert re.search(r"^- +\*\*\* +environment KAFKA_CLIENT_SECRET ", text, re.MULTILINE)
    assert "for Kafka alone" not in text + json.dumps(by_variable)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["up", "--without", "wings"],
        ["feed", "--without", "broker"],
        ["status", "--verbose"],
        ["apply"],
        ["plan", "a.toml", "b.toml"],
        ["swap", "--users"],
        ["swap", "users"],
        ["swap", "--topic", "users"],
        ["swap", "--topic", "=users"],
        ["swap", "--join", "outer"],
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
    arguments = [command, *NEEDS[command], "--settings", str(path)]
    assert cli.main(arguments) == SettingsError.exit_code
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


def message(*arguments: str) -> dict[str, object]:
    return options.swap_message(options.parse(["swap", *arguments]))


def test_a_swap_names_topics_by_their_sources() -> None:
    assert message("--users", "u2", "--accounts=a2", "--join", "inner") == {
        "topics": {"users": "u2", "accounts": "a2"},
        "joinType": "inner",
    }
    assert message("--flow", "orders", "--topic", "from=shop", "--from", "latest") == {
        "flow": "orders",
        "topics": {"from": "shop"},
        "startingOffsets": "latest",
    }
    # A source may be called like the beginning of an option.
    assert message("--j", "jobs") == {"topics": {"j": "jobs"}}


def test_a_swap_that_changes_nothing_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["swap", "--from", "latest"]) == SettingsError.exit_code
    assert "name what to change" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["plan", "apply"])
def test_all_problems_of_a_flow_file_are_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    file = tmp_path / "orders.toml"
    file.write_text('titel = "Orders"\n[views.orders]\nlatest = "order"\n', "utf-8")
    assert cli.main([command, str(file)]) == FlowError.exit_code
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) >= 2
    assert all(str(file) in line for line in lines)
