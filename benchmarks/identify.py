"""Name the cards on photos of tables: how many are named, how many wrongly, how exactly, at what cost.

`uv run python -m benchmarks.identify [--decks FOLDER ...] [--photos N] [--practice FOLDER] [--json OUT]`:
N photos with each deck of 24 cards that lie apart in any rotation, seen at 0 to 40 degrees of slant on wood,
cloth, tatami and a floor that nothing is tuned on; every third with fans of covered cards as well. Then the
settled instants of the practice recordings. The cost is CPU time of one thread after a first photo; chaff of
one month counts as one card.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.deck import Deck
from calibration.deck_enrolment import FailedEnrolment, enrol_folder
from referee.cards.hanafuda import HANAFUDA, by_index
from vision.hanafuda_identity import HanafudaReader
from vision.hanafuda_photo import find_hanafuda
from vision.simulator.camera import Camera
from vision.simulator.cardtable.card_set import CardSet
from vision.simulator.cardtable.looks import find_look
from vision.simulator.floors import floor_picture, light_picture
from vision.simulator.sprites import Canvas, stamp

PRACTICE: Final = Path("../shared/practice_koikoi")
DECKS: Final = Path("../shared/data/hanafuda_decks")
SIZE_PX: Final = (1280, 720)
_LOOKS: Final = ("wood", "cloth", "tatami", "holdout")
_WITHIN_PX: Final = 8.0
"""A card seen no farther than this from a true one, on average over its corners, is that card."""
_WHOLE: Final = 0.999
_FINE: Final = 2
_FANS: Final = 2
_SUMMED: Final = ("whole", "whole_named", "covered", "covered_named", "wrong", "phantoms")


@dataclass(frozen=True)
class TrueCard:
    """A card that lies open: its number, its corners in the photo (px) and the share that is seen, 0..1."""

    card: int
    corners_px: Any
    visible: float


@dataclass(frozen=True)
class Photo:
    """A photo with its truth; `kind` groups it in the table of figures."""

    kind: str
    deck: str
    picture: Any
    cards: tuple[TrueCard, ...]


def laid_photo(deck: Deck, seed: int, look: str, *, fans: bool) -> Photo:
    """Return a photo of 24 whole cards, with `fans` of 18 of them and two fans of three."""
    dice = np.random.default_rng(seed)
    hall = find_look(look).hall
    camera = Camera(
        *SIZE_PX,
        across_m=float(dice.uniform(0.72, 0.8)),
        height_m=1.1,
        tilt_rad=float(np.radians(dice.uniform(0, 40))),
        roll_rad=float(np.radians(dice.uniform(-8, 8))),
    )
    table = floor_picture(hall, camera, dice)
    cards = CardSet.of_hanafuda(deck, (34, 30, 32))
    order = [int(card) for card in dice.permutation(48)]
    # places for six by four cards; a fan takes three of them
    places = [(x, y) for y in range(4) for x in range(6)]
    taken = places[-6:] if fans else []
    lying: list[tuple[int, Any]] = []
    for x, y in (place for place in places if place not in taken):
        at = np.array([(x - 2.5) * 78, (y - 1.5) * 74]) + dice.uniform(-4, 4, 2)
        lying.append((order.pop(), np.array([*at, dice.uniform(0, 2 * np.pi)])))
    for fan in range(_FANS if fans else 0):
        start, turn = np.array([-150.0 + 230 * fan, 111]), dice.normal(0, 0.2)
        step = dice.uniform(13, 17) * np.array([np.cos(turn), np.sin(turn)])
        lying += [(order.pop(), np.array([*(start + step * i), turn])) for i in range(3)]
    tint, fine = 1 + dice.normal(0, 0.03, 3), camera.px_per_m * _FINE / 1000
    canvas, half = Canvas(table), np.array([cards.width_mm, cards.height_mm]) / 2
    outlines = []
    for card, (x, y, turn) in lying:
        sprite = cards.sprite(card, fine, 0.5 * _FINE, tint)
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        turned = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners = camera.to_image(np.column_stack([(turned + np.array([x, y])) / 1000, np.zeros(4)]))
        source = square * fine + sprite.origin_px
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), corners.astype(np.float32))
        stamp(canvas, sprite, np.asarray(matrix), fine=_FINE)
        outlines.append((card, corners))
    light = light_picture(hall, camera)[..., None] * dice.uniform(0.6, 1.05)
    noisy = table * light + dice.normal(0, dice.uniform(1, 3), table.shape)
    _, jpeg = cv2.imencode(
        ".jpg",
        np.clip(noisy, 0, 255).astype(np.uint8),
        [cv2.IMWRITE_JPEG_QUALITY, int(dice.integers(80, 96))],
    )
    picture = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    return Photo("laid, fans" if fans else "laid, 24 apart", deck.name, picture, _with_shares(outlines))


def _with_shares(outlines: Sequence[tuple[int, Any]]) -> tuple[TrueCard, ...]:
    """Add what share of each card those laid after it leave to see; a card cut by the edge is not whole."""
    owner = np.full((SIZE_PX[1] + 400, SIZE_PX[0] + 400), -1, np.int16)
    areas = []
    for number, (_, corners) in enumerate(outlines):
        own = np.zeros(owner.shape, np.uint8)
        cv2.fillConvexPoly(own, np.rint(corners + 200).astype(np.int32), 1)
        areas.append(int(own.sum()))
        owner[own > 0] = number
    inside = owner[202 : 198 + SIZE_PX[1], 202 : 198 + SIZE_PX[0]]
    return tuple(
        TrueCard(card, corners, float((inside == number).sum()) / areas[number])
        for number, (card, corners) in enumerate(outlines)
    )


def practice_photos(folder: Path) -> Iterator[tuple[Deck, Photo]]:
    """Yield the instants of the recordings whose open cards are known."""
    for recording in sorted(folder.glob("round-*")):
        deck = _enrolled(recording / "deck")
        video = cv2.VideoCapture(str(recording / "video.mkv"))
        for seen in json.loads((recording / "truth.json").read_text("utf-8"))["visible"]:
            video.set(cv2.CAP_PROP_POS_MSEC, seen["t_ms"])
            cards = (TrueCard(c["card"], np.array(c["corners_px"]), c["visible"]) for c in seen["cards"])
            yield deck, Photo("practice", recording.name, video.read()[1], tuple(cards))


def examined(photo: Photo, reader: HanafudaReader) -> dict[str, Any]:
    """Name the cards of one photo and compare with its truth."""
    started_s = time.process_time()
    seen = find_hanafuda(photo.picture, reader)
    cpu_ms = (time.process_time() - started_s) * 1e3
    row: dict[str, Any] = dict.fromkeys(_SUMMED, 0)
    row.update(kind=photo.kind, deck=photo.deck, cpu_ms=cpu_ms, off_px=[])
    free = list(photo.cards)
    row["whole"] = sum(card.visible > _WHOLE - 0.01 for card in free)
    row["covered"] = sum(0.2 < card.visible <= _WHOLE - 0.01 for card in free)
    for card in (each for each in seen if each.card_id is not None):
        off = [np.linalg.norm(_aligned(each.corners_px, card.corners_px), axis=1) for each in free]
        nearest = min(range(len(free)), key=lambda number: float(off[number].mean()), default=None)
        if nearest is None or off[nearest].mean() > _WITHIN_PX:
            row["phantoms"] += 1
            continue
        true = free.pop(nearest)
        wanted, face = by_index(true.card), HANAFUDA[str(card.card_id)]
        if (face.month, face.category) != (wanted.month, wanted.category):
            row["wrong"] += 1
            continue
        whole = true.visible > _WHOLE - 0.01
        row["whole_named" if whole else "covered_named"] += 1
        if whole:
            row["off_px"].append(float(off[nearest].max()))
    return row


def _aligned(true: Any, seen: Any) -> Any:
    """Return how far the corners are off, whichever end was taken for the upper one."""
    return min((seen - true, np.roll(seen, 2, axis=0) - true), key=lambda off: float(np.abs(off).sum()))


def _enrolled(folder: Path) -> Deck:
    deck = enrol_folder(folder, "hanafuda", folder.name)
    if isinstance(deck, FailedEnrolment):
        raise SystemExit(f"{folder}: {'; '.join(deck.problems)}")
    return deck


def _summary(kind: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    figures: dict[str, Any] = {"photos": kind, "number": len(rows)}
    figures.update({key: sum(row[key] for row in rows) for key in _SUMMED})
    off = [px for row in rows for px in row["off_px"]]
    cost = [row["cpu_ms"] for row in rows]
    figures.update(
        off_p50_px=float(np.median(off)) if off else 0.0,
        off_p99_px=float(np.percentile(off, 99)) if off else 0.0,
        off_max_px=max(off, default=0.0),
        cpu_p50_ms=float(np.median(cost)),
        cpu_p90_ms=float(np.percentile(cost, 90)),
    )
    return figures


def main() -> int:
    """Examine all photos, print a line for each kind of them; 1 where a card was named wrongly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=Path, nargs="+", help=f"decks to lay (default: those in {DECKS})")
    parser.add_argument("--photos", type=int, default=6, metavar="N", help="photos of each deck")
    parser.add_argument("--seed", type=int, default=0, help="first seed of the laid photos")
    parser.add_argument("--practice", type=Path, default=PRACTICE, help="folder of recordings")
    parser.add_argument("--json", type=Path, help="write every figure to this file")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rows: list[dict[str, Any]] = []
    decks = arguments.decks or sorted(path for path in DECKS.glob("*") if path.is_dir())
    for number, deck in enumerate(map(_enrolled, decks)):
        reader = HanafudaReader(deck)
        for photo in range(arguments.photos):
            seed = arguments.seed + 1000 * number + photo
            laid = laid_photo(deck, seed, _LOOKS[(number + photo) % len(_LOOKS)], fans=photo % 3 == 2)
            if not rows:
                examined(laid, reader)  # tables made on first use
            rows.append(examined(laid, reader))
    readers: dict[str, HanafudaReader] = {}
    for deck, photo_ in practice_photos(arguments.practice):
        rows.append(examined(photo_, readers.setdefault(photo_.deck, HanafudaReader(deck))))
    summaries = [_summary(kind, [r for r in rows if r["kind"] == kind]) for kind in _kinds(rows)]
    for summary in summaries:
        values = (f"{v:.1f}" if isinstance(v, float) else str(v) for v in summary.values())
        sys.stdout.write(", ".join(f"{k} {v}" for k, v in zip(summary, values, strict=True)) + "\n")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps({"summary": summaries, "rows": rows}, indent=1), "utf-8")
    return int(any(summary["wrong"] for summary in summaries))


def _kinds(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(row["kind"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
