"""Findings: what a check found, as a line and as JSON; and the steps that lead to them.

A step returns an `Answer`, or raises a `Problem`. What stands on a step that did not go well is
skipped, and says because of which.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass
from typing import Generic, Literal, TypeVar

from tidegrid.errors import TidegridError

State = Literal["ok", "warning", "failed", "skipped"]
T = TypeVar("T")

#: Seconds after which a step says what it is doing, and between two such lines.
_SAY_AFTER, _SAY_EVERY = 2.0, 5.0
_WIDTH = 30


@dataclass(frozen=True)
class Finding:
    """What one check found, and what to do about it."""

    check: str
    state: State
    detail: str
    fix: str = ""

    def line(self) -> str:
        """Return the finding in one line."""
        fix = f" -> {self.fix}" if self.fix else ""
        return f"{self.state:<8} {self.check:<{_WIDTH}} {self.detail}{fix}"

    def to_json(self) -> str:
        """Return the finding as a JSON object in one line."""
        return json.dumps(asdict(self))


class Problem(Exception):  # noqa: N818  - what was found, not what went wrong here
    """A step found that something does not work, so that what stands on it need not be tried."""

    def __init__(self, detail: str, fix: str, state: State = "failed") -> None:
        super().__init__(detail)
        self.detail = detail
        self.fix = fix
        self.state = state


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What a step found when nothing failed, with what later steps need of it."""

    detail: str
    found: T
    state: State = "ok"
    fix: str = ""


def shown(text: str, most: int = 60, secret: str = "") -> str:
    """Return a text from outside in one printable line, cut short, without a secret it repeats."""
    hidden = text.replace(secret, "***") if secret else text
    plain = "".join(c if c.isprintable() else " " for c in hidden).strip()
    return plain if len(plain) <= most else plain[:most] + "..."


class Steps:
    """Takes one step after the other; tells each finding as soon as it is known."""

    def __init__(self, tell: Callable[[Finding], None], busy: Callable[[str], None]) -> None:
        self._tell = tell
        self._busy = busy
        #: The check that is to blame, by the name of each that did not go well.
        self._blame: dict[str, str] = {}
        self.well = True

    def take(
        self,
        check: str,
        doing: str,
        step: Callable[[], Answer[T]],
        after: Collection[str] = (),
    ) -> T | None:
        """Take a step and return what it found; None if it could not be taken or did not go well.

        `doing` is said if it takes long; `after` are the checks that it stands on.
        """
        blamed = next((self._blame[name] for name in after if name in self._blame), None)
        if blamed is not None:
            self._blame[check] = blamed
            self._tell(Finding(check, "skipped", f"because of {blamed}"))
            return None
        try:
            with self._said(check, doing):
                answer = step()
        except Problem as e:
            self._not_well(Finding(check, e.state, e.detail, e.fix))
            return None
        except (TidegridError, OSError) as e:
            self._not_well(Finding(check, "failed", str(e)))
            return None
        self._tell(Finding(check, answer.state, answer.detail, answer.fix))
        return answer.found

    def _not_well(self, finding: Finding) -> None:
        self.well &= finding.state != "failed"
        self._blame[finding.check] = finding.check
        self._tell(finding)

    @contextlib.contextmanager
    def _said(self, check: str, doing: str) -> Iterator[None]:
        done = threading.Event()

        def say() -> None:
            waited = _SAY_AFTER
            while not done.wait(_SAY_AFTER if waited == _SAY_AFTER else _SAY_EVERY):
                self._busy(f"{check}: {doing}, {waited:.0f} s so far")
                waited += _SAY_EVERY

        watch = threading.Thread(target=say, daemon=True)
        watch.start()
        try:
            yield
        finally:
            done.set()
            watch.join()
