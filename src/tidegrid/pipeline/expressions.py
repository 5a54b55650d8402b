"""Expressions of a declaration: read by Spark's own parser, never trusted.

Only what is on the lists here passes: plain operators, and functions that compute a value of
values. No subquery, no table function, no aggregate, no Java, nothing that depends on the clock.
Names are replaced, at the places the parser gives, by where the query holds those columns.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tidegrid.errors import first_line
from tidegrid.pipeline import patterns, spark_internals, sql

#: The kinds of nodes that an expression may have, as Spark's parser names them.
_NODES = frozenset(
    """
    Add And BitwiseAnd BitwiseNot BitwiseOr BitwiseXor CaseWhen Cast Concat Divide EqualNullSafe
    EqualTo GreaterThan GreaterThanOrEqual If In IntegralDivide IsNaN IsNotNull IsNull ILike
    LessThan LessThanOrEqual Like Literal Multiply Not Or RLike Remainder StringLocate StringTrim
    StringTrimLeft StringTrimRight Substring Subtract UnaryMinus UnaryPositive UnresolvedAttribute
    UnresolvedFunction
    """.split()  # noqa: SIM905
)
#: The functions that an expression may call.
FUNCTIONS = frozenset(
    """
    abs between bigint boolean bround btrim cbrt ceil ceiling char_length coalesce concat concat_ws
    contains date date_add date_format date_part date_sub date_trunc datediff day dayofmonth
    dayofweek dayofyear double endswith exp extract floor format_number get_json_object greatest
    hour if ifnull initcap instr int isnan isnotnull isnull last_day lcase least left length like ln
    locate log log10 log2 lower ltrim md5 minute mod month nanvl nullif nvl nvl2 pmod position pow
    power quarter regexp_extract regexp_like regexp_replace replace reverse right rlike round rtrim
    second sha2 sign signum split_part sqrt startswith string substr substring timestamp
    timestamp_micros to_date to_timestamp translate trim trunc try_add try_divide try_multiply
    try_subtract try_to_number try_to_timestamp ucase unix_date unix_micros unix_millis unix_seconds
    upper weekofyear year
    """.split()  # noqa: SIM905
)


#: Arguments that have to be written out: of another one Spark may throw at a record, and a query
#: that has thrown at a record does so at every start.
_WRITTEN_OUT = {
    "bround": (1,),
    "ceil": (1,),
    "ceiling": (1,),
    "date_format": (1,),
    "floor": (1,),
    "format_number": (1,),
    "like": (1,),
    "regexp_extract": (1, 2),
    "regexp_like": (1,),
    "regexp_replace": (1, 2),
    "replace": (2,),
    "rlike": (1,),
    "round": (1,),
    "split_part": (2,),
    "to_date": (1,),
    "to_timestamp": (1,),
    "try_to_timestamp": (1,),
}
#: Functions whose second argument is a number of digits, each of which they may make.
_OF_DIGITS = ("bround", "ceil", "ceiling", "floor", "format_number", "round")
_MOST_DIGITS = 99
#: How many times as long as its record a text may become while it is worked out, and how long an
#: expression with those of the columns that it names.
_MOST_TIMES = 1000
_MOST_SQL = 100_000
_LOOKS_AROUND = re.compile(r"\(\?<?=")
_PATTERNS = frozenset({"ILike", "Like", "RLike"})
#: What makes a date or a time. Of one outside of these years Spark throws when it is compared with
#: another kind of time, or cut: it becomes nothing instead.
_DATED = frozenset(
    """
    date date_add date_sub date_trunc last_day timestamp timestamp_micros to_date to_timestamp trunc
    try_to_timestamp
    """.split()  # noqa: SIM905
)
_YEARS = "DATE'0001-01-01' AND DATE'9999-12-31'"
#: Spark throws where the result is too large, whatever is set.
_THROWS = re.compile(r"(Multiply|Divide)\w*Interval")
#: The functions whose second argument is a regular expression.
_REGULAR = frozenset({"regexp_extract", "regexp_like", "regexp_replace", "rlike"})


class ExpressionError(Exception):
    """An expression that cannot be used, and why."""


def qualified(
    spark: SparkSession, text: str, columns: Mapping[str, str], longer: Mapping[str, int]
) -> tuple[str, int]:
    """Return an expression whose names are replaced by SQL for those columns.

    Beside it is how many times as long as its record a text in it may become; `longer` says that
    of columns that are expressions themselves.
    """
    try:
        tree = spark_internals.parse_expression(spark, text)
    except (PySparkException, Py4JError) as e:
        raise ExpressionError(f"cannot be read: {_said(e)}") from e
    changes: list[_Change] = []
    for depth, node in _nodes(tree):
        kind = str(node.getClass().getSimpleName())
        if _makes_a_date(kind, node):
            changes += _dated(*_place(node, text), depth)
        if kind not in _NODES:
            raise ExpressionError(f"{_ordinary(kind, node)} may not be used here")
        if kind == "UnresolvedFunction":
            _check_function(spark, node)
        elif kind in _PATTERNS:
            pattern = _literal(node.right(), "the pattern")
            if kind == "RLike":
                _check_pattern(pattern)
        elif kind == "Cast" and str(node.dataType().typeName()).startswith("decimal"):
            raise ExpressionError("may not cast to a decimal: cast to double, and round")
        elif kind == "UnresolvedAttribute":
            begin, end = _place(node, text, str(node.nameParts().mkString(".")))
            changes.append(_Change(begin, _IN_PLACE, depth, _column(node, columns), end))
    text = _changed(text, changes)
    if len(text) > _MOST_SQL:
        raise ExpressionError("is too long, with the columns that it names written out")
    times = _times_longer(tree, longer)
    if times > _MOST_TIMES:
        raise ExpressionError(f"may make a text {times:,} times as long as its record")
    # A comment at its end goes no further than its line.
    return f"({text}\n)", times


def type_of(spark: SparkSession, expression: str, over: str) -> str:
    """Return the Spark type of an expression over a table of samples, and try it on them."""
    try:
        frame = spark.sql(f"SELECT {expression} AS x FROM {over}")
        for node in spark_internals.resolved_nodes(frame):
            if _THROWS.fullmatch(node):
                raise ExpressionError("multiplies or divides a stretch of time: use numbers")
        frame.collect()
    except (PySparkException, Py4JError) as e:
        raise ExpressionError(f"does not work: {_said(e)}") from e
    return frame.schema[0].dataType.simpleString()


class _Change(NamedTuple):
    """A text that comes into an expression at a place; of those at one place, in this order."""

    begin: int
    rank: int
    depth: int
    text: str
    #: The end of what it replaces.
    end: int


#: What closes comes before what opens, and what stands for a name comes last.
_CLOSES, _OPENS, _IN_PLACE = range(3)


def _changed(text: str, changes: Iterable[_Change]) -> str:
    parts, at = [], 0
    for change in sorted(changes):
        parts += [text[at : change.begin], change.text]
        at = change.end
    return "".join([*parts, text[at:]])


def _makes_a_date(kind: str, node: Any) -> bool:
    if kind == "Cast":
        return str(node.dataType().typeName()) in ("date", "timestamp", "timestamp_ntz")
    called = kind == "UnresolvedFunction" and str(node.nameParts().mkString("."))
    return bool(called) and str(called).lower() in _DATED


def _dated(begin: int, end: int, depth: int) -> Iterator[_Change]:
    """Make nothing of a date or a time that Spark can print and not work with."""
    before, after = sql.once("\0", "d", f"CASE WHEN d BETWEEN {_YEARS} THEN d END").split("\0")
    yield _Change(begin, _OPENS, depth, before, begin)
    # What is deeper closes first.
    yield _Change(end, _CLOSES, -depth, after, end)


def _nodes(tree: Any, depth: int = 0) -> Iterator[tuple[int, Any]]:
    yield depth, tree
    for child in _children(tree):
        yield from _nodes(child, depth + 1)


def _children(node: Any) -> Iterator[Any]:
    children = node.children().iterator()
    while children.hasNext():
        yield children.next()


def _times_longer(node: Any, longer: Mapping[str, int]) -> int:
    """Return how many times as long as its record a text may be that a node makes, at most."""
    kind = str(node.getClass().getSimpleName())
    if kind == "UnresolvedAttribute":
        return longer.get(str(node.nameParts().head()), 1)
    parts = list(_children(node))
    of = [_times_longer(part, longer) for part in parts]
    called = kind.lower()
    if kind == "UnresolvedFunction":
        called = str(node.nameParts().mkString(".")).lower()
    if called == "concat":
        return sum(of)
    if called == "concat_ws":
        # What is put in between is there before each.
        return sum(of) + len(of) * of[0]
    if called in ("replace", "regexp_replace") and len(parts) > 2:
        return of[0] * (1 + len(_literal(parts[2], "the replacement")))
    return max(of, default=1)


def _check_function(spark: SparkSession, node: Any) -> None:
    called = str(node.nameParts().mkString("."))
    if called.lower() not in FUNCTIONS:
        near = difflib.get_close_matches(called.lower(), FUNCTIONS, 1)
        hint = f"; did you mean {near[0]}" if near else ""
        raise ExpressionError(f"calls {called}, which is not on the list{hint}")
    if node.isDistinct() or node.filter().isDefined():
        raise ExpressionError(f"{called} may not have DISTINCT or FILTER")
    given = node.arguments()
    written = {
        n: _literal(given.apply(n), f"argument {n + 1} of {called}")
        for n in _WRITTEN_OUT.get(called.lower(), ())
        if n < given.length()
    }
    digits = written.get(1, "") if called.lower() in _OF_DIGITS else ""
    if digits.lstrip("-").isdigit() and abs(int(digits)) > _MOST_DIGITS:
        raise ExpressionError(f"{called} makes at most {_MOST_DIGITS} digits")
    if called.lower() == "split_part" and written.get(2) == "0":
        raise ExpressionError("split_part counts from 1, or from the end with -1")
    if called.lower() in _REGULAR and 1 in written:
        _check_pattern(written[1])
    if called.lower() in ("regexp_extract", "regexp_replace") and 1 in written:
        _check_groups(spark, called.lower(), written[1], written.get(2))


def _literal(node: Any, what: str) -> str:
    """Return what a node says that has to be written out."""
    kind = str(node.getClass().getSimpleName())
    if kind == "UnaryMinus":
        return f"-{_literal(node.child(), what)}"
    if kind != "Literal":
        raise ExpressionError(f"{what} has to be written out")
    return str(node.value())


def _check_pattern(pattern: str) -> None:
    if wrong := patterns.problem(pattern):
        raise ExpressionError(f"the pattern {pattern!r} {wrong}")


def _check_groups(spark: SparkSession, called: str, pattern: str, asked: str | None) -> None:
    """See that a pattern has the groups that are asked for."""
    try:
        there = spark_internals.groups_of(spark, pattern)
    except (PySparkException, Py4JError):
        # Spark says why when the expression is tried.
        return
    if called == "regexp_extract":
        # Without a number Spark takes the first group.
        wanted = [int(asked) if asked is not None and asked.isdigit() else 1]
    else:
        wanted = [int(n) for n in re.findall(r"\$(\d)", asked or "")]
        if wanted and _LOOKS_AROUND.search(pattern):
            # What a group holds then may be the rest of the text, at each of its characters.
            raise ExpressionError("a pattern with (?= or (?<= has no groups to replace by")
    if max(wanted, default=0) > there:
        raise ExpressionError(f"the pattern {pattern!r} has no group {max(wanted)}")


def _place(node: Any, text: str, named: str | None = None) -> tuple[int, int]:
    """Return where a node begins and ends; if it is a name, that has to be what stands there."""
    origin = node.origin()
    if origin.startIndex().isEmpty() or origin.stopIndex().isEmpty():
        raise ExpressionError("cannot be read: something in it has no place")
    place = int(origin.startIndex().get()), int(origin.stopIndex().get()) + 1
    there = text[slice(*place)]
    if named is not None and there.replace("`", "") != named.replace("`", ""):
        raise ExpressionError(f"cannot be read near {there!r}")
    return place


def _column(node: Any, columns: Mapping[str, str]) -> str:
    parts = node.nameParts()
    found = str(parts.head()) if parts.length() == 1 else ""
    if found not in columns:
        asked = str(parts.mkString("."))
        near = difflib.get_close_matches(asked, columns, 1)
        hint = f"; did you mean {near[0]}" if near else ""
        raise ExpressionError(f"there is no column {asked!r}{hint}")
    return columns[found]


def _ordinary(kind: str, node: Any) -> str:
    words = {
        "ScalarSubquery": "a subquery",
        "Exists": "a subquery",
        "ListQuery": "a subquery",
        "InSubquery": "a subquery",
        "LambdaFunction": "a lambda",
        "UnresolvedStar": "*",
        "WindowExpression": "a window",
    }
    return words.get(kind, f"{str(node)[:60]!r} ({kind})")


def _said(error: Exception) -> str:
    """Return the first line of what Spark says that is more than its own frame."""
    text = str(error.java_exception.getMessage()) if isinstance(error, Py4JJavaError) else ""
    return first_line(Exception(text.strip())) if text else first_line(error)
