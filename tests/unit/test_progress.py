"""How far a generation is, as the command that waits for it says."""

from __future__ import annotations

from tidegrid.contract.health import Figure, Health
from tidegrid.contract.receipts import Receipt
from tidegrid.stack.progress import Progress

BIRTH = Receipt(
    "orders",
    4,
    "building",
    "2026-01-01T00:00:00.000+00:00",
    start={"orders": {"0": 0, "1": 500}},
    end={"orders": {"0": 60_000, "1": 40_500}},
)


def report(at: float, *read: int, generation: int = 4) -> Health:
    figures = [Figure("events", n, "orders", generation, "orders", p) for p, n in enumerate(read)]
    return Health("tables", at, "live", figures=tuple(figures))


def test_it_says_how_much_is_read_how_fast_and_how_long_it_will_take() -> None:
    progress = Progress(BIRTH)
    assert progress.text() == "generation 4: waiting for the tables"
    progress.take(report(10, 0, 0))
    assert progress.text() == "generation 4: reading 100,000 records"
    progress.take(report(12, 15_000, 5_000))
    assert progress.text() == (
        "generation 4: 20,000 of 100,000 records read, 10,000/s, about 8 s left"
    )
    # Records that came since it began are no part of it.
    progress.take(report(14, 60_000, 45_000))
    assert progress.text() == ("generation 4: all 100,000 records read; waiting for the last rows")


def test_it_says_that_records_are_read_in_bulk_for_as_long_as_they_are() -> None:
    progress = Progress(BIRTH)
    bulk = Figure("bulk", 96_000, "orders", 4)
    progress.take(Health("pipeline", 10, "running", figures=(bulk,)))
    progress.take(report(11, 0, 0))
    assert progress.text() == "generation 4: reading 96,000 of 100,000 records in bulk"
    # It is the one that leads that builds.
    progress.take(Health("second pipeline", 12, "running"))
    assert progress.text().endswith("in bulk")
    progress.take(Health("pipeline", 12, "running"))
    assert progress.text() == "generation 4: reading 100,000 records"


def test_another_generation_is_not_counted() -> None:
    progress = Progress(BIRTH)
    progress.take(report(10, 7, generation=3))
    assert progress.text() == "generation 4: waiting for the tables"
