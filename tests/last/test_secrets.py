"""Secrets: in nothing that was written by any part in this run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import oidc
from tests.support.secured import PLAIN_PASSWORD
from tests.support.stack import PSK, Stack


@pytest.mark.parametrize("secret", [oidc.SECRET, PLAIN_PASSWORD, PSK])
def test_no_secret_is_in_anything_that_was_written(stack: Stack, secret: str) -> None:
    """Every log, checkpoint and file of this run, and how its processes were called."""
    # Also when this test runs alone, somebody has logged in with each.
    for number, login in enumerate((stack.login(), stack.plain_password())):
        log = stack.settings.home / f"status-{number}.log"
        stack.start_process("status", log, **login).wait(60)
        assert "broker" in log.read_text()
    wanted = secret.encode()
    left = [
        path
        for path in stack.settings.home.rglob("*")
        if path.is_file() and "jars" not in path.parts and wanted in _content(path)
    ]
    # The broker's own file says who may show a password, and names no other secret.
    own = ["server.properties"] if secret == PLAIN_PASSWORD else []
    assert [path.name for path in left] == own
    calls = [_content(path) for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert any(calls)
    assert not [call for call in calls if wanted in call]


def _content(path: Path) -> bytes:
    """Return what is in a file; nothing if it is gone meanwhile."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
