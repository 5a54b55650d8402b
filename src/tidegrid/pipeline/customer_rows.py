"""The rows of the customers flow: what a record causes, given all that its key has seen."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F

_LONG_MAX = 2**63 - 1
_NO_ACCOUNT = "struct<ts:long,tie:long,balance:double>"


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
    #: Topic by changelog name, `joined` included.
    out: dict[str, str]


def rows_of_user(plan: Plan) -> Column:
    """Return the rows that the record merged last causes, for each kind of record."""
    cause = F.col("cause")
    newest = F.get("users", F.lit(0))
    slot = (cause["offset"] % plan.event_list).cast("int")
    source = [cause[n].alias(n) for n in ("topic", "partition", "offset")]
    event_key = F.concat_ws("/", cause["topic"], cause["partition"], cause["offset"])
    user_id = F.col("userId")

    def joined(account_type: Column, account: Column) -> Column:
        return _row(
            plan.out["joined"],
            _key(user_id, account_type),
            user_id,
            account_type.alias("accountType"),
            newest.alias("u"),
            account.alias("a"),
            cause["ts"].alias("ts"),
            *source,
        )

    def as_of(a: Column) -> Column:
        return F.get(F.filter("users", lambda u: u["ts"] <= a["ts"]), F.lit(0))

    def account_event(a: Column) -> Column:
        """One row of the as-of join; the newest user version no later than it decides."""
        u = as_of(a)
        a_slot = (a["offset"] % plan.event_list).cast("int")
        return _row(
            plan.out["account_events"],
            F.concat_ws("/", F.lit(plan.accounts_topic), a["partition"], a["offset"]),
            user_id,
            *(a[n].alias(n) for n in ("accountType", "balance", "ts", "partition", "offset")),
            F.lit(plan.accounts_topic).alias("topic"),
            a_slot.alias("slot"),
            *(u[n].alias(n) for n in ("name", "email", "age", "tie")),
            u["ts"].alias("userTs"),
        )

    # A user version changes the account events it is the newest version for, and no others. There
    # is no array at all before the first account, and one null would swallow the other rows.
    corrected = F.filter(
        "accounts", lambda a: (a["ts"] >= cause["ts"]) & (as_of(a)["tie"] == cause["tie"])
    )
    unmatched = [
        F.lit("").alias("accountType"),
        user_id,
        cause["ts"].alias("ts"),
        *source,
    ]
    alone = _row(
        plan.out["final"],
        _key(user_id, F.lit("")),
        F.lit("U").alias("op"),
        *unmatched,
        *(newest[n].alias(n) for n in ("name", "email", "age", "tie")),
        newest["ts"].alias("version"),
    )
    no_longer_alone = _row(
        plan.out["final"],
        _key(user_id, F.lit("")),
        F.lit("D").alias("op"),
        *unmatched,
        F.lit(_LONG_MAX).alias("version"),
        F.lit(0).cast("long").alias("tie"),
    )
    left = F.lit(plan.join == "left")
    user_rows = F.concat(
        F.array(
            _row(
                plan.out["users"],
                user_id,
                user_id,
                *(newest[n].alias(n) for n in ("name", "email", "age", "ts", "tie")),
                *source,
            ),
            _row(
                plan.out["user_events"],
                event_key,
                user_id,
                *(cause["user"][n].alias(n) for n in ("name", "email", "age", "ts")),
                *source,
                slot.alias("slot"),
            ),
        ),
        F.transform("types", lambda t: joined(t, F.lit(None).cast(_NO_ACCOUNT))),
        F.when(left & (F.size("types") == 0), F.array(alone)).otherwise(F.array()),
        F.coalesce(F.transform(corrected, account_event), F.array()),
    )
    account = cause["account"]
    account_rows = F.concat(
        F.array(
            joined(
                account["accountType"],
                F.struct(account["ts"], account["tie"], account["balance"]),
            ),
            account_event(account),
        ),
        F.when(left & (F.col("accounts_seen") == 1), F.array(no_longer_alone)).otherwise(F.array()),
    )
    reject_rows = F.array(
        _row(
            plan.out["rejects"],
            event_key,
            *source,
            *(cause[n].alias(n) for n in ("ts", "reason", "value")),
            slot.alias("slot"),
        )
    )
    return (
        F.when(cause["reason"].isNotNull(), reject_rows)
        .when(cause["user"].isNotNull(), user_rows)
        .otherwise(account_rows)
    )


def rows_of_account(plan: Plan) -> Column:
    """Return the account row, if an account caused it, and the joined row, if there is a user."""
    cause = F.col("cause")
    key = _key(F.col("userId"), F.col("accountType"))
    source = [cause[n].alias(n) for n in ("topic", "partition", "offset", "version")]
    account = _row(
        plan.out["accounts"],
        key,
        "userId",
        "accountType",
        F.col("a.balance").alias("balance"),
        F.col("a.ts").alias("ts"),
        *source,
    )
    both = _row(
        plan.out["final"],
        key,
        F.lit("U").alias("op"),
        "userId",
        *(F.col(f"u.{n}").alias(n) for n in ("name", "email", "age")),
        "accountType",
        F.col("a.balance").alias("balance"),
        cause["ts"].alias("ts"),
        *source,
        F.lit(0).cast("long").alias("tie"),
    )
    return F.concat(
        F.when(cause["a"].isNotNull(), F.array(account)).otherwise(F.array()),
        F.when(F.col("u").isNotNull() & F.col("a").isNotNull(), F.array(both)).otherwise(F.array()),
    )


def _key(user_id: Column, account_type: Column) -> Column:
    """Return a Kafka key that no other (user, account type) shares."""
    return F.concat(F.length(user_id).cast("string"), F.lit(":"), user_id, account_type)


def _row(topic: str, key: Column, *columns: Column | str) -> Column:
    return F.struct(
        F.lit(topic).alias("topic"),
        key.alias("key"),
        F.to_json(F.struct(*columns)).alias("value"),
    )
