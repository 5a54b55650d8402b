"""Errors: kinds that a caller, and a shell script, can tell apart."""

from __future__ import annotations

import inspect

from tidegrid import errors
from tidegrid.errors import TidegridError

CLASSES = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
KINDS = [kind for kind in CLASSES if issubclass(kind, TidegridError)]


def test_every_error_is_of_the_family() -> None:
    assert len(KINDS) > 1
    assert KINDS == CLASSES


def test_every_error_has_an_exit_code_of_its_own() -> None:
    codes = [kind.exit_code for kind in KINDS]
    assert len(set(codes)) == len(codes)
    assert all(0 < code < 126 for code in codes)


def test_every_error_is_drawn_in_the_tree() -> None:
    assert errors.__doc__ is not None
    drawn = [
        line.split()[1]
        for line in errors.__doc__.splitlines()
        if line.strip().startswith(("* ", "+ "))
    ]
    assert sorted(drawn) == sorted(kind.__name__ for kind in KINDS)
