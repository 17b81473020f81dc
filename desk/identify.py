"""`shinpan identify IMAGE`: names the cards on a photo, wherever they lie and however it was taken."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from desk.errors import DeskError

GAMES = ("karuta",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments on its own parser."""
    parser.add_argument(
        "image", type=Path, metavar="IMAGE", help="photo of cards on a table (JPEG, PNG, ...)"
    )
    parser.add_argument("--game", choices=GAMES, default="karuta", help="what kind of cards to look for")
    parser.add_argument(
        "--json", type=Path, metavar="OUT", help="also write the cards with their corners to this file"
    )


def run(options: argparse.Namespace) -> int:
    """Name the cards on the photo, print them, and write them where asked.

    Returns
    -------
    exit code: 0, even with no card on the photo.

    Raises
    ------
    DeskError
        Where the photo cannot be read or the answer cannot be written.
    """
    from vision.photo import read_photo

    try:
        found = read_photo(options.image)
    except (OSError, ValueError) as error:
        raise DeskError(str(error)) from error
    report = {
        "image": str(options.image),
        "game": options.game,
        "cards": [
            {
                "card": card.card,
                "confidence": round(card.confidence, 4),
                "corners_px": [[round(float(x), 2), round(float(y), 2)] for x, y in card.corners_px],
            }
            for card in found
        ],
    }
    if options.json is not None:
        try:
            options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise DeskError(f"cannot write {options.json}: {error.strerror}") from error
    for line in _lines(report["cards"]):
        print(line)  # noqa: T201
    return 0


def _lines(cards: Sequence[Any]) -> list[str]:
    from referee.cards.poems import POEMS

    if not cards:
        return ["no card found: lay the cards flat, fill the picture with them and light them evenly"]
    lines = []
    for card in cards:
        middle = [round(sum(corner[axis] for corner in card["corners_px"]) / 4) for axis in (0, 1)]
        name = "unknown" if card["card"] is None else f"{card['card']:3d} {POEMS[card['card']].torifuda}"
        lines.append(f"{name}  at ({middle[0]}, {middle[1]}), confidence {card['confidence']:.2f}")
    return lines
