"""Measure, print, write the rows; the exit code is 1 if a part could not be measured."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from bench import (
    against,
    catch_up,
    cluster,
    crash,
    crash_tables,
    gold,
    latency,
    options,
    page,
    report,
    rows,
    start,
    swaps,
)
from bench.report import say
from bench.rows import Row

_PARTS = {
    "latency": latency.measure,
    "catch-up": catch_up.measure,
    "swaps": swaps.measure,
    "gold": gold.measure,
    "first-swap": swaps.first,
    "start": start.measure,
    "page": page.measure,
    "cluster": cluster.measure,
    "crash": crash.measure,
    "crash-tables": crash_tables.measure,
    "soak": gold.soak,
}


def main() -> int:
    """Run the parts one after the other; one that fails does not take the others with it."""
    chosen = options.parse()
    # A request to end runs the clean-up too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    # Before anything runs: files may change meanwhile.
    versions = list(dict.fromkeys(turn.version for turn in chosen.turns))
    commits = [version.commit for version in versions] if chosen.against else []
    load = os.getloadavg()[0]
    say(f"{os.cpu_count()} cores, load average {load:.1f}")
    if load > 0.5:
        say("something else is running here: the numbers will be worse than they need be")
    measured: list[Row] = []
    problems = []
    for part in chosen.parts.split(","):
        if chosen.against and part not in options.COMPARED:
            say(f"{part} is not measured beside another version")
            continue
        try:
            for turn in chosen.turns:
                _PARTS[part](turn, measured.append)
        except Exception as e:
            problems.append(f"{part}: {type(e).__name__}: {e}")
            say(f"{part} failed: {e}")
        except (KeyboardInterrupt, SystemExit):
            # What was measured until then is still shown and written.
            problems.append(f"{part}: ended from outside")
            break
    print()
    path = Path(chosen.results)
    if chosen.against:
        compared = against.compare(measured, versions, commits)
        against.show(compared)
        rows.write(path, "against", compared)
    else:
        report.show(measured)
        rows.write(path, "rows", measured)
    print(f"\nwritten to {path}")
    for problem in problems:
        print(f"not measured: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
