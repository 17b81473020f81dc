"""Replays of rulings, fetched from the mats on demand."""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Final

from nats.errors import Error, NoRespondersError

from calibration.files.storage import keep_bytes
from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.messages import ReplayWanted, pack, unpack_piece
from desk.hall.signature import ForeignMessageError
from desk.hall.subjects import replay_of

_ANSWERS_WITHIN_S: Final = 3.0
_TRIES: Final = 3
_MOST_BYTES: Final = 256 << 20
"""Size limit of a bundle: three seconds at 240 pictures per second have about 70 MB."""


class Replays:
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
            except NoRespondersError:
                return None  # the mat is offline
            except (TimeoutError, Error):
                continue
            except ForeignMessageError:
                return None  # the link told it
            piece = unpack_piece(answer.data)
            return piece if piece is not None and piece[0] <= _MOST_BYTES else None
        return None
