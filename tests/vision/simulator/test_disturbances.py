"""What a hall does to whole pictures, and players who rearrange their cards."""

import numpy as np
import pytest

from vision.simulator.drawing.disturbances import Knock, Lamp, disturbed
from vision.simulator.hall.match import SimulatedMatch
from vision.simulator.play.episode import Timing, stage_episode
from vision.simulator.play.field_restoration import Room


def picture() -> np.ndarray:
    rows, columns = np.mgrid[:90, :160]
    return np.asarray(np.where((rows // 10 + columns // 10) % 2, 160, 80), np.uint8)


@pytest.mark.parametrize("disturbance", [Knock(2.0, (0.02, 0.01), 0.5), Lamp(2.0, 1.3, 0.1)])
def test_nothing_changes_before_its_time(disturbance: Knock | Lamp) -> None:
    assert np.array_equal(disturbance.apply(picture(), 1.99), picture())
    assert not np.array_equal(disturbance.apply(picture(), 2.4), picture())


def test_a_knocked_camera_comes_to_rest_where_it_was_pushed() -> None:
    knock = Knock(1.0, (0.0625, 0.0))
    assert np.array_equal(knock.apply(picture(), 3.0)[:, 10:], picture()[:, :-10])
    assert np.array_equal(knock.apply(picture(), 3.0), knock.apply(picture(), 4.0))


def test_a_lamp_lights_what_there_is() -> None:
    lit = Lamp(0.0, 1.25).apply(picture(), 1.0)
    assert set(np.unique(lit)) == {100, 200}


def test_everything_that_happened_adds_up() -> None:
    frames = [(0, picture()), (2_000_000_000, picture())]
    seen = [frame for _, frame in disturbed(iter(frames), [Lamp(1.0, 1.25), Lamp(1.5, 0.8)])]
    assert np.array_equal(seen[0], picture())
    assert np.array_equal(seen[1], picture())


@pytest.mark.parametrize("rearranged", [0, 2])
def test_players_put_some_of_their_cards_elsewhere(rearranged: int) -> None:
    layout = SimulatedMatch(5, cards_per_side=8).start
    dead = next(card for card in range(1, 101) if layout.find(card) is None)
    timing = Timing(0.0, 1.0, 0.5, rearranged=rearranged)
    rng = np.random.default_rng(3)
    episode = stage_episode("dead_none", dead, layout, timing, rng, room=Room(0.8, (0.6, 0.34)))
    moved = [
        placed
        for placed in layout
        if np.hypot(
            placed.x_m - episode.after.find(placed.card or 0).x_m,  # type: ignore[union-attr]
            placed.y_m - episode.after.find(placed.card or 0).y_m,  # type: ignore[union-attr]
        )
        > 0.02
    ]
    assert len(episode.after) == len(layout)
    assert len(moved) == 2 * rearranged
    assert {placed.card for placed in moved} == set(episode.tracks)
