"""Claims: what a token says of itself. The signature is not verified: that is up to the broker."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any

from tidegrid.doctor.findings import Answer, Problem, shown

#: Seconds by which clocks may differ.
_SKEW = 30


@dataclass(frozen=True)
class Claims:
    """What a token says; empty of one that only the provider can read."""

    issuer: str = ""
    audience: str = ""


def judge(token: str, sub_claim: str, now: float, skew: float | None) -> Answer[Claims]:
    """Look into a token; `skew` is how many seconds the provider's clock is ahead, if it says."""
    claims = claims_of(token)
    if claims is None:
        return Answer(
            "there is one, of a kind that only the provider can read",
            Claims(),
            "warning",
            "Kafka's own validator takes JWTs alone: ask who runs the broker what it takes",
        )
    audience = claims.get("aud", "")
    several = audience if isinstance(audience, list) else [audience]
    found = Claims(shown(str(claims.get("iss", ""))), shown(", ".join(map(str, several)), 100))
    ends, begins = _number(claims, "exp"), _number(claims, "iat")
    who = claims.get(sub_claim)
    detail = f"iss {found.issuer or 'none'}, aud {found.audience or 'none'}, {sub_claim} "
    detail += shown(str(who)) if who else "none"
    if ends is not None and begins is not None:
        detail += f", for {ends - begins:.0f} s"
    if not who:
        raise Problem(
            f"the token has no claim {sub_claim}: {detail}",
            "set kafka.sub_claim (OAUTH_SUB_CLAIM) to the claim that names the client: "
            f"there are {shown(', '.join(claims), 100)}",
        )
    if ends is None:
        raise Problem(
            f"the token has no claim exp: {detail}", "have the provider put its end into tokens"
        )
    clocks = "" if skew is None else f"; the provider's clock is {_ahead(skew)}"
    off = skew is not None and abs(skew) > _SKEW
    if ends <= now:
        raise Problem(
            f"the token has expired, {now - ends:.0f} s ago: {detail}{clocks}",
            "set the clock of this machine"
            if off
            else "have the provider give tokens that live longer, and check its clock",
        )
    if off or (begins is not None and begins > now + _SKEW):
        return Answer(
            f"{detail}{clocks}", found, "warning", "set the clocks of both machines (NTP)"
        )
    return Answer(detail, found)


def claims_of(token: str) -> dict[str, Any] | None:
    """Return what a JWT claims, unverified; None if it is none."""
    parts = token.split(".")
    if len(parts) != 3:
        return None
    try:
        padded = parts[1] + "=" * (-len(parts[1]) % 4)
        found = json.loads(base64.urlsafe_b64decode(padded))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _ahead(skew: float) -> str:
    return f"{abs(skew):.0f} s {'ahead of' if skew > 0 else 'behind'} this one"


def _number(claims: dict[str, Any], name: str) -> float | None:
    value = claims.get(name)
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if usable and value is not None else None
