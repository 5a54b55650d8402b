"""Log lines: as text that a person can follow, or as JSON, one object on each line.

What an event is about (`flow`, `generation`, `topic`, `partition`, `offset`) is in the message, and
given as `extra=` or by `about` besides: then it is a field of its own in JSON.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import threading
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType

from tidegrid.errors import TidegridError
from tidegrid.settings import Logs

_FORMAT = "%(asctime)s.%(msecs)03d %(levelname)-7s %(name)s: %(message)s"
_ROOT = "tidegrid."
_FIELDS = ("flow", "generation", "topic", "partition", "offset")
_ABOUT: ContextVar[Mapping[str, object]] = ContextVar("about")


class JsonLines(logging.Formatter):
    """Makes one line of JSON of each event, whatever is in its message."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of an event."""
        event: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "part": record.name.removeprefix(_ROOT),
            "message": record.getMessage(),
        }
        event |= _ABOUT.get({})
        event |= {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
        if record.exc_info:
            event["error"] = self.formatException(record.exc_info)
        return json.dumps(event, default=str)


def setup(chosen: Logs) -> None:
    """Send log lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    if chosen.format == "json":
        handler.setFormatter(JsonLines())
        # What Python would print by itself takes several lines.
        sys.excepthook = _uncaught
        threading.excepthook = lambda args: _uncaught(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )
        logging.captureWarnings(True)
    else:
        handler.setFormatter(logging.Formatter(_FORMAT, datefmt="%H:%M:%S"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(chosen.level.upper())
    logging.getLogger("py4j").setLevel(logging.WARNING)


def get(part: str) -> logging.Logger:
    """Return the logger of a part, such as `pipeline`."""
    return logging.getLogger(_ROOT + part)


@contextlib.contextmanager
def about(**fields: object) -> Iterator[None]:
    """Say what all lines are about that this thread writes in here."""
    before = _ABOUT.set({**_ABOUT.get({}), **fields})
    try:
        yield
    finally:
        _ABOUT.reset(before)


def failure(command: str, error: TidegridError) -> None:
    """Say why a command ends, in one line; before the settings are known it is text."""
    handlers = logging.getLogger().handlers
    if any(isinstance(handler.formatter, JsonLines) for handler in handlers):
        get(command).error("%s", error)
    else:
        sys.stderr.write(f"tidegrid {command}: {error}\n")


def message(line: str) -> str:
    """Return what a log line says, in either form."""
    try:
        event = json.loads(line)
        return str(event["message"])
    except (ValueError, TypeError, KeyError):
        return line


def flush() -> None:
    """Write out what is buffered, before a process ends without clean-up."""
    for handler in logging.getLogger().handlers:
        handler.flush()


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, SystemExit):
        get("python").critical("not caught: %r", error, exc_info=(kind, error, trace))
