"""Words in the names of fields, by what they say of a field."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(name: str) -> list[str]:
    """Return the words in a name, in small letters: `orderId` and `order_id` have two."""
    return [word.lower() for word in _WORD.findall(name)]


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


TIMES = _set(
    "time timestamp ts at date datetime when created updated modified changed occurred since until "
    "expires expiry start started end ended due eta"
)
#: Of times: when something changed, and what stays as it is or is yet to come.
CHANGES = _set("event updated update modified changed change occurred ts timestamp time at")
STAYS = _set(
    "created birth born opened registered due eta expiry expires expire planned scheduled until "
    "end start valid settlement maturity delivery deliver"
)
MONEY = _set(
    "amount price cost total balance fee tax net gross revenue pnl mtm notional value salary "
    "payment discount"
)
#: Numbers that have a fraction sooner or later.
FRACTIONS = MONEY | _set(
    "rate ratio percent pct weight temperature temp humidity pressure latitude lat longitude lon "
    "lng distance speed score average avg mean voltage level"
)
#: What tells things apart, what is different in every event, and what many things share.
IDS = _set(
    "id key code symbol sku isin cusip uuid guid number no nr ref reference ticker serial imei vin "
    "iban zip zipcode postcode postal phone fax account"
)
EVENTS = _set(
    "event message msg trace span request correlation causation session offset sequence seq uuid "
    "guid"
)
#: What counts the parts of a thing, what else may count them, and what counts its versions.
LINES = _set("line item leg row pos position")
COUNTERS = _set("seq sequence")
VERSIONS = _set("version ver rev revision update change edit attempt retry")
KINDS = _set("type kind status state category channel currency country op source zip postcode")
