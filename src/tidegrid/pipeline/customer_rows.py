"""The rows of the customers flow: what a record causes, given all that its key has seen.

Most records cause one row, which serves several views: `shows` says which. Only what is out of the
ordinary takes more: a user with several account types, a record that comes late, a user whose first
account arrives.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tidegrid.contract import views
from tidegrid.pipeline.decode import quoted
from tidegrid.pipeline.records import columns, offset, partition, slot

_LONG_MAX = 2**63 - 1
_COLUMNS = {
    name: kind
    for changelog in views.CUSTOMERS.changelogs
    for name, kind in changelog.columns.items()
}
_USER = ("name", "email", "age")
#: The metric that says how many users have accounts which `of_backlog` could not write.
MISSING = "missing"


@dataclass(frozen=True)
class Plan:
    """What one generation reads and writes."""

    users_topic: str
    accounts_topic: str
    join: str
    encoding: str
    event_list: int
    as_of_depth: int
    max_value_bytes: int
    #: Topic by changelog name.
    out: dict[str, str]

    @property
    def left(self) -> bool:
        """Whether a user with no account is shown."""
        return self.join == "left"


def of_record(state: DataFrame, plan: Plan) -> DataFrame:
    """Return the rows (topic, key, value) that the record merged last causes."""
    # The newest account of the record's type: null if busier types pushed it out. The usual record
    # is the newest of all, which is seen without a search.
    of_type = (
        "case when cause.account is null then null "
        "when get(accounts, 0).tie = cause.tie then get(accounts, 0) "
        "else get(filter(accounts, a -> a.accountType = cause.account.accountType), 0) end"
    )
    looked_up = state.selectExpr(
        "userId",
        "cause",
        "users",
        "accounts",
        "types",
        "accounts_seen",
        "get(users, 0) as newest",
        f"{of_type} as of_type",
        f"{_user_as_of('cause')} as as_of",
    )
    rows = (
        f"case when cause.reason is not null then array({_reject(plan)}) "
        f"when cause.is_user then {_user_rows(plan)} "
        f"else array({', '.join(_account_rows(plan))}) end"
    )
    return _written(looked_up, rows, plan)


def of_backlog(state: DataFrame, plan: Plan) -> DataFrame:
    """Return the rows after a backlog: of each user and each of its accounts one, and of rejects.

    An account that busier ones pushed out of the history has no row here, and is counted in
    `MISSING`: `of_account` makes those.
    """
    in_history = "exists(accounts, a -> a.accountType = t)"
    missing = f"accounts_seen > {plan.as_of_depth} and not forall(types, t -> {in_history})"
    counted = state.observe(MISSING, F.expr(f"count_if({missing})").alias("users"))
    looked_up = counted.selectExpr("*", "get(users, 0) as newest")
    user = _row(
        plan,
        _key("'u'", "userId"),
        shows="case when size(types) > 0 then 'u' else 'uj' end" if plan.left else "'u'",
        accountType="''",
        **_user_part("newest"),
    )
    of_type = "get(filter(accounts, a -> a.accountType = t), 0)"
    account = _row(
        plan,
        _key("'a'", "userId", "x.t"),
        shows="'aj'",
        accountType="x.t",
        topic=quoted(plan.accounts_topic),
        ts="x.account.ts",
        partition=partition("x.account"),
        offset=offset("x.account"),
        **_user_part("newest"),
        **_account_part("x.account"),
    )
    user_alone = _row(
        plan, _key("'j'", "userId", "x.t"), shows="'j'", accountType="x.t", **_user_part("newest")
    )
    each_type = f"transform(types, t -> struct(t, {of_type} as account))"
    rows = (
        f"array(case when newest is not null then {user} end), "
        f"transform({each_type}, x -> case when x.account is not null then {account} "
        f"when newest is not null then {user_alone} end)"
    )
    # What is not used is not kept, and the real-time query needs all of the state, in its order: so
    # all is used.
    # A condition and no filter, which Spark would move below the parser.
    everything = f"xxhash64(users, accounts, types, accounts_seen, cause) >= -{_LONG_MAX} - 1"
    return _written(
        looked_up,
        f"case when bad then array({_reject(plan)}) when {everything} then concat({rows}) end",
        plan,
    )


def of_account(newest: DataFrame, plan: Plan) -> DataFrame:
    """Return the rows of accounts after a backlog, each with its newest version."""
    # Under a key of their own, so that they take no other row's place when the topic is compacted.
    account = _row(
        plan,
        _key("'b'", "userId", "accountType"),
        shows="'aj'",
        accountType="accountType",
        topic=quoted(plan.accounts_topic),
        ts="account.ts",
        partition=partition("account"),
        offset=offset("account"),
        **_account_part("account"),
    )
    return _written(newest, f"array(case when account is not null then {account} end)", plan)


def _written(frame: DataFrame, rows: str, plan: Plan) -> DataFrame:
    """Write each of an array of rows as JSON; a null among them is none."""
    # Computed before they are exploded: a projection is compiled, a generator is interpreted.
    # (`explode` would also have them computed twice, to filter out empty arrays first.)
    exploded = frame.selectExpr(f"{rows} as rows").selectExpr("explode_outer(rows) as r")
    values = ", ".join(f"r.{name}" for name in _COLUMNS)
    rejects, main = quoted(plan.out["rejects"]), quoted(plan.out["customers"])
    return exploded.where("r.key is not null").selectExpr(
        f"case when r.reason is null then {main} else {rejects} end as topic",
        "r.key as key",
        f"to_json(struct({values})) as value",
    )


def _user_as_of(event: str) -> str:
    """Return the newest user version that is no newer than an event."""
    return (
        f"case when get(users, 0).ts <= {event}.ts then get(users, 0) "
        f"else get(filter(users, u -> u.ts <= {event}.ts), 0) end"
    )


def _user_row(plan: Plan, late: str) -> str:
    joined = "'j'" if plan.left else "case when size(types) > 0 then 'j' else '' end"
    return _row(
        plan,
        _key("'u'", "userId"),
        shows=f"concat('u', {joined}, case when {late} then '' else 'U' end)",
        accountType="coalesce(get(types, 0), '')",
        **_user_part("newest"),
    )


def _other_types(plan: Plan) -> str:
    row = _row(
        plan,
        _key("'j'", "userId", "t"),
        shows="'j'",
        accountType="t",
        **_user_part("newest"),
    )
    # A slice of nothing has the type of what it is a slice of.
    return f"transform(slice(types, 2, {2**31 - 1}), t -> {row})"


def _user_rows(plan: Plan) -> str:
    late = "newest.tie <> cause.tie"
    own = _row(
        plan,
        _event_key(plan, "cause", "U"),
        shows="'U'",
        userTs="cause.ts",
        userTie="cause.tie",
        **{name: f"cause.user.{name}" for name in _USER},
    )
    # A user version changes the account events it is the newest version for, and no others.
    corrected = f"filter(accounts, a -> a.ts >= cause.ts and ({_user_as_of('a')}).tie = cause.tie)"
    event = _account_event(plan, "a", f"({_user_as_of('a')})")
    corrections = f"transform({corrected}, a -> {event})"
    return (
        f"concat(array({_user_row(plan, late)}, case when {late} then {own} end), "
        f"{_other_types(plan)}, "
        f"case when get(accounts, 0).ts >= cause.ts then {corrections} else array() end)"
    )


def _account_rows(plan: Plan) -> Iterable[str]:
    own = (
        "struct(cause.ts as ts, cause.tie as tie, cause.account.accountType as accountType, "
        "cause.account.balance as balance)"
    )
    account = f"coalesce(of_type, {own})"
    in_order = "(of_type.tie <=> cause.tie and as_of.tie <=> newest.tie)"
    # An event so late that the newest of its type is no longer kept stands for itself, under a
    # Kafka key of its own: versions tell which of the two rows counts.
    kind = "case when of_type is null then 'l' else 'a' end"
    yield _row(
        plan,
        _key(kind, "userId", f"{account}.accountType"),
        shows=f"case when {in_order} then 'ajA' else 'aj' end",
        accountType=f"{account}.accountType",
        **_user_part("newest"),
        **_account_part(account),
    )
    yield f"case when not {in_order} then {_account_event(plan, own, 'as_of')} end"
    # An inner join has no such row, but the same state.
    yield f"case when accounts_seen = 1 then {_no_longer_alone(plan)} end"


def _no_longer_alone(plan: Plan) -> str:
    """Return the row that takes a user without accounts off the screen, for good."""
    return _row(
        plan,
        _key("'d'", "userId"),
        shows="'j'",
        op="'D'",
        accountType="''",
        userTs=f"{_LONG_MAX}",
        userTie="0",
    )


def _account_event(plan: Plan, account: str, user: str) -> str:
    """Return one row of the as-of join."""
    return _row(
        plan,
        _event_key(plan, account, "A"),
        shows="'A'",
        accountType=f"{account}.accountType",
        topic=quoted(plan.accounts_topic),
        ts=f"{account}.ts",
        partition=partition(account),
        offset=offset(account),
        **_user_part(user),
        **_account_part(account),
    )


def _reject(plan: Plan) -> str:
    kind = "case when cause.is_user then 'U' else 'A' end"
    key = f"concat({kind}, ':', {slot('cause', plan.event_list)})"
    return _row(plan, key, userId="null", reason="cause.reason", value="cause.value")


def _user_part(user: str) -> dict[str, str]:
    values = {name: f"{user}.{name}" for name in _USER}
    return {**values, "userTs": f"{user}.ts", "userTie": f"{user}.tie"}


def _account_part(account: str) -> dict[str, str]:
    return {
        "balance": f"{account}.balance",
        "accountTs": f"{account}.ts",
        "accountTie": f"{account}.tie",
    }


def _key(kind: str, user_id: str, account_type: str | None = None) -> str:
    """Return a Kafka key that no other (kind, user, account type) shares."""
    if account_type is None:
        return f"concat({kind}, ':', {user_id})"
    return f"concat({kind}, length({user_id}), ':', {user_id}, {account_type})"


def _event_key(plan: Plan, record: str, kind: str) -> str:
    """Return the key of a row that is in an event list alone: as many as the list is long."""
    return f"concat('{kind}:', {slot(record, plan.event_list)})"


def _row(plan: Plan, key: str, **more: str) -> str:
    users, accounts = quoted(plan.users_topic), quoted(plan.accounts_topic)
    given = {
        "userId": "userId",
        "ts": "cause.ts",
        "topic": f"case when cause.is_user then {users} else {accounts} end",
        "partition": partition("cause"),
        "offset": offset("cause"),
        **more,
    }
    return f"struct({key} as key, {columns(_COLUMNS, given)})"
