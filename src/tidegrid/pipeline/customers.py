"""The customers flow: users and accounts, joined by one aggregation.

The query reads both sources, keyed by user: it decodes, rejects, keeps the newest versions of the
user, the newest account events and the account types seen, and writes, for each record, the rows of
every changelog that it changes.

Guarantees: every source record causes at least one row; every row names the record that caused it;
the values of a row are a function of the set of records merged, so replaying changes nothing.
What callers get wrong: the as-of join looks back over the `as_of_depth` newest versions and account
events of each user, no further.
"""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from tidegrid.pipeline import decode
from tidegrid.pipeline.customer_rows import Plan, rows_of

USERS = decode.Source(
    {"userId": "string", "name": "string", "email": "string", "age": "long"}, keys=("userId",)
)
ACCOUNTS = decode.Source(
    {"userId": "string", "accountType": "string", "balance": "double"},
    keys=("userId", "accountType"),
)


def rows(raw: DataFrame, plan: Plan) -> DataFrame:
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
    return _explode(state, rows_of(plan))


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


def _explode(state: DataFrame, rows: Column) -> DataFrame:
    # Computed before they are exploded: a projection is compiled, a generator is interpreted.
    # (`explode` would also have them computed twice, to filter out empty arrays first.)
    computed = state.select(rows.alias("rows"))
    exploded = computed.select(F.explode_outer("rows").alias("r")).select("r.*")
    return exploded.where(F.col("topic").isNotNull())
