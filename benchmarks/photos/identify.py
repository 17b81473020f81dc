"""Name the cards on photos of tables: how many are named, how many wrongly, how exactly, at what cost.

`uv run python -m benchmarks.photos.identify [--decks FOLDER ...] [--photos N] [--seed S] [--practice FOLDER]
[--foreign N] [--net FILE] [--json OUT]`:
N photos with each deck of 24 cards that lie apart in any rotation, seen at 0 to 40 degrees of slant on wood,
cloth, tatami and a floor that nothing is tuned on; every third with fans of covered cards as well; decks with
a dark border on a dark table. Then the settled instants of the practice recordings. Then N photos of each
deck, read with another deck enrolled (`foreign art`): the net that names these has learnt the decks it comes
with, so decks it never saw need a net trained without them (`tools/train_hanafuda.py --unseen`, `--net`).

The cost is CPU time of one thread after a first photo; chaff of one month counts as one card.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.command import read_options, table, write_json
from benchmarks.photos.laid_photos import (
    DECKS,
    LOOKS,
    PRACTICE,
    WHOLE,
    Photo,
    enrolled,
    has_dark_border,
    laid_photo,
    practice_photos,
)
from calibration.decks.deck import Deck
from referee.cards.hanafuda import HANAFUDA, by_index
from vision.hanafuda.identity import HanafudaReader
from vision.hanafuda.kinds import KindNet
from vision.photo.hanafuda_photo import find_hanafuda

_WITHIN_PX: Final = 8.0
"""A card seen no farther than this from a true one, on average over its corners, is that card."""
_LEAST_SEEN: Final = 0.2
_SUMMED: Final = (
    "whole",
    "whole_named",
    "covered",
    "covered_named",
    "wrong",
    "phantoms",
    "sure",
    "sure_right",
)
_SURE: Final = 0.9


def examined(photo: Photo, reader: HanafudaReader, kind: str | None = None) -> dict[str, Any]:
    """Name the cards of one photo and compare with its truth; `kind` groups it (default: the photo's)."""
    started_s = time.process_time()
    seen = find_hanafuda(photo.picture, reader)
    cpu_ms = (time.process_time() - started_s) * 1e3
    row: dict[str, Any] = dict.fromkeys(_SUMMED, 0)
    row.update(kind=kind or photo.kind, deck=photo.deck, cpu_ms=cpu_ms, off_px=[])
    free = list(photo.cards)
    row["whole"] = sum(card.visible > WHOLE for card in free)
    row["covered"] = sum(_LEAST_SEEN < card.visible <= WHOLE for card in free)
    for card in (each for each in seen if each.card_id is not None):
        off = [np.linalg.norm(_aligned(each.corners_px, card.corners_px), axis=1) for each in free]
        nearest = min(range(len(free)), key=lambda number: float(off[number].mean()), default=None)
        if nearest is None or off[nearest].mean() > _WITHIN_PX:
            row["phantoms"] += 1
            continue
        true = free.pop(nearest)
        row["sure"] += card.confidence >= _SURE
        wanted, face = by_index(true.card), HANAFUDA[str(card.card_id)]
        if (face.month, face.category) != (wanted.month, wanted.category):
            row["wrong"] += 1
            continue
        row["sure_right"] += card.confidence >= _SURE
        whole = true.visible > WHOLE
        row["whole_named" if whole else "covered_named"] += 1
        if whole:
            row["off_px"].append(float(off[nearest].max()))
    return row


def _aligned(true: Any, seen: Any) -> Any:
    """Return how far the corners are off, whichever end was taken for the upper one."""
    return min((seen - true, np.roll(seen, 2, axis=0) - true), key=lambda off: float(np.abs(off).sum()))


def _summary(kind: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    figures: dict[str, Any] = {"photos": kind, "number": len(rows)}
    figures.update({key: sum(row[key] for row in rows) for key in _SUMMED})
    off = [px for row in rows for px in row["off_px"]]
    cost = [row["cpu_ms"] for row in rows]
    figures.update(
        off_px=np.percentile(off or [0.0], [50, 99, 100]).round(1).tolist(),
        cpu_ms=np.percentile(cost, [50, 90]).round(1).tolist(),
    )
    return figures


def _examined_all(decks: Sequence[Deck], arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Examine all photos, those of one kind after the other."""
    readers = {deck.name: HanafudaReader(deck) for deck in decks}
    if arguments.net is not None:
        for reader in readers.values():
            reader.kinds = KindNet(arguments.net.read_bytes())
    examined(
        laid_photo(decks[0], arguments.seed, LOOKS[0]), readers[decks[0].name]
    )  # tables made on first use
    for number, deck in enumerate(decks):
        for photo in range(arguments.photos):
            seed, look = arguments.seed + 1000 * number + photo, LOOKS[(number + photo) % len(LOOKS)]
            yield examined(laid_photo(deck, seed, look, fans=photo % 3 == 2), readers[deck.name])
    for number, deck in enumerate(filter(has_dark_border, decks)):
        for photo in range(arguments.photos):
            seed = arguments.seed + 1000 * number + photo + 500
            yield examined(laid_photo(deck, seed, "wood", dark=True), readers[deck.name])
    filmed: dict[str, HanafudaReader] = {}
    for deck, instant in practice_photos(arguments.practice):
        yield examined(instant, filmed.setdefault(instant.deck, HanafudaReader(deck)))
    for number, deck in enumerate(decks):
        for photo in range(arguments.foreign):
            seed = arguments.seed + 1000 * number + photo + 700
            other = decks[(number + 1 + photo % (len(decks) - 1)) % len(decks)]
            laid = laid_photo(deck, seed, LOOKS[(number + photo) % len(LOOKS)])
            yield examined(laid, readers[other.name], f"foreign art: {deck.name}")


def main() -> int:
    """Examine all photos, print a line for each kind; 1 where a card of the deck was named wrongly."""
    arguments = read_options(__doc__, decks=[Path], photos=6, foreign=4, seed=0, practice=PRACTICE, net=Path)
    folders = arguments.decks or sorted(path for path in DECKS.glob("*") if path.is_dir())
    rows = list(_examined_all([enrolled(folder) for folder in folders], arguments))
    kinds = dict.fromkeys(row["kind"] for row in rows)
    summaries = [_summary(kind, [row for row in rows if row["kind"] == kind]) for kind in kinds]
    table(summaries)
    write_json(arguments.json, {"summary": summaries, "rows": rows})
    return int(any(summary["wrong"] for summary in summaries if not summary["photos"].startswith("foreign")))


if __name__ == "__main__":
    sys.exit(main())
