"""The page, as seen from outside."""

from __future__ import annotations

import http.client
from pathlib import Path

from tidegrid.page import tls
from tidegrid.settings import PAGE_PATH, Settings


def ask(settings: Settings, timeout: float) -> str:
    """Return what is wrong with the page; nothing if it is there.

    The server is asked where it listens, under the name that viewers know it by, and must show the
    certificate of the settings.
    """
    tables = settings.tables
    connection = http.client.HTTPConnection(tables.host, tables.port, timeout=timeout)
    try:
        connection.connect()
        if tables.certificate:
            context = tls.trusting(Path(tables.certificate))
            connection.sock = context.wrap_socket(connection.sock, server_hostname=tables.host_name)
        connection.request("GET", PAGE_PATH, headers={"Host": f"{tables.host_name}:{tables.port}"})
        answer = connection.getresponse()
        return "" if answer.status == 200 else f"answers with {answer.status} {answer.reason}"
    except (OSError, http.client.HTTPException) as e:
        return str(e) or repr(e)
    finally:
        connection.close()
