"""Ports: a taken one is told by name, before anything is started."""

from __future__ import annotations

import socket

import pytest

from tidegrid.errors import MachineError
from tidegrid.machine.ports import free_port, require_free


def test_a_port_that_is_taken_names_the_setting_to_change() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(MachineError, match=r"tables\.port") as failed:
            require_free(port, "tables.port (TIDEGRID_TABLES_PORT)")
    assert str(port) in str(failed.value)
    assert "\n" not in str(failed.value)


def test_a_free_port_passes() -> None:
    require_free(free_port(), "tables.port")


def test_no_port_is_given_twice() -> None:
    assert len({free_port() for _ in range(50)}) == 50
