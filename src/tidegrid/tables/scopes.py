"""Scopes: what keeps tables alive, and lets go of them all at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from deephaven.liveness_scope import LivenessScope


@contextmanager
def new_scope() -> Iterator[LivenessScope]:
    """Have what is made here held by a new scope; if that fails, nothing of it stays."""
    scope = LivenessScope()
    try:
        with scope.open():
            yield scope
    except BaseException:
        scope.release()
        raise
