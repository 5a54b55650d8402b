"""The customers flow: users and accounts, joined by one aggregation.

The query reads both sources, keyed by user: it decodes, rejects, keeps the newest versions of the
user, the newest account events and the account types seen, and writes, for each record, the rows of
every view that it changes.

A long backlog is read in bulk before that: the same aggregation over all of it at once fills the
state and writes each user, each account and the newest rejects once; a second pass, for accounts
that busier ones pushed out of the history, is made only if there are any.

Guarantees: every source record causes at least one row, except one in the backlog whose row a newer
one replaces; every row names the record that caused it; the values of a row are a function of the
set of records merged, so replaying changes nothing.
What callers get wrong: the as-of join looks back over the `as_of_depth` newest versions and account
events of each user, no further.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tidegrid.contract.sources import ACCOUNTS, USERS, Source
from tidegrid.pipeline import customer_rows, decode
from tidegrid.pipeline.customer_rows import Plan
from tidegrid.pipeline.records import TIE, TS

#: Ordered by time, then by a number that no two records of a topic share.
_VERSION = f"ts, {TIE} as tie"


def rows(raw: DataFrame, plan: Plan) -> DataFrame:
    """Turn raw records of both sources into rows (topic, key, value) for Kafka."""
    return customer_rows.of_record(_state(raw, plan), plan)


def backlog(raw: DataFrame, plan: Plan) -> DataFrame:
    """Return the rows of a backlog, and fill the state that `rows` goes on from."""
    return customer_rows.of_backlog(_state(raw, plan), plan)


def backlog_accounts(raw: DataFrame, plan: Plan) -> DataFrame:
    """Return the rows of all accounts in a backlog, however quiet."""
    # No filter: Spark would move it below the parser, and parse each record once more for it. What
    # is no account makes one group, which makes no row.
    groups = _events(raw, plan).groupBy(
        F.expr("case when account is not null then userId end").alias("userId"),
        F.expr("account.accountType").alias("accountType"),
    )
    newest = groups.agg(
        F.expr("max_by(account, account_order)").alias("account"),
        # With a list Spark groups by hashing, and without one by sorting.
        F.expr("collect_list(case when bad then 1 end)").alias("bad"),
    )
    return customer_rows.of_account(newest.drop("bad"), plan)


def _state(raw: DataFrame, plan: Plan) -> DataFrame:
    depth = plan.as_of_depth
    return (
        _events(raw, plan)
        .groupBy("bad", "userId")
        .agg(
            F.expr(f"max_by(user, user_order, {depth})").alias("users"),
            F.expr(f"max_by(account, account_order, {depth})").alias("accounts"),
            F.expr("collect_set(account.accountType)").alias("types"),
            F.expr("count(account)").alias("accounts_seen"),
            F.expr("last(cause)").alias("cause"),
        )
    )


def _events(raw: DataFrame, plan: Plan) -> DataFrame:
    """Decode the records; bad ones share as many keys as the list of rejects is long."""
    parsed = raw.selectExpr(
        "topic",
        "partition",
        "offset",
        "value",
        f"{TS} as ts",
        f"topic = {decode.quoted(plan.users_topic)} as is_user",
        f"{decode.text('value', plan.encoding)} as json",
    ).selectExpr(
        "*",
        f"case when is_user then {decode.parse('json', USERS)} end as u",
        f"case when not is_user then {decode.parse('json', ACCOUNTS)} end as a",
    )
    limit = plan.max_value_bytes

    def clearly_good(fields: str, source: Source) -> str:
        return decode.clearly_good("value", "json", fields, source, limit)

    def reason(fields: str, source: Source) -> str:
        return decode.reason("value", "json", fields, source, plan.encoding, limit)

    good, why = (
        f"case when is_user then {check('u', USERS)} else {check('a', ACCOUNTS)} end"
        for check in (clearly_good, reason)
    )
    checked = parsed.selectExpr("*", f"case when not ({good}) then {why} end as reason")
    user_id = (
        f"case when is_user then {decode.field('u', 'userId', USERS)} "
        f"else {decode.field('a', 'userId', ACCOUNTS)} end"
    )
    user = "u.name, u.email, u.age"
    account = f"{decode.field('a', 'accountType', ACCOUNTS)} as accountType, a.balance as balance"
    good_user, good_account = "reason is null and is_user", "reason is null and not is_user"
    return checked.selectExpr(
        "reason is not null as bad",
        f"case when reason is null then {user_id} "
        f"else concat_ws('/', topic, partition, offset % {plan.event_list}) end as userId",
        f"case when {good_user} then struct({_VERSION}, {user}) end as user",
        f"case when {good_user} then struct({_VERSION}) end as user_order",
        f"case when {good_account} then struct({_VERSION}, {account}) end as account",
        f"case when {good_account} then struct({_VERSION}) end as account_order",
        f"struct(is_user, {_VERSION}, "
        f"case when {good_user} then struct({user}) end as user, "
        f"case when {good_account} then struct({account}) end as account, "
        f"reason, case when reason is not null then {decode.snippet('value')} end as value) "
        "as cause",
    )
