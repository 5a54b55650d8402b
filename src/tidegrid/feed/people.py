"""People and their accounts: an endless, repeatable run of events, some of them bad on purpose."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tidegrid.feed import bad
from tidegrid.feed.event import Event, Kind, dump

_FIRST = "".join(
    (
        "Amara Aiko Alejandra Amina Anders Anika Arjun Astrid Ayla Beatriz Bilal Bjorn ",
        "Camille Carlos Chiara Chloe Daan Daria Diego Elena Elif Emeka Esther Fatima Felix ",
        "Freya Gabriel Grace Hana Hassan Ines Ingrid Isaac Ivan Jamal Jin Jonas Julia Kai ",
        "Kavya Keiko Kofi Lars Layla Leo Lin Lucia Luis Maja Malik Marta Mateo Mei Mila ",
        "Mohamed Nadia Naomi Niels Nina Noah Olga Omar Priya Quentin Rafael Rania Ravi Rosa ",
        "Sara Sven Tara Thabo Theo Tomas Uma Vera Wei Yara Yusuf Zoe",
    )
).split()
_LAST = "".join(
    (
        "Abara Almeida Andersson Arslan Baker Bauer Becker Bianchi Brown Castro Chen Cohen ",
        "Costa Dahl Diaz Dubois Eriksen Fischer Fontaine Garcia Gupta Haas Hansen Haruki ",
        "Ibrahim Ito Jansen Joshi Kaya Keller Khan Kim Kovacs Kumar Larsen Lee Lopez Mbeki ",
        "Meyer Moreau Mori Moyo Murphy Nakamura Ndiaye Nguyen Novak Okafor Olsen Park Patel ",
        "Petrov Popescu Ramos Rossi Sato Schmidt Silva Singh Smith Sokolov Suzuki Tanaka ",
        "Torres Vargas Virtanen Wagner Walker Wang Weber Yilmaz Zhang",
    )
).split()
_DOMAINS = ("example.com", "example.org", "mail.example", "post.example", "inbox.example")
_TYPES = ("CHECKING", "SAVINGS", "BROKERAGE", "RETIREMENT", "CREDIT")
_TYPICAL = {
    "CHECKING": 3_500,
    "SAVINGS": 18_000,
    "BROKERAGE": 64_000,
    "RETIREMENT": 120_000,
    "CREDIT": -1_800,
}


@dataclass
class Person:
    """A user as it is now."""

    user_id: str
    first: str
    last: str
    email: str
    age: int
    balances: dict[str, float]


class People:
    """A population that changes: new balances mostly, now and then a name or an email."""

    def __init__(self, seed: int, users: int, bad_ratio: float, after: int = 0) -> None:
        """Make the people of a seed; `after` how many events they go on, for other changes."""
        # Sample data, not secrets.
        self._random = random.Random(seed)  # noqa: S311
        self._bad_ratio = bad_ratio
        self._people = [self._born(i) for i in range(users)]
        if after:
            self._random = random.Random(seed + after)  # noqa: S311

    def everybody(self) -> Iterator[Event]:
        """Yield each person once, then each of their accounts."""
        for person in self._people:
            yield self._user_event(person)
        for person in self._people:
            for account_type in person.balances:
                yield self._account_event(person, account_type)

    def changes(self) -> Iterator[Event]:
        """Yield changes without end."""
        while True:
            if self._random.random() < self._bad_ratio:
                yield self._bad()
                continue
            person = self._random.choice(self._people)
            if self._random.random() < 0.3 or not person.balances:
                yield self._changed_user(person)
            else:
                yield self._changed_account(person)

    def _born(self, number: int) -> Person:
        rng = self._random
        first, last = rng.choice(_FIRST), rng.choice(_LAST)
        count = rng.choices((0, 1, 2, 3, 4), weights=(5, 30, 35, 20, 10))[0]
        balances = {
            t: round(_TYPICAL[t] * rng.lognormvariate(0, 0.6), 2) for t in rng.sample(_TYPES, count)
        }
        age = min(max(int(rng.gauss(44, 15)), 18), 97)
        return Person(f"U{number:06d}", first, last, self._email(first, last), age, balances)

    def _email(self, first: str, last: str) -> str:
        number = self._random.randrange(100)
        return f"{first}.{last}{number}@{self._random.choice(_DOMAINS)}".lower()

    def _changed_user(self, person: Person) -> Event:
        turn = self._random.random()
        if turn < 0.2:
            person.last = self._random.choice(_LAST)
        elif turn < 0.25:
            person.age += 1
        else:
            person.email = self._email(person.first, person.last)
        return self._user_event(person)

    def _changed_account(self, person: Person) -> Event:
        missing = [t for t in _TYPES if t not in person.balances]
        if missing and self._random.random() < 0.002:
            opened = self._random.choice(missing)
            person.balances[opened] = 0.0
            return self._account_event(person, opened)
        account_type = self._random.choice(list(person.balances))
        step = self._random.gauss(0, 0.02) * abs(_TYPICAL[account_type])
        person.balances[account_type] = round(person.balances[account_type] + step, 2)
        return self._account_event(person, account_type)

    def _user_event(self, person: Person) -> Event:
        fields = {
            "userId": person.user_id,
            "name": f"{person.first} {person.last}",
            "email": person.email,
            "age": person.age,
        }
        return _event("users", person.user_id, fields)

    def _account_event(self, person: Person, account_type: str) -> Event:
        fields = {
            "userId": person.user_id,
            "accountType": account_type,
            "balance": person.balances[account_type],
        }
        return _event("accounts", person.user_id, fields)

    def _bad(self) -> Event:
        kind = self._random.choice(tuple(BAD))
        spoil = bad.choose(self._random, BAD[kind])
        key = self._random.choice(self._people).user_id
        return Event(kind, key.encode(), spoil({"userId": key, **SPOILED[kind]}))


def _event(kind: Kind, key: str, fields: dict[str, object]) -> Event:
    return Event(kind, key.encode(), dump(fields))


#: What bad records are made of, beside the user's id.
SPOILED: dict[Kind, dict[str, object]] = {
    "users": {"name": "Nobody"},
    "accounts": {"accountType": "SAVINGS", "balance": 10.0},
}
#: Records that cannot be used.
BAD: dict[Kind, tuple[bad.Spoil, ...]] = {
    "users": (*bad.anywhere("userId"), bad.with_fields(age="forty")),
    "accounts": (
        *bad.anywhere("userId"),
        bad.with_text("balance", b"NaN"),
        bad.with_text("balance", b"1e400"),
        bad.with_fields(balance="a lot"),
        bad.without("accountType"),
    ),
}
