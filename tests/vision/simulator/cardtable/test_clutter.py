"""Things that are no cards lie about on a simulated table, and the eye takes none of them for one."""

import cv2
import numpy as np
import pytest

from referee.cards.hanafuda import HANAFUDA
from tests.slow_case import slow_case
from vision.hanafuda.gallery import CardGallery
from vision.plane.table_plane import find_markers, register
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import KoiKoiFilm, film_koikoi
from vision.table.memory import TableMemory

DECK = drawn_deck()
GALLERY = CardGallery.of(DECK)
PX_PER_MM = 5


def sheet(width_mm: int, height_mm: int, colour: tuple[int, int, int]) -> np.ndarray:
    return np.full((height_mm * PX_PER_MM, width_mm * PX_PER_MM, 3), colour, np.uint8)


def things() -> list[np.ndarray]:
    """Draw the black box of a deck and the wrapper of another, both as large as a card, a phone, a coaster
    with the ring of a cup, a cup of tea, and a ruled sheet with figures.
    """
    box, wrapper, phone, coaster, cup, score = (
        sheet(36, 56, (22, 20, 22)), sheet(38, 58, (50, 44, 190)), sheet(72, 148, (16, 15, 14)),
        sheet(88, 88, (96, 140, 178)), sheet(74, 74, (225, 228, 230)), sheet(70, 100, (232, 236, 238)),
    )  # fmt: skip
    cv2.rectangle(box, (8, 8), (171, 271), (34, 30, 32), 2)
    cv2.rectangle(wrapper, (30, 40), (159, 150), (225, 230, 232), cv2.FILLED)
    cv2.putText(wrapper, "No.1", (44, 110), 0, 1.3, (30, 28, 30), 4)
    phone[18:-18, 14:-14] += np.linspace(0, 40, phone.shape[0] - 36).astype(np.uint8)[:, None, None]
    cv2.circle(coaster, (220, 220), 150, (60, 96, 130), 6)
    cv2.circle(cup, (185, 185), 150, (70, 120, 110), cv2.FILLED)
    cv2.ellipse(cup, (145, 135), (50, 20), -40, 0, 360, (170, 200, 195), cv2.FILLED)
    for row in range(40, score.shape[0], 40):
        cv2.line(score, (15, row), (334, row), (150, 150, 150), 2)
        cv2.putText(score, f"{row % 60}  {row % 37}", (30, row - 6), 0, 1.0, (60, 40, 40), 3)
    cv2.line(score, (120, 10), (120, 489), (90, 90, 200), 2)
    return [box, wrapper, phone, coaster, cup, score]


def lay(film: KoiKoiFilm, picture: np.ndarray, thing: np.ndarray, x_mm: float, y_mm: float) -> None:
    """Draw a thing around a place of the table, turned a little, into a picture of the film."""
    height, width = thing.shape[:2]
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turned = (ends - [width / 2, height / 2]) @ np.array([[0.995, 0.1], [-0.1, 0.995]]) / PX_PER_MM
    on_table = film.film.surface.to_metres(np.add(turned, (x_mm, y_mm)))
    seen = film.film.camera.to_image(np.column_stack([on_table, np.zeros(4)])).astype(np.float32)
    warp, size = cv2.getPerspectiveTransform(ends, seen), picture.shape[1::-1]
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), warp, size)
    laid = cv2.warpPerspective(thing, warp, size, flags=cv2.INTER_AREA)
    picture[mask > 127] = cv2.GaussianBlur(laid, (0, 0), 0.7)[mask > 127]


@pytest.mark.parametrize("cloth", [slow_case((30, 22, 96)), (30, 28, 27)], ids=["dark red", "black"])
def test_no_thing_is_read_as_a_card(cloth: tuple[int, int, int]) -> None:
    film = film_koikoi(DECK, seed=3, look="cloth", cloth=cloth, longest=1)
    picture = film.film.draw(0.01).copy()
    # around the middle, where no card lies yet
    for number, thing in enumerate(things()):
        lay(film, picture, thing, 130 + 110 * number, 90 + 380 * (number % 2))
    plane = register(find_markers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.uint8)), (800, 560))
    assert plane is not None
    read = TableMemory(GALLERY).read(plane.from_above(picture))
    names = [None if card.card is None else HANAFUDA[GALLERY.ids[card.card]].index for card in read]
    assert sorted(names, key=str) == sorted(film.rounds[0].dealt, key=str)
