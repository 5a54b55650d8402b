"""What Deephaven runs when it starts: it exports Tidegrid's tables under their stable names."""

from deephaven.appmode import get_app_state

from tidegrid import settings
from tidegrid.tables import app

app.start(settings.load(), get_app_state())
