"""The tables process: what Deephaven is started with."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tidegrid.errors import MachineError, SettingsError
from tidegrid.ports import free_port
from tidegrid.settings import PSK_VARIABLE, Settings, Tables
from tidegrid.tables import server


def test_no_key_is_an_error_that_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PSK_VARIABLE, raising=False)
    with pytest.raises(SettingsError, match=PSK_VARIABLE):
        server.run(Settings(), threading.Event())


def test_the_arguments_follow_the_settings_and_hold_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PSK_VARIABLE, "open sesame or whatever")
    chosen = Settings(tables=Tables(heap_mb=1234, cycle_ms=77))
    arguments = server.jvm_arguments(chosen, tmp_path)
    assert "-Xmx1234m" in arguments
    assert "-DPeriodicUpdateGraph.targetCycleDurationMillis=77" in arguments
    assert "-Ddeephaven.console.disable=true" in arguments
    assert not any("sesame" in a or "psk" in a for a in arguments)


@pytest.mark.parametrize(("cores", "alone"), [(1, True), (4, True), (5, False), (64, False)])
def test_on_few_cores_the_first_compiler_works_alone(
    tmp_path: Path, cores: int, alone: bool
) -> None:
    arguments = server.jvm_arguments(Settings(), tmp_path, cores)
    assert ("-XX:TieredStopAtLevel=1" in arguments) is alone


def test_a_certificate_that_is_not_there_is_an_error_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PSK_VARIABLE, "open sesame or whatever")
    absent = str(tmp_path / "absent.pem")
    chosen = Settings(tables=Tables(port=free_port(), certificate=absent, key=absent))
    with pytest.raises(SettingsError, match=r"absent\.pem: No such file"):
        server.run(chosen, threading.Event())


def test_an_address_on_the_network_without_tls_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(PSK_VARIABLE, "open sesame or whatever")
    host, absent = "0.0.0.0", str(tmp_path / "absent")  # noqa: S104
    chosen = Settings(home=tmp_path, tables=Tables(host=host, port=free_port(), page=absent))
    with pytest.raises(MachineError, match="the page is not built"):
        server.run(chosen, threading.Event())
    assert "unencrypted" in caplog.text
