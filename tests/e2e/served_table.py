"""Pages, and games at a card table with theirs, on a free port of this machine."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

import numpy as np
from fastapi import FastAPI

from desk.panel.sockets import page_server
from desk.tables.desk import TableDesk
from desk.tables.evidence.events import EvidenceKept
from desk.tables.evidence.keeper import EvidenceKeeper
from vision.frames.frame import Frame

T = TypeVar("T")
D = TypeVar("D", bound=TableDesk[Any])


class ServedApp:
    """An application that is served from a thread of its own."""

    def __init__(
        self, app: FastAPI, closing: Callable[[], Coroutine[Any, Any, None]] | None = None, port: int = 0
    ) -> None:
        self._closing = closing
        self._server = page_server(app, port=port, log_level="error")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the page could not be served"
            threading.Event().wait(0.01)
        self.address = f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"

    def _serve(self) -> None:
        self._loop.run_until_complete(self._server.serve())
        if self._closing is not None:
            self._loop.run_until_complete(self._closing())
        left_over = asyncio.all_tasks(self._loop)
        for task in left_over:
            task.cancel()
        if left_over:  # nothing to gather has no loop to gather it in
            self._loop.run_until_complete(asyncio.gather(*left_over, return_exceptions=True))
        self._loop.run_until_complete(self._hang_up())

    async def _hang_up(self) -> None:
        """Close what a browser still keeps open: the server does not wait for it."""
        connections = self._server.server_state.connections
        for connection in list(connections):
            connection.transport.abort()
        while connections:
            await asyncio.sleep(0)

    def do(self, action: Callable[[], T]) -> T:
        """Run `action` on the loop that owns the game."""

        async def act() -> T:
            return action()

        return asyncio.run_coroutine_threadsafe(act(), self._loop).result(60)

    def close(self) -> None:
        """Stop serving."""
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(60)
        self._loop.close()


class ServedTable(ServedApp, Generic[D]):
    """A game whose page is served."""

    def __init__(self, desk: D, app: FastAPI) -> None:
        self.desk = desk
        super().__init__(app)

    def tell(self, *events: object) -> None:
        """Let things happen at the table."""
        for event in events:
            self.do(lambda event=event: self.desk.tell(event))  # type: ignore[misc]

    def film(self, t_ms: float) -> None:
        """Keep three pictures of what was done up to an instant, as a camera's eye does."""
        kept: list[EvidenceKept] = []
        keeper = EvidenceKeeper(self.desk.evidence_folder, kept.append)
        for before_ms in (400, 200, 0):
            t_ns = round(1e6 * (t_ms - before_ms))
            gray = np.full((90, 160), 100 + before_ms // 4, np.uint8)
            keeper.look(Frame(gray, t_ns, 1_000_000, before_ms), [] if before_ms else [t_ms])
        keeper.drain()
        keeper.close()
        self.tell(*kept)
