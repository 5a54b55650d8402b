"""Formulas: what a declaration may say to Deephaven, which runs it as Java.

A declaration can come from a page or a topic, so its formulas are not trusted. Deephaven's own
parser says what a formula does, and all of it must be on the lists below: columns, literals,
operators, conditions, casts to primitive types, and these functions and methods. Texts are in
backticks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

import jpy

from tidegrid.contract.declaration import Problem
from tidegrid.contract.declaration.problems import below, nearest, quoted
from tidegrid.contract.declaration.types import Screen, Totals

_Parser = jpy.get_type("io.deephaven.engine.table.impl.lang.JavaExpressionParser")
_Language = jpy.get_type("io.deephaven.engine.table.impl.lang.QueryLanguageParser")

_FUNCTIONS = (
    "isNull replaceIfNull abs min max round floor ceil sqrt log exp pow signum parseInstant"
)
FUNCTIONS = frozenset(_FUNCTIONS.split())
#: Of a text; a text that is empty ends the table, so ask `isNull` first.
_METHODS = "toUpperCase toLowerCase startsWith endsWith contains length trim equals substring"
METHODS = frozenset(_METHODS.split())
CONSTANTS = frozenset(("NULL_DOUBLE", "NULL_LONG", "NULL_INT"))
LONGEST = 1000
_NODES = frozenset(
    (
        "NameExpr",
        "SimpleName",
        "IntegerLiteralExpr",
        "LongLiteralExpr",
        "DoubleLiteralExpr",
        "StringLiteralExpr",
        "BooleanLiteralExpr",
        "NullLiteralExpr",
        "BinaryExpr",
        "UnaryExpr",
        "ConditionalExpr",
        "EnclosedExpr",
        "MethodCallExpr",
        "CastExpr",
        "PrimitiveType",
    )
)
_SIGNS = ("PLUS", "MINUS", "LOGICAL_COMPLEMENT", "BITWISE_COMPLEMENT")


class _RefusedError(Exception):
    pass


def refused(screens: Iterable[Screen], where: str = "") -> dict[str, tuple[Problem, ...]]:
    """Return everything in the formulas of screens that is not allowed, by the screen's name."""
    found: dict[str, tuple[Problem, ...]] = {}
    for screen in screens:
        for place, text in formulas_of(screen):
            try:
                columns(text)
            except _RefusedError as e:
                before = found.get(screen.name, ())
                found[screen.name] = (*before, Problem(where, place, str(e)))
    return found


def unknown_columns(text: str, place: str, known: Collection[str]) -> list[Problem]:
    """Return a problem for each column that a formula names and that is not there."""
    there = [n for n in known if not n.startswith("tg_")]
    return [
        Problem("", place, f"there is no column {quoted(name)}", nearest(name, there))
        for name in sorted(columns(text))
        if name not in known
    ]


def formulas_of(screen: Screen) -> Iterator[tuple[str, str]]:
    """Yield every formula of a screen, with its place."""
    place = below("screens", screen.name)
    for name, text in (("where", screen.where), ("having", screen.having)):
        if text:
            yield below(place, name), text
    for name, text in screen.columns.items():
        yield below(below(place, "columns"), name), text
    if isinstance(screen, Totals):
        for name, text in screen.sum.items():
            yield below(below(place, "sum"), name), text


@lru_cache(maxsize=1000)
def columns(text: str) -> frozenset[str]:
    """Return the columns that a formula names, if it does nothing that is not allowed."""
    if len(text) > LONGEST:
        raise _RefusedError(f"a formula of {len(text)} characters; at most {LONGEST} are read")
    if "\\" in text:
        # Java reads \u0022 as a quotation mark before it looks for texts.
        raise _RefusedError("a backslash cannot be in a formula")
    try:
        tree = _Parser.parseExpression(
            _Language.convertBackticks(_Language.convertSingleEquals(text))
        )
    except Exception as e:
        hint = "; put texts in backticks" if "'" in text else ""
        raise _RefusedError(f"{quoted(text)} is no formula{hint}") from e
    return frozenset(_names(tree))


def _names(found: jpy.JType) -> Iterator[str]:
    kind = found.getClass().getSimpleName()
    # What comes from Java is of the type that the method says, not of the one it has.
    node = jpy.cast(found, jpy.get_type(found.getClass().getName()))
    if kind not in _NODES:
        raise _RefusedError(f"{quoted(node.toString())} is not allowed in a formula ({kind})")
    if node.getComment().isPresent() or node.getOrphanComments().size():
        raise _RefusedError("a comment cannot be in a formula")
    if kind == "UnaryExpr" and node.getOperator().name() not in _SIGNS:
        raise _RefusedError(f"{quoted(node.toString())}: a formula changes nothing")
    if kind == "MethodCallExpr":
        _check_call(node)
    if kind == "NameExpr" and node.getNameAsString() not in CONSTANTS:
        yield node.getNameAsString()
    children = node.getChildNodes()
    for n in range(children.size()):
        yield from _names(children.get(n))


def _check_call(node: jpy.JType) -> None:
    of_something = node.getScope().isPresent()
    allowed = METHODS if of_something else FUNCTIONS
    name = node.getNameAsString()
    if name not in allowed:
        kind = "method" if of_something else "function"
        raise _RefusedError(
            f"{quoted(name)} is not a {kind} of formulas; {nearest(name, sorted(allowed))}"
        )
