"""The enrolment page's port to a deck in the making and to the camera above it."""

from pathlib import Path

import numpy as np

from calibration.decks.enrolment import FailedEnrolment
from desk.enrolment.session import EnrolSession
from desk.errors import DeskError
from desk.machine.decks import keep_deck
from desk.panel.enrolment.routes import Answer, EnrolShown, Refused
from desk.tables.eye import preview_of
from desk.tables.table import Table
from desk.tables.watch_thread import WatchThread
from referee.cards.hanafuda import HANAFUDA
from referee.complaint import sentence_of
from vision.frames.frame import Frame


class CameraEnrolment:
    """Watches a camera and enrols the cards before it on demand.

    `kept`: file of the finished deck, None before.
    """

    def __init__(self, session: EnrolSession, table: Table, *, replace: bool = False) -> None:
        self.kept: Path | None = None
        self._session, self._replace = session, replace
        self._watch = WatchThread(table, self._look)

    def begin(self) -> None:
        self._watch.begin()

    def end(self) -> None:
        self._watch.close()

    @property
    def failure(self) -> Exception | None:
        """The error that ended the pictures, None if there was none."""
        return self._watch.failure

    def _look(self, item: object) -> bool:
        if isinstance(item, Frame):
            self._watch.show(item)
        return False

    # --- desk.panel.enrolment.routes.EnrolPort ---------------------------------------------------------

    def state(self) -> EnrolShown:
        taken = {card for pile in self._session.piles[: len(self._session.taken)] for card in pile}
        return {
            "game": self._session.game,
            "name": self._session.name,
            "cards": [
                {"id": card, **_names(card), "taken": card in taken}
                for pile in self._session.piles
                for card in pile
            ],
            "asked_for": list(self._session.asked_for),
            "kept": None if self.kept is None else str(self.kept),
        }

    def take(self) -> Answer:
        """Take the cards that lie before the camera now."""
        if self.failure is not None:
            return Answer(Refused.NO_PICTURE, 0, (str(self.failure),))
        latest = self._watch.latest
        return self._session.take(None if latest is None else np.asarray(latest.colour(), np.uint8))

    def undo(self) -> Answer:
        return self._session.undo()

    def keep(self) -> Answer:
        """Make the deck and store it."""
        deck = self._session.finished()
        if deck is None:
            return Answer(Refused.NOT_COMPLETE)
        if isinstance(deck, FailedEnrolment):
            return Answer(Refused.BAD_CARD, len(self._session.piles), deck.problems)
        try:
            self.kept = keep_deck(deck, replace=self._replace)
        except DeskError as error:
            return Answer(Refused.BAD_CARD, 0, (sentence_of(error),))
        return Answer(found=len(deck.pictures))

    def thumbnail(self, card: str) -> bytes | None:
        """Return a small picture of a card that was taken, as JPEG."""
        return self._session.thumbnail(card)

    def preview(self) -> bytes | None:
        """Return the latest picture of the camera as JPEG."""
        return preview_of(self._watch.latest)


def _names(card: str) -> dict[str, object]:
    face = HANAFUDA.get(card)
    if face is None:
        return {"ja": card, "en": card, "pile_ja": "", "pile_en": ""}
    return {
        "ja": face.name_ja,
        "en": face.name_en,
        "pile_ja": f"{face.month}月 {face.flower_ja}",
        "pile_en": f"{face.month}: {face.flower_en}",
    }
