"""The customers flow: users and accounts, joined.

Two queries. `by_user` reads both sources, keyed by user: it decodes, rejects, keeps the newest
versions of the user, the newest account events and the account types seen, and writes the users,
the event lists (with the as-of join) and, for each (user, account type) that a record touches, one
record on the internal topic `joined`. `by_account` reads `joined` alone, keyed by (user, account
type), and writes the accounts and the joined rows, each complete.

Guarantees: every source record causes at least one row; every row names the record that caused it;
the values of a row are a function of the set of records merged, so replaying changes nothing.
What callers get wrong: the as-of join looks back over the `as_of_depth` newest versions and account
events of each user, no further.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from tidegrid.pipeline import decode

USERS = decode.Source(
    {"userId": "string", "name": "string", "email": "string", "age": "long"}, keys=("userId",)
)
ACCOUNTS = decode.Source(
    {"userId": "string", "accountType": "string", "balance": "double"},
    keys=("userId", "accountType"),
)

_LONG_MAX = 2**63 - 1
_JOINED = (
    "userId string, accountType string, "
    "u struct<ts:long,tie:long,name:string,email:string,age:long>, "
    "a struct<ts:long,tie:long,balance:double>, "
    "ts long, topic string, partition int, offset long"
)


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


def by_user(raw: DataFrame, plan: Plan) -> DataFrame:
    """Turn raw records of both sources into rows (topic, key, value) for Kafka."""
    state = (
        _events(raw, plan)
        .groupBy("lane", "userId")
        .agg(
            F.max_by("user", "user_order", plan.as_of_depth).alias("users"),
            F.max_by("account", "account_order", plan.as_of_depth).alias("accounts"),
            F.collect_set("account.accountType").alias("types"),
            F.count("account").alias("accounts_seen"),
            F.last("cause").alias("cause"),
        )
    )
    return _explode(state, _user_rows(plan))


def by_account(raw: DataFrame, plan: Plan) -> DataFrame:
    """Turn records of the internal topic into rows (topic, key, value) for Kafka."""
    record = F.from_json(F.col("value").cast("string"), _JOINED)
    events = raw.select(record.alias("r"), F.col("offset").alias("version")).select(
        "r.userId",
        "r.accountType",
        "r.u",
        "r.a",
        F.struct("r.ts", "r.topic", "r.partition", "r.offset", "version", "r.a").alias("cause"),
    )
    state = events.groupBy("userId", "accountType").agg(
        F.max("u").alias("u"), F.max("a").alias("a"), F.last("cause").alias("cause")
    )
    return _explode(state, _account_rows(plan))


def _events(raw: DataFrame, plan: Plan) -> DataFrame:
    """Decode the records; a bad one gets a lane of its own, one key per partition."""
    is_user = F.col("topic") == plan.users_topic
    value = F.col("value")
    parsed = raw.select(
        "topic",
        "partition",
        "offset",
        "value",
        F.unix_millis("timestamp").alias("ts"),
        is_user.alias("is_user"),
        decode.text(value, plan.encoding).alias("json"),
    ).select(
        "*",
        F.when(F.col("is_user"), decode.parse(F.col("json"), USERS)).alias("u"),
        F.when(~F.col("is_user"), decode.parse(F.col("json"), ACCOUNTS)).alias("a"),
    )

    def per_source(check: Callable[[Column, decode.Source], Column]) -> Column:
        return F.when(F.col("is_user"), check(F.col("u"), USERS)).otherwise(
            check(F.col("a"), ACCOUNTS)
        )

    def clearly_good(fields: Column, source: decode.Source) -> Column:
        return decode.clearly_good(value, F.col("json"), fields, source, plan.max_value_bytes)

    def why(fields: Column, source: decode.Source) -> Column:
        return decode.reason(
            value, F.col("json"), fields, source, plan.encoding, plan.max_value_bytes
        )

    checked = parsed.withColumn("reason", F.when(~per_source(clearly_good), per_source(why)))
    good = F.col("reason").isNull()
    good_user, good_account = good & F.col("is_user"), good & ~F.col("is_user")
    user_id = F.when(F.col("is_user"), decode.field(F.col("u"), "userId", USERS)).otherwise(
        decode.field(F.col("a"), "userId", ACCOUNTS)
    )
    # Ordered by time, then by a number that no two records of a topic share.
    tie = F.col("partition").cast("long") * (2**48) + F.col("offset")
    user = F.struct(
        "ts",
        tie.alias("tie"),
        *(decode.field(F.col("u"), n, USERS).alias(n) for n in ("name", "email", "age")),
    )
    account = F.struct(
        "ts",
        tie.alias("tie"),
        "partition",
        "offset",
        decode.field(F.col("a"), "accountType", ACCOUNTS).alias("accountType"),
        F.col("a.balance").alias("balance"),
    )
    order = F.struct("ts", tie)
    return checked.select(
        F.when(good, "c").otherwise("r").alias("lane"),
        F.when(good, user_id).otherwise(F.concat_ws("/", "topic", "partition")).alias("userId"),
        F.when(good_user, user).alias("user"),
        F.when(good_user, order).alias("user_order"),
        F.when(good_account, account).alias("account"),
        F.when(good_account, order).alias("account_order"),
        F.struct(
            "topic",
            "partition",
            "offset",
            "ts",
            tie.alias("tie"),
            F.when(good_user, user).alias("user"),
            F.when(good_account, account).alias("account"),
            "reason",
            F.when(~good, decode.snippet(value)).alias("value"),
        ).alias("cause"),
    )


def _user_rows(plan: Plan) -> Column:
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
        F.transform("types", lambda t: joined(t, F.lit(None).cast(_joined_account_type()))),
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


def _account_rows(plan: Plan) -> Column:
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


def _joined_account_type() -> str:
    return "struct<ts:long,tie:long,balance:double>"


def _key(user_id: Column, account_type: Column) -> Column:
    """Return a Kafka key that no other (user, account type) shares."""
    return F.concat(F.length(user_id).cast("string"), F.lit(":"), user_id, account_type)


def _row(topic: str, key: Column, *columns: Column | str) -> Column:
    return F.struct(
        F.lit(topic).alias("topic"),
        key.alias("key"),
        F.to_json(F.struct(*columns)).alias("value"),
    )


def _explode(state: DataFrame, rows: Column) -> DataFrame:
    # Computed before they are exploded: a projection is compiled, a generator is interpreted.
    # (`explode` would also have them computed twice, to filter out empty arrays first.)
    computed = state.select(rows.alias("rows"))
    exploded = computed.select(F.explode_outer("rows").alias("r")).select("r.*")
    return exploded.where(F.col("topic").isNotNull())
