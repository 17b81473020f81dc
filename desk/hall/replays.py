"""Replays of rulings: the board fetches them from the mats on demand, piece by piece."""

import asyncio
import hashlib
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error, NoRespondersError

from calibration.files.storage import keep_bytes
from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.mat.sender import Outbox
from desk.hall.messages import ReplayWanted, message_in, pack
from desk.hall.signature import ForeignMessageError
from desk.hall.subjects import replay_of
from desk.karuta.house.history import match_in
from desk.karuta.house.live_match import LiveMatch

_ANSWERS_WITHIN_S: Final = 3.0
_TRIES: Final = 3
_MOST_BYTES: Final = 256 << 20
"""Size limit of a bundle: three seconds at 240 pictures per second have about 70 MB."""
_PIECE: Final = 256 << 10
_SIZE: Final = Struct(">Q")
"""An answer is the size of the whole file and a piece of it; empty for no replay."""


class FetchedReplays:
    """Fetches bundles piece by piece; a bundle is stored only if its SHA-256 matches its name."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._locks: defaultdict[Path, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def fetch(self, mat: str, match: str, ruling: int, path: Path) -> None:
        """Fetch the replay of a ruling into a file named by its SHA-256, if the mat still has it.

        Raises DeskError if the mat sends another file than the log names, or the file cannot be stored.
        """
        async with self._locks[path]:
            if path.is_file():
                return
            data = await self._whole(mat, match, ruling)
            if data is None:
                return
            if hashlib.sha256(data).hexdigest() != path.stem:
                raise DeskError(
                    "{mat} sent a replay of ruling {ruling} that differs from the one in its log",
                    mat=mat,
                    ruling=ruling,
                )
            with DeskError.wrapping("the replay cannot be stored: {why}", OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                await asyncio.to_thread(keep_bytes, path, data)

    async def _whole(self, mat: str, match: str, ruling: int) -> bytes | None:
        data = bytearray()
        while True:
            answer = await self._piece(mat, ReplayWanted(match, ruling, len(data)))
            if answer is None:
                return None
            size, piece = answer
            data += piece
            if len(data) >= size or not piece:
                return bytes(data) if len(data) == size else None

    async def _piece(self, mat: str, wanted: ReplayWanted) -> tuple[int, bytes] | None:
        for _ in range(_TRIES):
            try:
                answer = await self._link.ask(replay_of(mat), pack(wanted), _ANSWERS_WITHIN_S)
            except (NoRespondersError, ForeignMessageError):
                return None  # the mat is offline, or the link told it
            except (TimeoutError, Error):
                continue
            if len(answer.data) < _SIZE.size:
                return None
            size = int(_SIZE.unpack_from(answer.data)[0])
            return (size, answer.data[_SIZE.size :]) if size <= _MOST_BYTES else None
        return None


class ServedReplays:
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
                answer = await asyncio.to_thread(_piece, path, max(0, wanted.offset))
        await self._link.answer(message, answer)

    async def _path(self, wanted: ReplayWanted) -> Path | None:
        """Return the path of the bundle, None if there is none."""
        live = self._live
        if live is not None and live.engine.opened.id == wanted.match:
            return live.port.evidence(wanted.ruling)
        if wanted.match not in self._outbox.marks:
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


def _piece(path: Path, offset: int) -> bytes:
    with path.open("rb") as file:
        file.seek(offset)
        return _SIZE.pack(path.stat().st_size) + file.read(_PIECE)
