"""The systemd units: what systemd itself says of them, where there is one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNITS = sorted((Path(__file__).parents[2] / "deploy" / "systemd").glob("*.service"))


def test_there_is_one_for_each_part_that_runs_for_ever() -> None:
    assert [unit.stem for unit in UNITS] == ["tidegrid-pipeline", "tidegrid-tables"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_finds_nothing_wrong(unit: Path, tmp_path: Path) -> None:
    # It wants the program to be there.
    there = unit.read_text("utf-8").replace("/opt/tidegrid/.venv/bin/tidegrid", sys.executable)
    copy = tmp_path / unit.name
    copy.write_text(there, "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    mine = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (done.returncode, mine) == (0, [])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_no_secret_stands_in_a_unit(unit: Path) -> None:
    lines = [line for line in unit.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert not [line for line in lines if "SECRET" in line or "PSK" in line]
