"""Things that are no cards lie about on a simulated table, and the eye takes none of them for one."""

import cv2
import numpy as np
import pytest

from referee.cards.hanafuda import HANAFUDA
from tests.slow_case import slow_case
from vision.hanafuda.gallery import CardGallery
from vision.plane.table_plane import find_markers, register
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.clutter import CLUTTER, move_clutter
from vision.simulator.cardtable.recording import film_koikoi
from vision.simulator.cardtable.script import Pose
from vision.table.memory import TableMemory

DECK = drawn_deck()
GALLERY = CardGallery.of(DECK)


@pytest.mark.parametrize("cloth", [slow_case((30, 22, 96)), (30, 28, 27)], ids=["dark red", "black"])
def test_no_thing_is_read_as_a_card(cloth: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(3)
    things = [make(rng) for make in CLUTTER.values()]
    film = film_koikoi(DECK, seed=3, look="cloth", cloth=cloth, longest=1, clutter=things)
    # around the middle, where no card lies yet
    for number, thing in enumerate(things):
        move_clutter(film.filmed.script, thing, 0.0, Pose(130 + 110 * number, 90 + 380 * (number % 2), 0.1))
    picture = film.film.draw(0.01)
    plane = register(find_markers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.uint8)), (800, 560))
    assert plane is not None
    read = TableMemory(GALLERY).read(plane.from_above(picture))
    names = [None if card.card is None else HANAFUDA[GALLERY.ids[card.card]].index for card in read]
    assert sorted(names, key=str) == sorted(film.rounds[0].dealt, key=str)


def test_a_thing_is_brought_moved_and_taken_away_by_a_hand() -> None:
    thing = CLUTTER["box"](np.random.default_rng(0))
    film = film_koikoi(DECK, seed=3, cloth=(50, 92, 30), longest=1, clutter=[thing])
    script = film.filmed.script
    for t_s, to in ((1.0, Pose(200, 200)), (4.0, Pose(300, 200)), (7.0, None)):
        move_clutter(script, thing, t_s, to)
    assert not thing.track.is_there(0.9)
    assert thing.track.at(3.0)[:2].tolist() == [200, 200]
    assert thing.track.at(6.0)[:2].tolist() == [300, 200]
    assert not thing.track.is_there(9.0)
    assert len(film.film.arms_at(1.65)) > len(film.film.arms_at(0.5))
