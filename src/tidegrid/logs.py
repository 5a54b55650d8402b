"""Log lines that a person can follow: time, level, part, message."""

import logging
import os
import sys

from tidegrid.errors import SettingsError

_FORMAT = "%(asctime)s.%(msecs)03d %(levelname)-7s %(name)s: %(message)s"


def setup(level: str | None = None) -> None:
    """Send log lines to standard error; `TIDEGRID_LOG` sets the level (default INFO)."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(_FORMAT, datefmt="%H:%M:%S"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    chosen = (level or os.environ.get("TIDEGRID_LOG") or "INFO").upper()
    if chosen not in logging.getLevelNamesMapping():
        raise SettingsError(f"TIDEGRID_LOG is {chosen!r}: it takes DEBUG, INFO, WARNING or ERROR")
    root.setLevel(chosen)
    logging.getLogger("py4j").setLevel(logging.WARNING)


def get(part: str) -> logging.Logger:
    """Return the logger of a part, such as `pipeline`."""
    return logging.getLogger(f"tidegrid.{part}")


def flush() -> None:
    """Write out what is buffered, before a process ends without clean-up."""
    for handler in logging.getLogger().handlers:
        handler.flush()
