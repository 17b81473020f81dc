"""How many connections the pages take, and how long one may take to ask: a desk has only so many files.

Whoever knew the address could open as many as the system gives a program, and say nothing. Then no page
came to anybody any more, and the match could open no file for its replays.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

ASKS_WITHIN_S: Final = 10.0
"""Time that a request's head has to arrive, and a new connection to say anything."""
MOST_OF_ONE: Final = 256
"""Connections of one machine: a browser opens about two hundred at most."""
_FILES: Final = 4096
_WITHOUT_LIMIT: Final = 1024


def most_connections() -> int:
    """Return how many connections may be open at once: half of the files that the system lets a program open.

    If the system allows more of them than it gives, more are taken.
    """
    if sys.platform == "win32":  # connections are no files there
        return _WITHOUT_LIMIT
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _FILES
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if wanted > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):  # macOS takes less than it says
            pass
    return soft // 2


class Connection(H11Protocol):
    """A connection of a browser, which is closed if it is one too many, or asks too slowly."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or close it."""
        super().connection_made(transport)
        host = self.client and self.client[0]
        of_host = sum(1 for other in self.connections if (client := _client(other)) and client[0] == host)
        if len(self.connections) > _most(self.config) or of_host > MOST_OF_ONE:
            transport.abort()
            return
        self._deadline = self.loop.call_later(ASKS_WITHIN_S, transport.close)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request; the next head has its time again once one is whole."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE or self.transport.get_protocol() is not self:
            self._end_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(ASKS_WITHIN_S, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._end_deadline()
        super().connection_lost(exc)

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _client(connection: Any) -> tuple[str, int] | None:
    client: tuple[str, int] | None = connection.client
    return client


def _most(config: Any) -> int:
    """Return a server's limit, found out once."""
    if not hasattr(config, "most_connections"):
        config.most_connections = most_connections()
    most: int = config.most_connections
    return most
