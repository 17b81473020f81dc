"""A card table before its game begins: the live picture, and checks of what a game needs."""

import asyncio
from typing import Any, Final

from desk.panel.house.port import FindingShown, Status
from desk.tables.eye import CardTableEye
from desk.tables.table import Table
from desk.tables.table_events import AtRest, Lying
from desk.tables.watch_thread import WatchThread
from referee.complaint import sentence_of
from vision.frames.frame import Frame

_RATE_S: Final = 2.0
_GOOD_FPS, _POOR_FPS = 15.0, 8.0
"""A hand lays a card within 0.3 s to 0.5 s; below eight pictures per second only two or three show it."""
_FILM_S: Final = 1.0  # length of a film that is watched before its game begins; then the film waits
_MARKERS: Final = 4


class TablePreview:
    """Watches a table in a thread of its own until a game takes it over, or people choose another one."""

    def __init__(self, table: Table, eye: CardTableEye[Any]) -> None:
        self.table = table
        self._eye = eye
        self._cards: Lying | None = None
        self._watch = WatchThread(table, self._take)
        self._watch.begin()

    @property
    def problem(self) -> str | None:
        """Why no pictures come any more, as a message; None if they come."""
        failure = self._watch.failure
        return self.table.problem if failure is None else sentence_of(failure)

    def preview(self) -> bytes | None:
        return self._eye.preview()

    def findings(self) -> list[FindingShown]:
        """Return the findings about the pictures, the four markers and the cards."""
        watcher = self._eye.watcher
        sees_table = watcher.plane is not None
        missing = [] if sees_table else [one for one in range(_MARKERS) if one not in watcher.markers]
        markers: Status = "ok" if sees_table else "fail" if self._watch.latest is not None else "unknown"
        return [
            self._pace(),
            {"id": "markers", "status": markers, "values": {"missing": missing}},
            self._read(),
        ]

    async def leave(self) -> Table:
        await asyncio.to_thread(self._watch.leave)
        return self.table

    async def end(self) -> None:
        await asyncio.to_thread(self._watch.close)

    def _pace(self) -> FindingShown:
        fps = None if self.table.can_wait else self._watch.fps(_RATE_S)
        status: Status = "ok" if self.table.can_wait else "unknown"
        if fps is not None:
            status = "ok" if fps >= _GOOD_FPS else "warn" if fps >= _POOR_FPS else "fail"
        return {"id": "pace", "status": status, "values": {"fps": None if fps is None else round(fps)}}

    def _read(self) -> FindingShown:
        cards = Lying(0, 0) if self._eye.watcher.plane is None or self._cards is None else self._cards
        status: Status = "warn" if cards.unread else "ok"
        if self._eye.watcher.plane is None or self._cards is None:
            status = "unknown"
        return {"id": "cards", "status": status, "values": cards._asdict()}

    # --- in its own thread -------------------------------------------------------------------------------

    def _take(self, item: object) -> bool:
        if not isinstance(item, Frame):
            return False
        self._watch.show(item)
        for event in self._eye.feed(item):
            if isinstance(event, AtRest):
                self._cards = event.look.cards_seen
        return self.table.can_wait and item.t_ns >= _FILM_S * 1e9
