"""The tables process: what Deephaven is started with."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tidegrid.errors import SettingsError
from tidegrid.settings import PSK_VARIABLE, Settings, Tables
from tidegrid.tables import server


def test_no_key_is_an_error_that_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PSK_VARIABLE, raising=False)
    with pytest.raises(SettingsError, match=PSK_VARIABLE):
        server.run(Settings(), threading.Event())


def test_the_arguments_follow_the_settings_and_hold_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PSK_VARIABLE, "open sesame")
    chosen = Settings(tables=Tables(heap_mb=1234, cycle_ms=77))
    arguments = server.jvm_arguments(chosen, tmp_path)
    assert "-Xmx1234m" in arguments
    assert "-DPeriodicUpdateGraph.targetCycleDurationMillis=77" in arguments
    assert "-Ddeephaven.console.disable=true" in arguments
    assert not any("sesame" in a or "psk" in a for a in arguments)
