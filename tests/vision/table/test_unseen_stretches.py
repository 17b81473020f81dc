"""When a card table was not seen: lost pictures, and a view that something blocks."""

import numpy as np

from vision.frames.frame import Frame
from vision.frames.light_meter import LightMeter
from vision.plane.table_plane import plane_of_corners
from vision.table.stillness import TableHoles, TableStillness, Unreadable

_MS = 1_000_000
PLANE = plane_of_corners([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)], (800.0, 560.0), (320, 180))


def holes_of(pictures: dict[int, np.ndarray], *, read_ms: int = 0) -> list[tuple[int, int]]:
    """Return in ms what was not seen of pictures at these instants in ms."""
    stillness, holes, found = TableStillness(), TableHoles(), []
    for t_ms, gray in pictures.items():
        stillness.feed(Frame(gray, t_ms * _MS, 0, 0))
        hole = holes.feed(t_ms * _MS, stillness, PLANE, 320)
        if hole is not None:
            found.append((hole[0] // _MS, hole[1] // _MS))
        if t_ms == read_ms:
            holes.remember(stillness.small)
    return found


def table(*, card_at: int | None = None, blocked: bool = False) -> np.ndarray:
    gray = np.full((180, 320), 90, np.uint8)
    gray[:90, :160] = 110
    if card_at is not None:
        gray[60:90, card_at : card_at + 20] = 230
    if blocked:
        gray[:, 40:] = 20
    return gray


def every(first_ms: int, last_ms: int, step_ms: int, gray: np.ndarray) -> dict[int, np.ndarray]:
    return dict.fromkeys(range(first_ms, last_ms, step_ms), gray)


def test_pictures_that_are_lost_while_nothing_changes_are_no_hole() -> None:
    assert holes_of(every(0, 1000, 40, table()) | every(3000, 4000, 40, table())) == []


def test_a_table_that_lies_otherwise_after_lost_pictures_was_not_seen() -> None:
    film = every(0, 1000, 40, table()) | every(3000, 4000, 40, table(card_at=100))
    assert holes_of(film) == [(960, 3000)]


def test_a_slow_film_has_no_holes() -> None:
    film = every(0, 3000, 200, table()) | every(3000, 4000, 200, table(card_at=100))
    assert holes_of(film) == []


def test_a_blocked_view_is_a_hole() -> None:
    moving = {t_ms: np.roll(table(blocked=True), t_ms // 40 % 5, 0) for t_ms in range(1000, 3000, 40)}
    film = every(0, 1000, 40, table()) | moving | every(3000, 4000, 40, table(card_at=100))
    assert holes_of(film) == [(960, 3000)]


def dazzled(pictures: dict[int, np.ndarray]) -> list[tuple[int, int]]:
    """Return in ms what nobody could read of pictures at these instants in ms."""
    meter, light, found = LightMeter(), Unreadable(), []
    for t_ms, gray in pictures.items():
        meter.feed(Frame(gray, t_ms * _MS, 0, 0))
        stretch = light.feed(t_ms * _MS, is_on=meter.is_unsteady)
        if stretch is not None:
            found.append((stretch[0] // _MS, stretch[1] // _MS))
    return found


def flickering(first_ms: int, last_ms: int) -> dict[int, np.ndarray]:
    return {t_ms: (table() * (0.6 + 0.4 * (t_ms // 40 % 2))).astype(np.uint8)
            for t_ms in range(first_ms, last_ms, 40)}  # fmt: skip


def test_steady_light_can_be_read_by_whatever_moves_in_it() -> None:
    film = every(0, 2000, 40, table()) | every(2000, 4000, 40, table(card_at=100))
    assert dazzled(film) == []


def test_light_that_flickers_is_told_as_it_begins_and_as_it_ends() -> None:
    film = every(0, 2000, 40, table()) | flickering(2000, 3000) | every(3000, 6000, 40, table())
    (last_ms, began_ms), (from_ms, ended_ms) = dazzled(film)
    assert (last_ms, began_ms, from_ms) == (1960, 2000, 2000)
    assert 3800 < ended_ms < 4200, "for a second the meter remembers it"


def test_a_film_that_begins_in_flickering_light_is_not_read_until_that_ends() -> None:
    (_, began_ms), (_, ended_ms) = dazzled(flickering(0, 2000) | every(2000, 5000, 40, table()))
    assert began_ms < 500
    assert ended_ms > 2000


def test_light_that_stays_unsteady_is_told_once() -> None:
    assert len(dazzled(every(0, 2000, 40, table()) | flickering(2000, 6000))) == 1
