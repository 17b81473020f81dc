"""A live game of Koi-Koi: the eye in a thread of its own, desk and page on the asyncio loop."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Final

import cv2
import uvicorn

from calibration.deck import Deck
from desk.config import EVERY_HOST, PANEL_HOST
from desk.koikoi_attendant import KoiKoiAttendant, Word
from desk.koikoi_desk import KoiKoiDesk
from desk.koikoi_eye import KoiKoiEye
from desk.koikoi_port import LiveKoiKoiPort
from desk.panel.app import LOCAL_HOSTS
from desk.panel.koikoi_app import create_koikoi_app
from desk.panel.koikoi_routes import OPERATOR, SeatLinks
from desk.ports import first_free, own_addresses
from desk.table import Table
from vision.frames import Frame
from vision.table_zones import TableZones

_LEAVE_S: Final = 2
_RATE_S: Final = 1.0
_TABLE_UNSEEN_S: Final = 5.0
NO_TABLE: Final = (
    "The table’s four markers are not seen: put them into its corners and keep hands away for a moment."
)


class LiveKoiKoi:
    """Watches a table and lets the desk know.

    Attributes
    ----------
    port : the page's door.
    attendant : brings the desk what is seen and said.
    failure : what ended the watching, if anything did.

    Parameters
    ----------
    desk : the game; it belongs to the loop given to `begin`.
    table : where the pictures come from.
    deck, zones : the cards and the places for them.
    words : what the players of a film or a simulated table say.
    """

    def __init__(
        self, desk: KoiKoiDesk, table: Table, deck: Deck, zones: TableZones, words: Iterable[Word] = ()
    ) -> None:
        self.attendant = KoiKoiAttendant(desk, words)
        self.failure: Exception | None = None
        self._table = table
        self._eye = KoiKoiEye(deck, zones, desk.game.opened.players)
        self.port = LiveKoiKoiPort(desk, deck, preview=self._eye.preview, health=self._health)
        self._shown_s: deque[float] = deque(maxlen=512)
        self._began_s = 0.0
        self._ending = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._watch, name="eye", daemon=True)

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to watch."""
        self._loop = loop
        self._began_s = time.perf_counter()
        self._thread.start()

    async def end(self) -> None:
        """Stop watching; the table is closed."""
        self._ending.set()
        self._table.close()
        # the eye may be waiting for this very loop
        await asyncio.to_thread(self._thread.join)

    # --- in the eye's thread -----------------------------------------------------------------------------

    def _watch(self) -> None:
        try:
            self._table.go_on()
            with closing(iter(self._table.happenings())) as items:  # type: ignore[type-var]
                for item in items:
                    if self._ending.is_set():
                        return
                    if isinstance(item, Frame):
                        self._look(item)
        except Exception as error:  # noqa: BLE001 (shown on the page and raised again when the game is left)
            self.failure = error
            sys.stderr.write(f"no more pictures: {error}\n")

    def _look(self, frame: Frame) -> None:
        self._table.show(frame)
        self._shown_s.append(time.perf_counter())
        seen = self._eye.feed(frame)
        t_ms = frame.t_ns / 1e6

        def tell() -> None:
            for event in seen:
                self.attendant.seen(event)
            self.attendant.at(t_ms)

        self._on_loop(tell)

    def _on_loop(self, action: Callable[[], None]) -> None:
        async def act() -> None:
            action()

        assert self._loop is not None, "begin() comes first"
        asyncio.run_coroutine_threadsafe(act(), self._loop).result()

    # --- on the loop -------------------------------------------------------------------------------------

    def _health(self) -> dict[str, object]:
        now_s = time.perf_counter()
        recent = [at_s for at_s in tuple(self._shown_s) if at_s > now_s - _RATE_S]
        fps = (len(recent) - 1) / (recent[-1] - recent[0]) if len(recent) > 2 else None
        warnings = [self._table.problem] if self._table.problem else []
        if not self._eye.sees_table and now_s - self._began_s > _TABLE_UNSEEN_S:
            warnings.append(NO_TABLE)
        if self.failure is not None:
            warnings.append(str(self.failure))
        return {"fps": fps, "warnings": warnings}


async def serve_koikoi(live: LiveKoiKoi, wanted_port: int, players: int, *, lan: bool) -> None:
    """Watch and serve the page until Ctrl-C.

    Raises
    ------
    DeskError
        If no port is free.
    """
    cv2.setNumThreads(1)
    host = EVERY_HOST if lan else PANEL_HOST
    port = first_free(host, wanted_port)
    links = SeatLinks.fresh(players) if lan else SeatLinks()
    addresses = tuple(own_addresses()) if lan else ()
    urls = [f"http://{address}:{port}" for address in addresses]
    app = create_koikoi_app(live.port, links=links, allowed_hosts=(*LOCAL_HOSTS, *addresses), addresses=urls)
    local = f"http://{PANEL_HOST}:{port}/koikoi"
    chief = next((token for token, seat in links.tokens.items() if seat == OPERATOR), None)
    sys.stdout.write(f"panel: {local}\n" if chief is None else f"panel: {local}/join/{chief}\n")
    sys.stdout.flush()
    config = uvicorn.Config(
        app, host, port, log_level="warning", lifespan="off", timeout_graceful_shutdown=_LEAVE_S
    )
    live.begin(asyncio.get_running_loop())
    try:
        await uvicorn.Server(config).serve()
    finally:
        await live.end()
