"""Photos of hanafuda on tables, with the truth: laid by the simulator, or taken from practice recordings."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.decks.deck import Deck
from calibration.decks.enrolment import FailedEnrolment, enrol_folder
from vision.simulator.cardtable.looks import LOOKS as ROOMS
from vision.simulator.cardtable.surface import CardSet
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.floors import floor_picture, light_picture
from vision.simulator.drawing.sprites import Canvas, stamp

PRACTICE: Final = Path("../shared/practice_koikoi")
DECKS: Final = Path("../shared/data/hanafuda_decks")
SIZE_PX: Final = (1280, 720)
LOOKS: Final = ("wood", "cloth", "tatami", "holdout")
WHOLE: Final = 0.99  # a card of which at least this share is seen counts as whole
DIM: Final = 0.35  # a dark table is the usual one with so much of its brightness
DARK_BORDER: Final = 90.0  # gray value below which a deck's border is dark
_FINE: Final = 2
_FANS: Final = 2


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


def laid_photo(deck: Deck, seed: int, look: str, *, fans: bool = False, dark: bool = False) -> Photo:
    """Return a photo of 24 whole cards, with `fans` of 18 and two fans of three; `dark`: on a dark table."""
    dice = np.random.default_rng(seed)
    hall = ROOMS[look].hall
    camera = Camera(
        *SIZE_PX,
        across_m=float(dice.uniform(0.72, 0.8)),
        height_m=1.1,
        tilt_rad=float(np.radians(dice.uniform(0, 40))),
        roll_rad=float(np.radians(dice.uniform(-8, 8))),
    )
    table = floor_picture(hall, camera, dice)
    if dark:
        table = np.asarray(table * DIM, np.uint8)
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
    kind = "fans" if fans else "dark border on dark table" if dark else "24 apart"
    return Photo(kind, deck.name, picture, _with_shares(outlines))


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
        deck = enrolled(recording / "deck")
        video = cv2.VideoCapture(str(recording / "video.mkv"))
        for seen in json.loads((recording / "truth.json").read_text("utf-8"))["visible"]:
            video.set(cv2.CAP_PROP_POS_MSEC, seen["t_ms"])
            cards = (TrueCard(c["card"], np.array(c["corners_px"]), c["visible"]) for c in seen["cards"])
            yield deck, Photo("practice", recording.name, video.read()[1], tuple(cards))


def has_dark_border(deck: Deck) -> bool:
    """Tell whether the outermost millimetre of most cards is dark."""
    rims = [
        np.concatenate([picture[:6].reshape(-1, 3), picture[-6:].reshape(-1, 3)])
        for picture in deck.pictures.values()
    ]
    return float(np.median([rim.mean() for rim in rims])) < DARK_BORDER


def enrolled(folder: Path) -> Deck:
    """Return the deck of a folder of card pictures; SystemExit where it is none."""
    deck = enrol_folder(folder, "hanafuda", folder.name)
    if isinstance(deck, FailedEnrolment):
        raise SystemExit(f"{folder}: {'; '.join(deck.problems)}")
    return deck
