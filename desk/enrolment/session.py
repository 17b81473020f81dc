"""Enrolling a deck before a camera, a few named cards at a time."""

from collections.abc import Sequence
from typing import Final

import cv2

from calibration.decks.deck import Deck, Picture, check_name, deck_game
from calibration.decks.enrolment import FailedEnrolment, Labelled, enrol_pictures
from desk.enrolment.photos import wrong_with
from desk.panel.enrolment.routes import Answer, Refused
from referee.sentence import Sentence
from vision.photo.deck_photo import CutCard, cut_cards, in_deck_order

PILE: Final = 4  # cards asked for at a time; for hanafuda, a month
_THUMBNAIL_PX: Final = (66, 108)


class EnrolSession:
    """A deck in the making.

    Raises DeckError if the game is unknown or the name cannot be a deck's.

    `game`, `name`, `notes`: see `calibration.decks.deck.Deck`. `piles`: the card ids asked for, pile by pile.
    """

    def __init__(self, game: str, name: str, notes: str = "") -> None:
        check_name(name)
        self.game, self.name, self.notes = game, name, notes
        self._kind = deck_game(game)
        ids = self._kind.card_ids
        self.piles: tuple[tuple[str, ...], ...] = tuple(
            ids[start : start + PILE] for start in range(0, len(ids), PILE)
        )
        self.taken: list[tuple[Picture, ...]] = []

    @property
    def asked_for(self) -> tuple[str, ...]:
        """The cards to lay down next, from left to right; empty when all were taken."""
        return self.piles[len(self.taken)] if len(self.taken) < len(self.piles) else ()

    def take(self, picture: Picture | None) -> Answer:
        """Take the cards on a picture: the pile that is asked for, or all cards of the deck at once.

        `picture`: shape (height, width, 3), blue, green, red; None if the camera gave none.
        """
        if picture is None:
            return Answer(Refused.NO_PICTURE)
        if not self.asked_for:
            return Answer(Refused.COMPLETE)
        every = len(self._kind.card_ids)
        cards = cut_cards(picture, self._kind.card_size_mm, None if self.taken else every)
        whole_deck = not self.taken and len(cards) == every
        if not whole_deck and len(cards) != len(self.asked_for):
            return Answer(Refused.WRONG_COUNT, len(cards))
        wrong = tuple(
            Sentence("{place}: {why}", place=number, why=problem)
            for number, card in enumerate(cards, 1)
            if (problem := wrong_with(card))
        )
        if wrong:
            return Answer(Refused.BAD_CARD, len(cards), wrong)
        self._keep(in_deck_order(cards))
        return Answer(found=len(cards))

    def undo(self) -> Answer:
        if not self.taken:
            return Answer(Refused.NOTHING_TO_UNDO)
        self.taken.pop()
        return Answer()

    def thumbnail(self, card: str) -> bytes | None:
        """Return a small picture of a card that was taken, as JPEG."""
        for pile, pictures in zip(self.piles, self.taken, strict=False):
            if card in pile:
                small = cv2.resize(pictures[pile.index(card)], _THUMBNAIL_PX, interpolation=cv2.INTER_AREA)
                done, data = cv2.imencode(".jpg", small)
                return data.tobytes() if done else None
        return None

    def finished(self) -> Deck | FailedEnrolment | None:
        """Return the deck, or what is wrong with it; None while cards are missing."""
        if self.asked_for:
            return None
        labelled = [
            Labelled(f"card {card}", card, picture)
            for pile, pictures in zip(self.piles, self.taken, strict=True)
            for card, picture in zip(pile, pictures, strict=True)
        ]
        return enrol_pictures(labelled, self.game, self.name, self.notes)

    def _keep(self, cards: Sequence[CutCard]) -> None:
        pictures = [card.picture for card in cards]
        for start in range(0, len(pictures), PILE):
            self.taken.append(tuple(pictures[start : start + PILE]))
