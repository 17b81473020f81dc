"""A game of Koi-Koi with its page on a free port of this machine."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import uvicorn

sys.path.insert(0, str(Path(__file__).parents[1] / "desk"))  # the scripts of the desk's own tests

from koikoi_script import Table, drawn, opened_desk, played

from desk.koikoi_events import LoggedEvent
from desk.koikoi_port import LiveKoiKoiPort
from desk.panel.koikoi_app import create_koikoi_app
from desk.panel.seat_links import SeatLinks
from vision.simulator.hanafuda_art import drawn_deck

__all__ = ["KoiKoiTable", "Table", "drawn", "played"]

T = TypeVar("T")


class KoiKoiTable:
    """A game whose page is served from a thread of its own."""

    def __init__(
        self, folder: Path, players: int = 2, dealer: int = 0, links: SeatLinks | None = None
    ) -> None:
        self.desk = opened_desk(folder, players, dealer)
        port = LiveKoiKoiPort(self.desk, drawn_deck())
        app = create_koikoi_app(port, links=links)
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

    def tell(self, *events: LoggedEvent) -> None:
        """Let things happen at the table."""
        for event in events:
            self.do(lambda event=event: self.desk.tell(event))  # type: ignore[misc]
