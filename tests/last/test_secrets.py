"""Secrets: in nothing that was written by all the parts in all the tests before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import oidc
from tests.stack import PSK, Stack


@pytest.mark.parametrize("secret", [oidc.SECRET, PSK])
def test_no_secret_is_in_anything_that_was_written(stack: Stack, secret: str) -> None:
    """Every log, checkpoint and file of this run, and how its processes were called."""
    wanted = secret.encode()
    left = [
        path
        for path in stack.settings.home.rglob("*")
        # The records of the broker are not ours, and hold what others wrote.
        if path.is_file() and "jars" not in path.parts and wanted in path.read_bytes()
    ]
    assert left == []
    calls = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if _readable(p)]
    assert calls
    assert not [call for call in calls if wanted in call]


def _readable(path: Path) -> bool:
    try:
        path.read_bytes()
    except OSError:
        return False
    return True
