"""Serves the replays of a mat's matches in this hall to the board, piece by piece."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Final

from nats.aio.msg import Msg

from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.mat.outbox import Outbox
from desk.hall.messages import ReplayWanted, message_in, pack_piece
from desk.hall.subjects import replay_of
from desk.karuta.house.history import match_in
from desk.karuta.house.live_match import LiveMatch

_PIECE: Final = 256 << 10


class Replays:
    """Answers requests for replays of the running match and of earlier ones whose pictures are kept.

    `outbox`: knows the matches played in this hall; pictures of other matches do not leave the mat.
    """

    def __init__(self, link: Link, outbox: Outbox, folder: Path) -> None:
        self._link, self._outbox, self._folder = link, outbox, folder
        self._live: LiveMatch | None = None
        self._found: dict[tuple[str, int], Path] = {}

    def follow(self, live: LiveMatch) -> None:
        """Serve the replays of a running match from the match itself."""
        self._live = live

    async def listen(self, mat: str) -> None:
        """Answer requests from now on."""
        await self._link.listen(replay_of(mat), self._answer)

    async def _answer(self, message: Msg) -> None:
        wanted = message_in(message.data)
        if not isinstance(wanted, ReplayWanted):
            return
        path = await self._path(wanted)
        answer = b""
        if path is not None:
            with suppress(OSError):
                answer = pack_piece(*await asyncio.to_thread(_piece, path, max(0, wanted.offset)))
        await self._link.answer(message, answer)

    async def _path(self, wanted: ReplayWanted) -> Path | None:
        """Return the path of the bundle, None if there is none."""
        live = self._live
        if live is not None and live.engine.opened.id == wanted.match:
            return live.port.evidence(wanted.ruling)
        if wanted.match not in self._outbox.matches():
            return None
        asked = (wanted.match, wanted.ruling)
        if asked not in self._found:  # each piece is a request, and reading a log takes time
            log = self._folder / f"{wanted.match}.sqlite"
            try:
                port = await asyncio.to_thread(match_in, log)
            except DeskError:
                return None  # its log was moved away
            path = port.evidence(wanted.ruling)
            if path is None:
                return None
            self._found[asked] = path
        return self._found[asked]


def _piece(path: Path, offset: int) -> tuple[int, bytes]:
    with path.open("rb") as file:
        file.seek(offset)
        return path.stat().st_size, file.read(_PIECE)
