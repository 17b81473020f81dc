"""The panel's port to a running bout of the Kendo cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2

from calibration.decks.deck import Deck
from desk.kendo.desk import KendoDesk, Refused
from desk.kendo.snapshot import shown
from desk.panel.kendo.port import BoutShown, WordName
from desk.tables.evidence.replays import Replays
from referee.cards.kendo import MARKERS

_JPEG_QUALITY = 88
_WIDTH_PX = 189
"""Width of card pictures on the page: half of that in an enrolled deck."""


class LiveKendoPort:
    """The port of the Kendo page.

    Parameters
    ----------
    desk : the bout.
    deck : the cards on the table, for their pictures.
    preview : returns the latest picture of the table as JPEG.
    health : returns `fps` and `warnings`.
    """

    def __init__(
        self,
        desk: KendoDesk,
        deck: Deck,
        *,
        preview: Callable[[], bytes | None] = lambda: None,
        health: Callable[[], dict[str, object]] = lambda: {"fps": None, "warnings": []},
    ) -> None:
        self._desk, self._deck, self.replays = desk, deck, Replays(desk)
        self.preview, self.health, self.listen = preview, health, desk.listen
        self._shown: tuple[int, BoutShown] | None = None
        self.face_picture = cache(self._face_picture)

    def state(self) -> BoutShown:
        """Return the bout as it stands; computed once for all viewers."""
        if self._shown is None or self._shown[0] != self._desk.last_seq:
            self._shown = self._desk.last_seq, shown(self._desk)
        return self._shown[1]

    def say(self, player: int, what: WordName) -> str | None:
        """Log a word; return the id of a refusal, or None."""
        return _refusal(self._desk.say(player, what))

    def undo(self) -> str | None:
        """Take the latest word or correction back; return the id of a refusal, or None."""
        return "nothing_to_undo" if self._desk.undo() is None else None

    def correct(self, player: int, wrong: str, right: str) -> str | None:
        """Correct a card that was read wrongly; return the id of a refusal, or None."""
        if right not in self._deck.pictures:
            return Refused.NO_SUCH_CARD.value
        return _refusal(self._desk.correct(player, wrong, right))

    def faces(self) -> list[str]:
        """Return the faces of the deck's cards."""
        return [face for face in self._deck.pictures if face not in MARKERS]

    def _face_picture(self, face: str) -> bytes | None:
        picture = self._deck.pictures.get(face)
        if picture is None:
            return None
        height_px = round(picture.shape[0] * _WIDTH_PX / picture.shape[1])
        small = cv2.resize(picture, (_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
        done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
        assert done, "a picture of a deck can be encoded"
        return data.tobytes()


def _refusal(result: int | Refused) -> str | None:
    return result.value if isinstance(result, Refused) else None
