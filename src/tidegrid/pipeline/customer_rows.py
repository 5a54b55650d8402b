"""The rows of the customers flow: what a record causes, given all that its key has seen."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F

_LONG_MAX = 2**63 - 1


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


def rows_of(plan: Plan) -> Column:
    """Return the rows that the record merged last causes, for each kind of record."""
    cause = F.col("cause")
    newest = F.get("users", F.lit(0))
    slot = (cause["offset"] % plan.event_list).cast("int")
    source = [cause[n].alias(n) for n in ("topic", "partition", "offset")]
    event_key = F.concat_ws("/", cause["topic"], cause["partition"], cause["offset"])
    user_id = F.col("userId")

    def newest_account(account_type: Column) -> Column:
        """Return the newest account of a type, if it is among the newest events of the user."""
        return F.get(F.filter("accounts", lambda a: a["accountType"] == account_type), F.lit(0))

    def joined(account_type: Column, account: Column) -> Column:
        """Return a joined row; without its account part, if that is not known here.

        Such a row has a Kafka key of its own: it must not take the place of a whole one.
        """
        key = _key(user_id, account_type)
        return _row(
            plan.out["final"],
            F.when(account.isNull(), F.concat(key, F.lit("/user"))).otherwise(key),
            F.lit("U").alias("op"),
            user_id,
            *(newest[n].alias(n) for n in ("name", "email", "age")),
            newest["ts"].alias("userTs"),
            newest["tie"].alias("userTie"),
            account_type.alias("accountType"),
            account["balance"].alias("balance"),
            account["ts"].alias("accountTs"),
            account["tie"].alias("accountTie"),
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
        *(newest[n].alias(n) for n in ("name", "email", "age")),
        newest["ts"].alias("userTs"),
        newest["tie"].alias("userTie"),
    )
    no_longer_alone = _row(
        plan.out["final"],
        _key(user_id, F.lit("")),
        F.lit("D").alias("op"),
        *unmatched,
        F.lit(_LONG_MAX).alias("userTs"),
        F.lit(0).cast("long").alias("userTie"),
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
        F.transform("types", lambda t: joined(t, newest_account(t))),
        F.when(left & (F.size("types") == 0), F.array(alone)).otherwise(F.array()),
        F.coalesce(F.transform(corrected, account_event), F.array()),
    )
    account = cause["account"]
    # An event so late that the newest of its type is no longer kept stands for itself: versions
    # tell which of the two rows counts.
    of_type = F.coalesce(newest_account(account["accountType"]), account)
    account_rows = F.concat(
        F.array(
            _row(
                plan.out["accounts"],
                _key(user_id, account["accountType"]),
                user_id,
                *(of_type[n].alias(n) for n in ("accountType", "balance", "ts", "tie")),
                *source,
            ),
            account_event(account),
        ),
        F.when(F.size("users") > 0, F.array(joined(account["accountType"], of_type))).otherwise(
            F.array()
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


def _key(user_id: Column, account_type: Column) -> Column:
    """Return a Kafka key that no other (user, account type) shares."""
    return F.concat(F.length(user_id).cast("string"), F.lit(":"), user_id, account_type)


def _row(topic: str, key: Column, *columns: Column | str) -> Column:
    return F.struct(
        F.lit(topic).alias("topic"),
        key.alias("key"),
        F.to_json(F.struct(*columns)).alias("value"),
    )
