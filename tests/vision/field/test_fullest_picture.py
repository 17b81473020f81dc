"""A field under moving hands is read from the pictures in which most of it is visible."""

import cv2
import numpy as np
import pytest

from referee.facts import Gap, PoemStarted
from vision.frames.frame import Frame, Gray
from vision.match.known_field import fullest
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen
from vision.simulator import single_poem

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


@pytest.mark.parametrize(("put_ms", "missing"), [(0, 0), (900, 0), (5000, 1)])
def test_the_latest_of_equally_full_pictures_is_taken(scene: Scene, put_ms: int, missing: int) -> None:
    frames = [scene.frame(t_ms, put_ms) for t_ms in range(0, 1500, STEP_MS)]
    assert fullest(frames) == (len(frames) - 1, scene.cards - missing)


def test_a_picture_from_before_a_hand_came_shows_more(scene: Scene) -> None:
    frames = [scene.frame(t_ms, 0, scene.middle if t_ms > 900 else None) for t_ms in range(0, 1500, STEP_MS)]
    number, cards = fullest(frames)
    assert cards == scene.cards
    assert 700 * MS < frames[number].t_ns <= 900 * MS


def test_nothing_is_named_where_no_field_is_seen(scene: Scene) -> None:
    bare = Frame(np.full_like(scene.picture, 120), 0, 1, 0)
    assert fullest([bare]) == (0, -1)
    with pytest.raises(ValueError, match="at least one frame"):
        fullest([])
