"""Records that are not used: rejects, with a reason, and those that a `where` leaves out.

Guarantees: each causes one row, a reject in the list of rejects, another in its changelog for no
view, so that it is seen how far a source has been read.
State: one entry for each slot of the list of rejects, whatever comes.
"""

from __future__ import annotations

from tidegrid.contract.declaration.types import Source
from tidegrid.contract.views import REJECTS
from tidegrid.pipeline import decode, fields, sql
from tidegrid.pipeline.plan import Plan

#: What is kept of a record that is not used, or that a row of another kind names as its cause.
CAUSE = {
    "ts": "ts",
    "id": "id",
    "source": "source",
    "reason": "reason",
    "value": f"CASE WHEN reason IS NOT NULL THEN {decode.snippet('value')} END",
}


def key(plan: Plan) -> str:
    """Return the group of a record that is not used: as many as the list of rejects is long."""
    return f"concat_ws('/', source, partition, offset % {plan.flow.rejects_keep})"


def topic(plan: Plan) -> str:
    """Return where the row of such a record goes."""
    rejects = sql.literal(plan.out[REJECTS.name])
    changelogs = (sql.literal(plan.changelog_of(s)) for s in plan.sources)
    skipped = fields.by_source(changelogs, "cause.source")
    return f"CASE WHEN cause.reason IS NOT NULL THEN {rejects} ELSE {skipped} END"


def row(plan: Plan) -> tuple[str, str]:
    """Return the Kafka key and the row of such a record."""
    topics = (sql.json_text(s.topic) for s in plan.sources)
    place = sql.cause("cause", fields.by_source(topics, "cause.source"))
    about = sql.inside("struct(cause.reason, cause.value)")
    skipped = '\'{"tg_shows":""\''
    start = f"CASE WHEN cause.reason IS NULL THEN {skipped} ELSE concat('{{', {about}) END"
    value = f"concat({start}, {place})"
    return "concat('x:', key)", value


def is_used(source: Source, where: str) -> str:
    """Return whether a record without a reason against it passes the `where` of its source."""
    if not where:
        return "true"
    passes = f"coalesce({where}, false)"
    return f"(value IS NULL OR {passes})" if source.kafka_key is not None else passes
