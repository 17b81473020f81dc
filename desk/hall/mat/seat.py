"""The next pairing at a mat, from the hall's tournament."""

from __future__ import annotations

from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error

from desk.hall.link import Link
from desk.hall.messages import Pairing, message_in
from desk.hall.store import latest
from desk.hall.subjects import pairing_of
from desk.panel.house.port import Seat as SeatShown
from referee.sides import BySide

_NOBODY: Final[BySide[str | None]] = BySide.both(None)


class Seat:
    """Receives the pairings of one mat."""

    def __init__(self, link: Link, mat: str) -> None:
        self._link, self._mat = link, mat
        self._pairing: Pairing | None = None

    async def listen(self) -> None:
        """Receive pairings from now on."""
        await self._link.listen(pairing_of(self._mat), self._hear)

    async def catch_up(self) -> None:
        """Fetch the latest pairing, which may have been sent before this mat joined."""
        before = self._pairing
        try:
            found = await latest(self._link, "PAIRINGS", pairing_of(self._mat))
        except (Error, OSError, TimeoutError):
            return
        if (
            found is not None and found.problem is None and self._pairing is before
        ):  # else a newer one arrived
            self._take(found.data)

    def shown(self, over: BySide[str | None] | None) -> SeatShown:
        """Return the seat for the set-up's page.

        `over`: the players of this mat's latest match if it is over: a pairing of these two was played.
        """
        pairing = self._pairing
        if pairing is not None and over is not None and pairing.names in (over, over.swap()):
            pairing = None
        names = _NOBODY if pairing is None else pairing.names
        return {
            "mat": self._mat,
            "title": pairing.title if pairing is not None and pairing.id else None,
            "names": {"near": names.near, "far": names.far},
        }

    async def _hear(self, message: Msg) -> None:
        self._take(message.data)

    def _take(self, data: bytes) -> None:
        said = message_in(data)
        if isinstance(said, Pairing) and said.mat == self._mat:
            self._pairing = said
