"""Enrolling a deck from photos: one of all cards, or several of some cards each."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from calibration.decks.deck import Deck, deck_game
from calibration.decks.enrolment import MIN_WIDTH_PX, FailedEnrolment, Labelled, enrol_pictures
from referee.complaint import sentence_of
from referee.sentence import Sentence
from vision.frames.picture_file import read_colour
from vision.photo.deck_photo import CutCard, cut_cards, in_deck_order

MIN_PHOTO_WIDTH_PX: Final = MIN_WIDTH_PX // 2
"""Least width of a card on a photo of many cards; it may be smaller than on a picture of its own."""


def enrol_photos(
    photos: Sequence[Path],
    game: str,
    name: str,
    notes: str = "",
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Deck | FailedEnrolment:
    """Make a deck from photos on which all its cards lie apart, upright, in the deck's order.

    Raises DeckError if the game is unknown or the name cannot be a deck's.

    Parameters
    ----------
    photos : photos in order; on each, cards are taken row by row, from left to right. On a photo with four
        rows and more columns, every column is a month.
    game, name, notes : see `calibration.decks.deck.Deck`.
    progress : called with the number of photos read and their total.
    """
    kind = deck_game(game)
    cut: list[tuple[str, CutCard]] = []
    problems: list[Sentence] = []
    counts = []
    for done, path in enumerate(photos):
        progress(done, len(photos))
        try:
            photo = read_colour(path)
        except (OSError, ValueError) as error:
            problems.append(sentence_of(error))
            continue
        cards = in_deck_order(cut_cards(photo, kind.card_size_mm, len(kind.card_ids)))
        counts.append(f"{path.name} {len(cards)}")
        cut += [(f"{path.name}, row {card.row + 1}, card {card.column + 1}", card) for card in cards]
    progress(len(photos), len(photos))
    wanted = len(kind.card_ids)
    if len(cut) != wanted:
        problems.append(
            Sentence(
                "{found} cards were found ({photos}), a {game} deck has {wanted}: lay them apart on a plain "
                "ground, all of every card in the picture",
                found=len(cut),
                photos=", ".join(counts) or Sentence("no photo"),
                game=game,
                wanted=wanted,
            )
        )
    problems += [
        Sentence("{place}: {why}", place=label, why=problem)
        for label, card in cut
        if (problem := wrong_with(card))
    ]
    if problems:
        return FailedEnrolment(tuple(problems))
    labelled = [
        Labelled(label, card_id, card.picture)
        for card_id, (label, card) in zip(kind.card_ids, cut, strict=True)
    ]
    return enrol_pictures(labelled, game, name, notes)


def wrong_with(card: CutCard) -> Sentence | None:
    """Return why a card on a photo cannot be enrolled, None if it can."""
    if card.width_px < MIN_PHOTO_WIDTH_PX:
        return Sentence(
            "is {width:.0f} px wide: go nearer, at least {least} px are needed",
            width=card.width_px,
            least=MIN_PHOTO_WIDTH_PX,
        )
    return card.problem
