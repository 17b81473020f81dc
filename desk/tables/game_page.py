"""The port of a running card game's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import cv2
import numpy as np

from calibration.decks.deck import Deck
from desk.panel.match.port import Caption
from desk.tables.desk import TableDesk
from desk.tables.evidence.clip_request import clip_of
from desk.tables.evidence.events import EvidenceKept

if TYPE_CHECKING:
    from desk.panel.pages import Pages
    from desk.panel.table.port import DrawnTablePort
    from desk.panel.table.seat_links import SeatLinks

_QUALITY: Final = 88
D = TypeVar("D", bound=TableDesk[Any])


@dataclass(frozen=True, slots=True)
class PageFrame:
    """What stands around a game's page."""

    pages: Pages
    # the rights of the seats; by default everyone may do everything, which is right only on 127.0.0.1
    links: SeatLinks
    addresses: Sequence[str] = ()  # the panel's addresses for phones
    # the port of the page on which the table is drawn, None if it cannot be
    drawn_table: DrawnTablePort | None = None


class GamePage(Generic[D]):
    """See `desk.panel.table.port.TablePort` and `desk.panel.table.replay_routes.ReplayPort`."""

    def __init__(
        self,
        desk: D,
        deck: Deck,
        state_of: Callable[[D], Mapping[str, Any]],
        *,
        width_px: int | None = None,
        preview: Callable[[], bytes | None] = lambda: None,
        health: Callable[[], dict[str, object]] = lambda: {"fps": None, "warnings": []},
    ) -> None:
        self.desk, self.deck = desk, deck
        self.preview, self.health, self.listen = preview, health, desk.listen
        self._state_of, self._width_px = state_of, width_px
        self._shown: tuple[int, Mapping[str, Any]] | None = None
        self.picture = cache(self._picture)

    def state(self) -> Mapping[str, Any]:
        if self._shown is None or self._shown[0] != self.desk.last_seq:
            self._shown = self.desk.last_seq, self._state_of(self.desk)
        return self._shown[1]

    def undo(self) -> str | None:
        """Take the latest word or correction back; return the id of a refusal, or None."""
        return "nothing_to_undo" if self.desk.undo() is None else None

    def evidence(self, seq: int) -> Path | None:
        kept = (event for number, event in self.desk.history if number == seq)
        names = (event.name for event in kept if isinstance(event, EvidenceKept))
        return next((self.desk.evidence_folder / name for name in names), None)

    async def clip(self, seq: int, caption: Caption) -> Path | None:
        bundle = self.evidence(seq)
        return None if bundle is None else await clip_of(bundle, caption)

    def _picture(self, card: str) -> bytes | None:
        """Return a card of the deck as JPEG, None if it has none of that name."""
        picture = self.deck.pictures.get(card)
        if picture is None:
            return None
        if self._width_px is not None:
            height_px = round(picture.shape[0] * self._width_px / picture.shape[1])
            size_px = self._width_px, height_px
            picture = np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA), np.uint8)
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        assert done, "a picture of a deck can be encoded"
        return data.tobytes()
