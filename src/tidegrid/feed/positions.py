"""Positions: an endless run of changes, repeatable but for their times, some bad on purpose."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from tidegrid.feed import bad
from tidegrid.feed.event import Event, dump
from tidegrid.feed.instruments import Instrument, instruments
from tidegrid.feed.times import SECOND, any_form, iso

Op = Literal["I", "U", "D"]

#: Shares of the changes: positions that end, and changes that come seconds or minutes late.
_ENDS = 0.002
_LATE, _LATE_SECONDS = 0.05, (0.5, 8.0)
_VERY_LATE, _VERY_LATE_SECONDS = 0.003, (120.0, 1200.0)
#: How likely a position that has ended begins again when it is its turn.
_BEGINS_AGAIN = 0.1
#: A price has a trend, which turns now and then, and is pulled back to where it began: it moves by
#: some percent in minutes, and is still believable after a week.
_TREND, _TREND_TURNS, _PULL = 0.2, 0.01, 5e-4
#: Lots that a desk holds before it would rather trade them back.
_MANY_LOTS = 60


@dataclass
class Position:
    """A position as it is now."""

    instrument: Instrument
    price: float
    trend: float
    #: How many are held: fewer than none if they were sold before they were bought.
    held: int
    #: What was paid for them, less what they were sold for.
    paid: float
    #: How many the last trade was about.
    qty: int
    open: bool = True

    @property
    def quote(self) -> float:
        """The price as it is quoted."""
        return round(self.price, 2 if self.price >= 10 else 4)


class Positions:
    """A book of positions whose prices walk; mostly updates, now and then one ends."""

    def __init__(
        self,
        seed: int,
        symbols: int,
        bad_ratio: float,
        after: int = 0,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        """Make the book of a seed; `after` how many events it goes on, for other changes.

        The clock gives the time in nanoseconds since 1970.
        """
        # Sample data, not secrets.
        self._random = random.Random(seed)  # noqa: S311
        self._clock = clock
        self._bad_ratio = bad_ratio
        self._receipts = [self._new(instrument) for instrument in instruments(seed, symbols)]
        self._activity = list(accumulate(p.instrument.activity for p in self._receipts))
        if after:
            self._random = random.Random(seed + after)  # noqa: S311

    def everything(self) -> Iterator[Event]:
        """Yield the beginning of each position once, some seconds ago."""
        for position in self._receipts:
            yield self._event(position, "I", self._random.uniform(1, 30))

    def changes(self) -> Iterator[Event]:
        """Yield changes without end, each with the time when it is asked for."""
        while True:
            yield self._bad() if self._random.random() < self._bad_ratio else self._change()

    def _new(self, instrument: Instrument) -> Position:
        rng = self._random
        price = instrument.price * rng.lognormvariate(0, 0.02)
        held = instrument.lot * rng.choice((-1, 1, 1)) * rng.randint(1, _MANY_LOTS)
        # Bought or sold at another price, so that there are gains and losses from the start.
        paid = held * price * rng.lognormvariate(0, 0.02)
        return Position(instrument, price, self._trend(instrument), held, paid, abs(held))

    def _trend(self, instrument: Instrument) -> float:
        return self._random.gauss(0, _TREND * instrument.sector.volatility)

    def _change(self) -> Event:
        rng = self._random
        while True:
            position = rng.choices(self._receipts, cum_weights=self._activity)[0]
            if position.open:
                break
            if rng.random() < _BEGINS_AGAIN:
                return self._begin_again(position)
        turn = rng.random()
        if turn < _ENDS:
            return self._end(position)
        # What comes late tells how the position was, so that the newest by time is right.
        if turn < _ENDS + _VERY_LATE:
            return self._event(position, "U", rng.uniform(*_VERY_LATE_SECONDS))
        if turn < _ENDS + _VERY_LATE + _LATE:
            return self._event(position, "U", rng.uniform(*_LATE_SECONDS))
        self._walk(position)
        self._trade(position)
        return self._event(position, "U")

    def _walk(self, position: Position) -> None:
        rng, instrument = self._random, position.instrument
        if rng.random() < _TREND_TURNS:
            position.trend = self._trend(instrument)
        away = position.price / instrument.price - 1
        step = rng.gauss(position.trend, instrument.sector.volatility) - _PULL * away
        position.price *= 1 + step

    def _trade(self, position: Position) -> None:
        rng, lot = self._random, position.instrument.lot
        position.qty = lot * rng.choice((1, 1, 1, 2, 2, 3, 5, 10))
        side = rng.choice((-1, 1))
        if abs(position.held) > _MANY_LOTS * lot:
            side = -1 if position.held > 0 else 1
        position.held += side * position.qty
        position.paid += side * position.qty * position.quote

    def _end(self, position: Position) -> Event:
        position.qty = abs(position.held)
        position.paid -= position.held * position.quote
        position.held = 0
        position.open = False
        return self._event(position, "D")

    def _begin_again(self, position: Position) -> Event:
        position.paid = 0.0
        position.open = True
        self._walk(position)
        self._trade(position)
        return self._event(position, "I")

    def _event(self, position: Position, op: Op, late: float = 0) -> Event:
        at = self._clock() - int(late * SECOND)
        fields = {**self._fields(position, op, at), "event_ts": any_form(self._random, at)}
        return Event("positions", position.instrument.symbol.encode(), dump(fields))

    def _fields(self, position: Position, op: Op, at: int) -> bad.Fields:
        instrument, price = position.instrument, position.quote
        mtm = position.held * price
        return {
            "event_ts": at // 10**6,
            "symbol": instrument.symbol,
            "price": price,
            "qty": position.qty,
            "op": op,
            "_source_system": instrument.source,
            "allotment": instrument.allotment,
            "instrumentCode": instrument.code,
            "positionId": instrument.position,
            "pnl": round(mtm - position.paid, 2),
            "mtm": round(mtm, 2),
            "isin": instrument.isin,
            "cusip": instrument.cusip,
            "tradingDate": iso(at)[:10],
            # It happened a moment before it was told.
            "event_time": iso(at - self._random.randrange(SECOND // 50)),
        }

    def _bad(self) -> Event:
        spoil = bad.choose(self._random, BAD)
        position = self._random.choice(self._receipts)
        fields = self._fields(position, "U", self._clock())
        return Event("positions", position.instrument.symbol.encode(), spoil(fields))


_TWO_DAYS = 2 * 24 * 3600 * 1000
#: Records that cannot be used.
BAD: tuple[bad.Spoil, ...] = (
    *bad.anywhere("symbol"),
    bad.with_fields(price="12,50"),
    bad.with_text("price", b"NaN"),
    bad.with_text("price", b"1e400"),
    bad.with_fields(op="X"),
    bad.with_fields(event_ts="soon"),
    lambda fields: dump({**fields, "event_ts": fields["event_ts"] + _TWO_DAYS}),
)
