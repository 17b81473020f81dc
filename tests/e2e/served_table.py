"""A game at a card table with its page on a free port of this machine."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import uvicorn
from fastapi import FastAPI

from desk.tables.desk import TableDesk

T = TypeVar("T")
D = TypeVar("D", bound=TableDesk[Any])


class ServedTable(Generic[D]):
    """A game whose page is served from a thread of its own."""

    def __init__(self, desk: D, app: FastAPI) -> None:
        self.desk = desk
        config = uvicorn.Config(
            app, port=0, log_level="error", ws="none", lifespan="off", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the page could not be served"
            threading.Event().wait(0.01)
        self.address = f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"

    def _serve(self) -> None:
        self._loop.run_until_complete(self._server.serve())
        left_over = asyncio.all_tasks(self._loop)
        for task in left_over:
            task.cancel()
        if left_over:  # nothing to gather has no loop to gather it in
            self._loop.run_until_complete(asyncio.gather(*left_over, return_exceptions=True))

    def close(self) -> None:
        """Stop serving."""
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(5)
        self._loop.close()

    def do(self, action: Callable[[], T]) -> T:
        """Run `action` on the loop that owns the game."""

        async def act() -> T:
            return action()

        return asyncio.run_coroutine_threadsafe(act(), self._loop).result(5)

    def tell(self, *events: object) -> None:
        """Let things happen at the table."""
        for event in events:
            self.do(lambda event=event: self.desk.tell(event))  # type: ignore[misc]
