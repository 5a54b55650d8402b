"""What is traded in the sample data: made-up symbols with their sector, exchange and codes."""

from __future__ import annotations

import math
import random
import string
from dataclasses import dataclass


@dataclass(frozen=True)
class Sector:
    """What the symbols of a sector have in common."""

    name: str
    #: The code of the sector in the codes of its instruments.
    code: str
    #: What its symbols begin with.
    roots: tuple[str, ...]
    exchanges: tuple[str, ...]
    #: A typical price.
    price: float
    #: How far a price moves at one event, as a share of it.
    volatility: float


@dataclass(frozen=True)
class Instrument:
    """A symbol and what never changes about it."""

    symbol: str
    sector: Sector
    exchange: str
    code: str
    isin: str
    cusip: str
    source: str
    allotment: str
    position: str
    #: The price it wanders about.
    price: float
    #: How many it is traded by.
    lot: int
    #: How much of the trading is in it, compared with the others.
    activity: float


def _sector(
    name: str, code: str, roots: str, exchanges: str, price: float, volatility: float
) -> Sector:
    return Sector(name, code, tuple(roots.split()), tuple(exchanges.split()), price, volatility)


SECTORS = (
    _sector("Technology", "TEC", "BYT CLD CYB DAT NET PIX QNT SEM", "NASDAQ XETRA TSE", 180, 8e-4),
    _sector("Energy", "NRG", "DRL GAS HYD OIL PET RIG SOL WND", "NYSE LSE TSX", 62, 7e-4),
    _sector("Metals", "MET", "ALU ARG AUR CUP IRN LIT NIK ZNC", "LSE TSX ASX", 24, 9e-4),
    _sector("Banks", "BNK", "BNC CAP CRD FID LEN SAV TRU VLT", "NYSE LSE XETRA", 48, 4e-4),
    _sector("Health", "HLT", "BIO CEL CUR DOC GEN MED PHA VAX", "NASDAQ NYSE SIX", 115, 6e-4),
    _sector("Consumer", "CON", "BEV DEL FAB FOO HOM LUX SHP TOY", "NYSE EURONEXT TSE", 74, 4e-4),
    _sector("Industry", "IND", "AER BLD CRG FRG MCH RAI ROB TUR", "NYSE XETRA TSE", 92, 5e-4),
    _sector("Utilities", "UTL", "AQU DAM GRD HEA LUM POW WTR VOL", "NYSE EURONEXT LSE", 38, 2e-4),
    _sector("Telecom", "TEL", "ANT FIB LIN MOB SAT SIG TLK WAV", "NYSE XETRA ASX", 31, 3e-4),
)
_COUNTRIES = {
    "NASDAQ": "US",
    "NYSE": "US",
    "XETRA": "DE",
    "TSE": "JP",
    "LSE": "GB",
    "TSX": "CA",
    "ASX": "AU",
    "SIX": "CH",
    "EURONEXT": "FR",
}
SOURCES = ("ATLAS", "ORION", "PEGASUS", "VEGA")
ALLOTMENTS = (
    "Cash Equities",
    "Client Facilitation",
    "Convertibles",
    "Delta One",
    "Equity Derivatives",
    "Index Arbitrage",
    "Market Making",
    "Portfolio Trading",
)
_TYPES = ("EQ", "ADR", "CFD", "FUT")


def instruments(seed: int, count: int) -> list[Instrument]:
    """Return the first instruments of a seed; their symbols are all different."""
    # Sample data, not secrets.
    rng = random.Random(seed)  # noqa: S311
    found: dict[str, Instrument] = {}
    for number in range(count):
        sector = SECTORS[number % len(SECTORS)]
        # Another letter for each ten times as many keeps most symbols free.
        letters = max(1, len(str(number)) - 2)
        while (symbol := _symbol(rng, sector, letters)) in found:
            pass
        found[symbol] = _instrument(rng, number, sector, symbol)
    return list(found.values())


def _symbol(rng: random.Random, sector: Sector, letters: int) -> str:
    return rng.choice(sector.roots) + "".join(rng.choices(string.ascii_uppercase, k=letters))


def _instrument(rng: random.Random, number: int, sector: Sector, symbol: str) -> Instrument:
    exchange = rng.choice(sector.exchanges)
    # Codes of the right form only: their last digits check nothing.
    cusip = "".join(rng.choices(string.digits + string.ascii_uppercase, k=9))
    price = sector.price * rng.lognormvariate(0, 0.6)
    return Instrument(
        symbol=symbol,
        sector=sector,
        exchange=exchange,
        code=f"{sector.code}-{rng.choice(_TYPES)}",
        isin=f"{_COUNTRIES[exchange]}{cusip}{rng.randrange(10)}",
        cusip=cusip,
        source=rng.choice(SOURCES),
        allotment=rng.choice(ALLOTMENTS),
        position=f"P{number:06d}",
        price=price,
        lot=10 ** max(0, 3 - round(math.log10(price))),
        activity=rng.lognormvariate(0, 0.7),
    )
