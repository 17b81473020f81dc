"""Continuity: names and hidden cards survive a bad reading unless the picture contradicts them."""

import cv2
import numpy as np
import pytest

from calibration.field.geometry import FieldGeometry
from referee.facts import Gap, PoemStarted
from referee.layout import Layout, PlacedCard
from referee.sides import Side
from vision.field.layout_reader import LayoutReading
from vision.frames.frame import Frame, Gray
from vision.match.known_field import carried_over, without_taken
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen
from vision.simulator import single_poem

GEOMETRY = FieldGeometry(1280, 720, 0.0, np.eye(3), 0.0002)


def reading(*cards: PlacedCard) -> LayoutReading:
    corners = tuple(np.full((4, 2), number, float) for number in range(len(cards)))
    return LayoutReading(Layout(cards), GEOMETRY, corners, (0.9,) * len(cards))


def placed(card: int | None, x_m: float) -> PlacedCard:
    return PlacedCard(card, Side.NEAR, 0, x_m, 0.05)


def test_overlooked_card_whose_face_is_still_seen_stays() -> None:
    before, now = reading(placed(17, 0.1), placed(18, 0.2)), reading(placed(18, 0.2))
    result = carried_over(before, now, [True, True])
    assert sorted(card.card or 0 for card in result.layout) == [17, 18]
    assert len(result.corners_px) == len(result.confidences) == 2


@pytest.mark.parametrize(
    ("before", "now", "stayed"),
    [
        (placed(17, 0.1), placed(None, 0.103), False),
        (placed(17, 0.1), placed(None, 0.15), True),
        (placed(None, 0.1), placed(None, 0.1), True),
    ],
    ids=["its face is no longer there", "another place", "it never had a name"],
)
def test_name_is_not_given_away(before: PlacedCard, now: PlacedCard, *, stayed: bool) -> None:
    result = carried_over(reading(before), reading(now), [stayed])
    assert now in result.layout.cards


def test_name_that_a_person_gave_holds_against_the_face() -> None:
    result = carried_over(reading(placed(71, 0.1)), reading(placed(17, 0.101)), [True], given={71})
    assert [card.card for card in result.layout] == [71]


def test_nothing_is_kept_where_the_camera_was_knocked() -> None:
    others = [placed(number, 0.06 * number) for number in range(1, 7)]
    moved = [placed(number, 0.06 * number + 0.01) for number in range(1, 7)]
    before, now = reading(placed(17, -0.2), *others), reading(*moved)
    in_place = [True, False, False, True, False, False, False]
    assert {card.card for card in carried_over(before, now, in_place).layout} == set(range(1, 7))
    assert {card.card for card in carried_over(before, now, [True] * 7).layout} == {17, *range(1, 7)}


def test_name_that_a_person_gave_outlives_a_knock() -> None:
    others = [placed(number, 0.06 * number) for number in range(1, 7)]
    before = reading(placed(71, -0.2), placed(72, -0.3), *others)
    moved = [placed(number, 0.06 * number + 0.012) for number in range(1, 7)]
    now = reading(placed(None, -0.189), placed(17, -0.287), *moved)
    found = carried_over(before, now, [False] * 8, given={71})
    assert [card.card for card in found.layout][:2] == [71, 17], "what the eye itself had read is read anew"


def test_a_taken_card_beside_the_field_is_out_of_play() -> None:
    now = reading(placed(17, 0.1), placed(18, 0.47), placed(19, -0.47), placed(20, 0.2))
    result = without_taken(now, {18, 20})  # 19 was never read, and 20 lies in the field
    assert [card.card for card in result.layout] == [17, 19, 20]
    assert [float(corners[0, 0]) for corners in result.corners_px] == [0.0, 2.0, 3.0]
    assert without_taken(now, {17}) is now


MS, STEP_MS = 1_000_000, 33
POEM_MS = 1400


class Scene:
    """A field at rest, of which one card is put down late, while a hand moves about beside the cards."""

    def __init__(self) -> None:
        film = single_poem("dead_none", 3, fps=30, size=(1280, 720), cards_per_side=5)
        self.picture: Gray = next(iter(film)).gray.copy()
        self.poem, self.cards = film.truth["poems"][0]["poem"], len(film.truth["layout"])
        corners = np.array(next(iter(film.truth["meta"]["corners_px"].values())))
        low, high = corners.min(axis=0).astype(int) - 4, corners.max(axis=0).astype(int) + 4
        self.card = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
        self.middle = int(low[0] + high[0]) // 2, int(low[1] + high[1]) // 2

    def without_card(self) -> Gray:
        """Return the field with bare floor, taken from its middle, where a card will lie."""
        picture = self.picture.copy()
        tall, wide = picture[self.card].shape
        picture[self.card] = self.picture[330 : 330 + tall, 600 : 600 + wide]
        return picture

    def frame(self, t_ms: int, put_ms: int, hand: tuple[int, int] | None = None) -> Frame:
        """Return a picture: the card lies from `put_ms` on, and a hand covers what is around a point."""
        picture = self.picture.copy() if t_ms >= put_ms else self.without_card()
        if hand is not None:
            cv2.circle(picture, hand, 40, 40, -1)
        return Frame(picture, t_ms * MS, 1_000_000, t_ms // STEP_MS)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene()


@pytest.mark.parametrize("covers_ms", [5000, 1150], ids=["beside the cards", "at last over that card"])
def test_a_card_put_down_after_the_last_rest_lies_in_the_poems_layout(scene: Scene, covers_ms: int) -> None:
    watcher = MatchWatcher(report_tidying=False)
    events = []
    for t_ms in range(0, 2600, STEP_MS):
        if t_ms - STEP_MS < POEM_MS <= t_ms:
            events += watcher.poem_started(PoemStarted(scene.poem, POEM_MS * MS, MS))
        x, y = (600, 360) if t_ms < covers_ms else scene.middle
        hand = (x - 5 + t_ms // 10 % 10, y) if 400 < t_ms < 1700 else None  # it never rests
        events += watcher.feed(scene.frame(t_ms, 700, hand))
    (seen,) = (event for event in [*events, *watcher.close()] if isinstance(event, PoemSeen))
    assert len(seen.before.layout) == scene.cards
    assert not any(isinstance(fact, Gap) for fact in seen.facts)
    assert not seen.facts
