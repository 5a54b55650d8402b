"""What Deephaven runs when it starts: it exports the tables it makes of the source topics."""

import os

from deephaven.appmode import get_app_state

from bench import direct_tables

state = get_app_state()
bootstrap, users, accounts, positions = (
    os.environ[f"BENCH_{n}"]
    for n in ("BOOTSTRAP", "USERS_TOPIC", "ACCOUNTS_TOPIC", "POSITIONS_TOPIC")
)
for name, table in direct_tables.views(*direct_tables.streams(bootstrap, users, accounts)).items():
    state[name] = table
if positions:
    state["gold_latest"] = direct_tables.latest(bootstrap, positions)
