"""Times as records carry them: ISO-8601, or a number since 1970 whose size tells its unit."""

from __future__ import annotations

from tidegrid.contract.records import TIME_UNITS

NANOS_PER_MILLI = 10**6


def nanos(text: str) -> str:
    """Return SQL for the epoch nanoseconds of a text; null if it is no time.

    Without a zone it is UTC. Nothing here throws, whatever the text is.
    """
    whole = f"try_cast({text} as bigint)"
    # Of a number such as 1e-999999999 Spark would write out all the zeros.
    short = f"{text} rlike '^[-+]?[0-9.]{{1,40}}([eE][-+]?[0-9]{{1,2}})?$'"
    decimal = f"case when {short} then try_cast({text} as decimal(28, 9)) end"
    return (
        f"case when {whole} is not null then {_scaled(whole)} "
        f"when {decimal} is not null then {_scaled(decimal)} "
        # Spark takes a time without a date for one of today.
        f"when substring({text}, 5, 1) = '-' then {_iso(text)} end"
    )


def _scaled(number: str) -> str:
    cases = " ".join(
        f"when {number} between {1 - bound} and {bound - 1} then try_multiply({number}, {factor}L)"
        for bound, factor in TIME_UNITS
    )
    return f"try_cast(case {cases} else {number} end as bigint)"


def _iso(text: str) -> str:
    micros = f"unix_micros(try_cast({text} as timestamp))"
    # Spark reads six digits of a fraction; the others decide which of two events is newer.
    digits = f"rpad(regexp_extract({text}, '\\\\.\\\\d{{6}}(\\\\d{{1,3}})', 1), 3, '0')"
    rest = f"case when length({text}) > 26 then cast({digits} as bigint) else 0 end"
    return f"try_add(try_multiply({micros}, 1000L), {rest})"
