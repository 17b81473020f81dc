"""The replays of a mat's matches in this hall, piece by piece for the board."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error

from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.mat.outbox import Outbox
from desk.hall.messages import MessageError, ReplayWanted, unpack
from desk.hall.subjects import replay_of
from desk.karuta.house.history import match_in
from desk.karuta.house.live_match import LiveMatch

_PIECE: Final = 256 << 10


class Replays:
    """Answers whoever asks for a replay: of the running match, and of earlier ones whose pictures are kept.

    Parameters
    ----------
    link : of the mat.
    outbox : knows which matches were played in this hall; pictures of no other match leave the mat.
    folder : of the match logs.
    """

    def __init__(self, link: Link, outbox: Outbox, folder: Path) -> None:
        self._link, self._outbox, self._folder = link, outbox, folder
        self._live: LiveMatch | None = None
        self._found: dict[tuple[str, int], Path] = {}

    def follow(self, live: LiveMatch) -> None:
        """Take replays of a match that is played now from the match itself."""
        self._live = live

    async def listen(self, mat: str) -> None:
        """Answer from now on."""
        await self._link.listen(replay_of(mat), self._answer)

    async def _answer(self, message: Msg) -> None:
        try:
            wanted = unpack(message.data)
        except MessageError as error:
            sys.stderr.write(f"shinpan: hall: {error}\n")
            return
        if not isinstance(wanted, ReplayWanted):
            return
        path = await self._path(wanted)
        headers: dict[str, str] = {}
        piece = b""
        if path is not None:
            with suppress(OSError):
                piece, size = await asyncio.to_thread(_piece, path, max(0, wanted.offset))
                headers = {"Size": str(size), "Name": path.name}
        with suppress(Error):
            await self._link.client.publish(message.reply, piece, headers=headers or None)

    async def _path(self, wanted: ReplayWanted) -> Path | None:
        """Return where the bundle lies, None where there is none."""
        live = self._live
        if live is not None and live.engine.opened.id == wanted.match:
            return live.port.evidence(wanted.ruling)
        if wanted.match not in self._outbox.matches():
            return None
        asked = (wanted.match, wanted.ruling)
        if asked not in self._found:  # every piece is asked for alone, and a log takes a moment to read
            log = self._folder / f"{wanted.match}.sqlite"
            try:
                port = await asyncio.to_thread(match_in, log, strict=False)
            except DeskError:
                return None  # its log was moved away
            path = port.evidence(wanted.ruling)
            if path is None:
                return None
            self._found[asked] = path
        return self._found[asked]


def _piece(path: Path, offset: int) -> tuple[bytes, int]:
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(_PIECE), path.stat().st_size
