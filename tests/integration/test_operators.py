"""The operators of Spark over whole backlogs, against a recomputation in plain Python."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from tests.support.compiled import compiled
from tests.support.frames import frame
from tests.support.reader import shown
from tidegrid.contract.declaration import DeclarationError, Problem

PARENTS_AND_CHILDREN: dict[str, Any] = {
    "sources": {
        "people": {
            "topic": "p",
            "key": ["id"],
            "kafka_key": "id",
            "fields": {"id": "long", "name": "string"},
        },
        "cards": {
            "topic": "c",
            "key": ["id", "card"],
            "kafka_key": {"json": ["id", "card"]},
            "delete": "points < 0",
            "fields": {"id": "long", "card": "string", "points": "double"},
        },
    },
    "views": {
        "people_now": {"latest": "people"},
        "cards_now": {"latest": "cards"},
        "both": {"join": ["people", "cards"]},
        "as_it_was": {"as_of": ["people", "cards"]},
    },
}


@pytest.mark.parametrize("how", ["left", "inner"])
def test_deletes_in_a_backlog_are_those_of_the_newest_records(
    spark: SparkSession, how: str
) -> None:
    document = json.loads(json.dumps(PARENTS_AND_CHILDREN))
    document["views"]["both"]["how"] = how
    flow = compiled(spark, document)
    chance = random.Random(3)
    records: list[tuple[str, bytes | None]] = []
    keys: list[bytes | None] = []
    people: dict[int, str | None] = {}
    cards: dict[tuple[int, str], float | None] = {}
    for n in range(300):
        person, card = chance.randrange(8), chance.choice("xyz")
        gone = chance.random() < 0.3
        if chance.random() < 0.4:
            value = None if gone else json.dumps({"id": person, "name": f"n{n}"}).encode()
            records.append(("p", value))
            keys.append(str(person).encode())
            people[person] = None if gone else f"n{n}"
        else:
            points = -1.0 if gone and n % 2 else float(n)
            value = json.dumps({"id": person, "card": card, "points": points}).encode()
            records.append(("c", None if gone and not n % 2 else value))
            keys.append(json.dumps({"id": person, "card": card}).encode())
            cards[person, card] = None if gone else points
    raw = frame(spark, records, keys=keys)
    rows = [*flow.backlog(raw)["tested"], *flow.rest(raw)["tested"]]
    assert flow.backlog(raw)["rejects"] == []
    found = {name: shown(flow.layout, name, rows) for name in ("people_now", "cards_now", "both")}
    alive = {p: name for p, name in people.items() if name is not None}
    assert {r["id"]: r["name"] for r in found["people_now"]} == alive
    held = {key: points for key, points in cards.items() if points is not None}
    assert {(r["id"], r["card"]): r["points"] for r in found["cards_now"]} == held
    joined: dict[Any, Any] = {
        (p, c): (alive[p], points) for (p, c), points in held.items() if p in alive
    }
    if how == "left":
        joined |= {(p, None): (n, None) for p, n in alive.items() if p not in {k for k, _ in held}}
    assert {(r["id"], r["card"]): (r["name"], r["points"]) for r in found["both"]} == joined
    assert len(found["both"]) == len(joined)


def test_sources_that_have_nothing_to_do_with_each_other_share_one_query(
    spark: SparkSession,
) -> None:
    document = json.loads(json.dumps(PARENTS_AND_CHILDREN))
    document["sources"]["notes"] = {
        "topic": "n",
        "key": ["id"],
        "where": "text <> 'skip'",
        "fields": {"id": "string", "text": {"type": "string", "from": "a.b"}},
        "columns": {"size": "length(text)", "twice": "size * 2"},
    }
    document["views"] |= {
        "notes_now": {"latest": "notes"},
        "note_sizes": {
            "buckets": "notes",
            "by": ["id"],
            "every": "5s",
            "keep": "15m",
            "count": "notes",
            "sum": {"letters": "twice"},
            "max": {"longest": "size"},
        },
        "card_points": {
            "buckets": "cards",
            "by": ["card"],
            "every": "10s",
            "keep": "15m",
            "sum": {"points": "points"},
            "last": {"latest": "points"},
        },
    }
    flow = compiled(spark, document)
    records: list[tuple[str, bytes | None]] = [
        ("p", b'{"id":1,"name":"Ann"}'),
        ("c", b'{"id":1,"card":"x","points":5}'),
        ("c", b'{"id":2,"card":"x","points":7}'),
        ("n", b'{"id":"1","a":{"b":"four"}}'),
        ("n", b'{"id":"2","a":{"b":"skip"}}'),
        ("n", b'{"id":"3","a":5}'),
    ]
    rows = flow.rows(frame(spark, records))
    assert [(r["id"], r["size"], r["twice"]) for r in rows["notes"] if r["tg_shows"]] == [
        ("1", 4, 8)
    ]
    # What is not used is no reject, but says how far its source was read.
    assert [r["offset"] for r in rows["notes"] if not r["tg_shows"]] == [4]
    assert [r["reason"] for r in rows["rejects"]] == ["a: expected an object, got a number"]
    assert [(r["notes"], r["letters"], r["longest"]) for r in rows["note_sizes"]] == [(1, 8, 4)]
    assert [(r["card"], r["points"], r["latest"]) for r in rows["card_points"]] == [("x", 12, 7)]
    both = shown(flow.layout, "both", rows["people"])
    assert [(r["id"], r["name"], r["card"], r["points"]) for r in both] == [(1, "Ann", "x", 5)]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("reflect('java.lang.System', 'exit', '1')", "calls reflect"),
        ("java_method('java.lang.Runtime', 'getRuntime')", "calls java_method"),
        ("(select max(name) from people)", "a subquery may not be used here"),
        ("exists(select 1)", "a subquery"),
        ("explode(array(1, 2))", "calls explode"),
        ("count(*) over ()", "a window"),
        ("transform(array(1), x -> x)", "calls transform"),
        ("sum(id)", "calls sum"),
        ("current_user()", "calls current_user"),
        ("uuid()", "calls uuid"),
        ("nme", "there is no column 'nme'; did you mean name"),
        ("parsed_people.name", "there is no column 'parsed_people.name'"),
        ("upper(name", "cannot be read"),
        ("name) as x, (id", "cannot be read"),
        ("name -- and so on", ""),
        ("regexp_replace(name, '(', '')", "does not work"),
        ("array(id)", "calls array"),
        (":parameter", "may not be used here"),
        ("*", "may not be used here"),
    ],
)
def test_an_expression_may_do_nothing_but_compute(
    spark: SparkSession, expression: str, said: str
) -> None:
    document = json.loads(json.dumps(PARENTS_AND_CHILDREN))
    document["sources"]["people"]["columns"] = {"made": expression}
    if not said:
        assert compiled(spark, document)
        return
    with pytest.raises(DeclarationError) as refused:
        compiled(spark, document)
    assert "sources.people.columns.made: " in str(refused.value)
    assert said in str(refused.value)


_TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)


@given(names=st.lists(_TEXT, min_size=3, max_size=3, unique_by=str.lower), value=_TEXT)
@example(names=["'; drop", '"a"', "b`c"], value="\\' OR 1=1 --")
@example(names=["@raw", "${x", "*/"], value="tidegrid_raw")
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_hostile_names_and_values_are_just_names_and_values(
    spark: SparkSession, names: list[str], value: str
) -> None:
    outer, inner, plain = names
    source = {
        "topic": "t",
        "key": ["id"],
        "fields": {
            "id": "string",
            "nested": {"type": "string", "from": [outer, inner]},
            "plain": {"type": "string", "from": [plain], "default": value},
            "chosen": {"type": "string", "one_of": [value, "other"], "default": value},
        },
        "columns": {"same": "coalesce(chosen, '')"},
    }
    document = {"sources": {"s": source}, "views": {"s_now": {"latest": "s"}}}
    problems: tuple[Problem, ...] = ()
    try:
        flow = compiled(spark, document)
    except DeclarationError as e:
        problems = e.problems
    assert all(p.place.startswith("sources.s.") for p in problems)
    if problems:
        return
    record = json.dumps({"id": "1", outer: {inner: value}}).encode()
    [row] = flow.rows(frame(spark, [("t", record)]))["tested"]
    found = {name: row[name] for name in ("nested", "plain", "chosen", "same")}
    assert found == dict.fromkeys(found, value)
