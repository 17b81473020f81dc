"""`shinpan identify IMAGE`: names the cards on a photo, at any place and from any angle."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from desk.errors import DeskError
from desk.log.json_lines import write_json
from desk.machine.output_file import add_output

GAMES = ("karuta", "hanafuda")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "image", type=Path, metavar="IMAGE", help="photo of cards on a table (JPEG, PNG, ...)"
    )
    parser.add_argument("--game", choices=GAMES, help="what kind of cards to look for (default: the deck's)")
    parser.add_argument(
        "--deck",
        metavar="NAME",
        help="the enrolled deck, or a deck's file, of these cards; torifuda are read without one, "
        "hand-written ones better with it",
    )
    add_output(
        parser,
        "--json",
        type=Path,
        metavar="OUT",
        help="also write the cards with their corners to this file: those of the card's physical edge, "
        "printed border included",
    )


def run(options: argparse.Namespace) -> int:
    """Name the cards on the photo, and write a file if asked; return 0, even if there is no card on it."""
    game = options.game or ("karuta" if options.deck is None else _game_of(options.deck))
    if game == "hanafuda" and options.deck is None:
        raise DeskError("hanafuda are named from a deck: give --deck NAME (see: shinpan decks list)")
    with DeskError.wrapping("", OSError, ValueError):
        cards = (_karuta if game == "karuta" else _hanafuda)(options.image, options.deck)
    deck = {} if options.deck is None else {"deck": options.deck}
    report: dict[str, Any] = {"image": str(options.image), "game": game, **deck, "cards": cards}
    write_json(options.json, report)
    for line in _lines(report["cards"]):
        sys.stdout.write(f"{line}\n")
    return 0


def _game_of(deck: str) -> str:
    from desk.machine.decks import open_deck

    return open_deck(deck, tells=False).game  # silent, because the deck is opened again later


def _karuta(image: Path, deck: str | None) -> list[dict[str, Any]]:
    from desk.karuta.eye.prior_knowledge import faces_of
    from vision.photo.torifuda_photo import read_photo

    faces = None if deck is None else faces_of(deck)
    return [_entry(card.card, card.confidence, card.corners_px) for card in read_photo(image, faces)]


def _hanafuda(image: Path, deck: str) -> list[dict[str, Any]]:
    from desk.machine.decks import open_deck
    from referee.cards.hanafuda import HANAFUDA
    from vision.photo.hanafuda_photo import read_hanafuda_photo

    enrolled = open_deck(deck)
    if enrolled.game != "hanafuda":
        raise DeskError(
            "--deck needs a deck of hanafuda, {deck} is one of {game}", deck=deck, game=enrolled.game
        )
    entries = []
    for card in read_hanafuda_photo(image, enrolled):
        index = None if card.card_id is None else HANAFUDA[card.card_id].index
        entries.append({**_entry(index, card.confidence, card.corners_px), "card_id": card.card_id})
    return entries


def _entry(card: int | None, confidence: float, corners_px: Any) -> dict[str, Any]:
    return {
        "card": card,
        "confidence": round(confidence, 4),
        "corners_px": [[round(float(x), 2), round(float(y), 2)] for x, y in corners_px],
    }


def _lines(cards: Sequence[Any]) -> list[str]:
    from referee.cards.hanafuda import HANAFUDA
    from referee.cards.poems import POEMS

    if not cards:
        return ["no card found: lay the cards flat, fill the picture with them and light them evenly"]
    lines = []
    for card in cards:
        middle = [round(sum(corner[axis] for corner in card["corners_px"]) / 4) for axis in (0, 1)]
        if card["card"] is None:
            name = "unknown"
        elif "card_id" in card:
            name = f"{card['card_id']} {HANAFUDA[card['card_id']].name_en}"
        else:
            name = f"{card['card']:3d} {POEMS[card['card']].torifuda}"
        lines.append(f"{name}  at ({middle[0]}, {middle[1]}), confidence {card['confidence']:.2f}")
    return lines
