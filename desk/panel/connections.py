"""How many connections the pages take, and how long one may take to ask: a desk has only so many files.

Whoever knew the address could open as many as the system gives a program, and say nothing. Then no page
came to anybody any more, and the match could open no file for its replays. Who asked a WebSocket for
answers and read none filled the memory with them.
"""

import asyncio
import sys
from socket import socket
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

ASKS_WITHIN_S: Final = 10.0
"""Time that a request's head has to arrive, and a new connection to say anything."""
MOST_OF_ONE: Final = 256
"""Connections of one machine: a browser opens about two hundred at most."""
_MOST_FRAGMENTS: Final = 256
"""Parts of one message: browsers cut what is longer than about 128 KiB, and no message here has 5 MiB."""
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
        others: Any = self.connections
        of_host = sum(bool(other.client) and other.client[0] == host for other in others)
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


class PageSocket(WebSocketsSansIOProtocol):
    """A WebSocket of a browser, which is closed if it sends what costs more to keep than to send."""

    def handle_ping(self) -> None:
        """Answer a ping, unless nobody reads the answers: browsers send none of their own."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        """Take the next part of a message: also an empty one takes room."""
        if len(self.frames) < _MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self.transport.abort()


class Door(socket):
    """A listening socket that takes no more connections than it may: also of those that begin no TLS.

    A server of its own knows a connection only once its TLS stands. Windows asks elsewhere for what has
    come; there connections are no files.

    `most`: open connections; one machine has at most half of them, and `MOST_OF_ONE`.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._taken: list[tuple[socket, str]] = []

    def accept(self) -> tuple[socket, Any]:
        """Take a connection; ConnectionAbortedError if it is one too many."""
        connection, address = super().accept()
        self._taken = [each for each in self._taken if each[0].fileno() != -1]
        of_host = sum(host == address[0] for _, host in self._taken)
        if len(self._taken) >= self._most or of_host >= min(MOST_OF_ONE, self._most // 2):
            connection.close()
            raise ConnectionAbortedError
        self._taken.append((connection, address[0]))
        return connection, address


def _most(config: Any) -> int:
    """Return a server's limit, found out once."""
    if not hasattr(config, "most_connections"):
        config.most_connections = most_connections()
    most: int = config.most_connections
    return most
