"""What Deephaven runs when it starts: it exports the tables it makes of the source topics."""

import os

from deephaven.appmode import get_app_state

from bench import direct_tables

state = get_app_state()
sources = [os.environ[f"BENCH_{n}"] for n in ("BOOTSTRAP", "USERS_TOPIC", "ACCOUNTS_TOPIC")]
for name, table in direct_tables.views(*direct_tables.streams(*sources)).items():
    state[name] = table
