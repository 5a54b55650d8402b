"""The tables process: what Deephaven is started with."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tidegrid.errors import MachineError, SettingsError
from tidegrid.machine.ports import free_port
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


@pytest.mark.parametrize(("cores", "sooner"), [(1, True), (4, True), (5, False), (64, False)])
def test_on_few_cores_code_is_compiled_sooner(tmp_path: Path, cores: int, sooner: bool) -> None:
    arguments = server.jvm_arguments(Settings(), tmp_path, cores)
    assert ("-XX:CompileThresholdScaling=0.2" in arguments) is sooner


def test_the_second_compiler_steps_back_and_nothing_else_does() -> None:
    begun, done = threading.Event(), threading.Event()
    here = threading.get_native_id()
    before = os.getpriority(os.PRIO_PROCESS, here)

    def compiler() -> None:
        name = Path(f"/proc/self/task/{threading.get_native_id()}/comm")
        # As long as the kernel lets a name be.
        name.write_text("C2 CompilerThread0"[:15])
        begun.set()
        done.wait(10)

    thread = threading.Thread(target=compiler)
    thread.start()
    try:
        assert begun.wait(10)
        server.step_back()
        assert thread.native_id is not None
        assert os.getpriority(os.PRIO_PROCESS, thread.native_id) == 10
        assert os.getpriority(os.PRIO_PROCESS, here) == before
    finally:
        done.set()
        thread.join()


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


def test_formulas_are_compiled_with_the_jars_of_the_engine() -> None:
    names = "fastutil-8.jar deephaven-engine-table-42.jar deephaven-web-42.jar jpy-2.jar"
    assert server.of_formulas(os.pathsep.join(f"/some where/{n}" for n in names.split())) == (
        os.pathsep.join(("/some where/deephaven-engine-table-42.jar", "/some where/jpy-2.jar"))
    )
