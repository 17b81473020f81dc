"""The panel's port to a running game of Koi-Koi."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2

from calibration.decks.deck import Deck
from desk.koikoi.agreement import rules_shown
from desk.koikoi.desk import KoiKoiDesk, Refused
from desk.koikoi.snapshot import shown
from desk.koikoi.story import story
from desk.panel.koikoi.port import CallName, GameShown, RulesShown, StoryShown
from desk.tables.evidence.replays import Replays
from referee.cards.hanafuda import by_index
from referee.koikoi.events import Call

_JPEG_QUALITY = 88


class LiveKoiKoiPort:
    """The port of the Koi-Koi page.

    Parameters
    ----------
    desk : the game.
    deck : the cards on the table, for their pictures.
    preview : returns the latest picture of the table as JPEG.
    health : returns `fps` and `warnings`.
    """

    def __init__(
        self,
        desk: KoiKoiDesk,
        deck: Deck,
        *,
        preview: Callable[[], bytes | None] = lambda: None,
        health: Callable[[], dict[str, object]] = lambda: {"fps": None, "warnings": []},
    ) -> None:
        self._desk, self.replays = desk, Replays(desk)
        self.preview, self.health, self.listen = preview, health, desk.listen
        self._shown: tuple[int, GameShown] | None = None
        self._pictures = deck.pictures
        self.card_picture = cache(self._card_picture)

    def state(self) -> GameShown:
        """Return the state of the game; computed once for all viewers."""
        if self._shown is None or self._shown[0] != self._desk.last_seq:
            self._shown = self._desk.last_seq, shown(self._desk)
        return self._shown[1]

    def rules(self) -> RulesShown:
        """Return the rules of the table."""
        return rules_shown(self._desk.game.opened.rules)

    def story(self, number: int) -> StoryShown | None:
        """Return a round card by card, None if there is no round of this number."""
        return story(self._desk.game, number, self._desk.history)

    def declare(self, player: int, what: CallName) -> str | None:
        """Log a player's declaration; return the id of a refusal, or None."""
        return _refusal(self._desk.declare(player, Call(what)))

    def undo(self) -> str | None:
        """Take the latest event back; return the id of a refusal, or None."""
        return "nothing_to_undo" if self._desk.undo() is None else None

    def next_round(self) -> str | None:
        """Go on to the next round; return the id of a refusal, or None."""
        return _refusal(self._desk.next_round())

    def correct_card(self, wrong: int, right: int) -> str | None:
        """Correct a card that was read wrongly; return the id of a refusal, or None."""
        return _refusal(self._desk.correct_card(wrong, right))

    def _card_picture(self, card: int) -> bytes:
        picture = self._pictures[by_index(card).id]
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
        assert done, "a picture of a deck can be encoded"
        return data.tobytes()


def _refusal(result: int | Refused) -> str | None:
    return result.value if isinstance(result, Refused) else None
