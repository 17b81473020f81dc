"""The simulator's pictures: what they show, when they show it, and that they can be had again."""

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards.poems import POEMS
from vision.frames.frame import Frame
from vision.simulator import STYLES, SimulatedMatch, single_poem
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.sensor import Shutter
from vision.simulator.hall.renderer import People, Renderer
from vision.simulator.hall.scene import Scene
from vision.simulator.hall.table import text_ink
from vision.simulator.play.boxes import corners_m, lying_pose

SMALL = (640, 360)


def first_frames(match: SimulatedMatch, count: int) -> list[Frame]:
    return [frame for frame, _ in zip(match, range(count), strict=False)]


def test_the_same_seed_gives_the_same_frames_and_truth() -> None:
    def render() -> tuple[Any, list[tuple[int, bytes]]]:
        clip = single_poem("harai", 21, 30, (320, 180), style="hall", cards_per_side=10)
        return clip.truth, [(frame.t_ns, frame.gray.tobytes()) for frame in clip]

    assert render() == render()


@pytest.mark.parametrize("style", [*STYLES])
def test_every_style_shows_readable_cards(style: str) -> None:
    match = SimulatedMatch(8, 30, (1280, 720), style, 12)
    frame = first_frames(match, 1)[0]
    assert frame.gray.shape == (720, 1280)
    assert frame.gray.dtype == np.uint8
    for placed in match.start:
        corners = match.camera.to_image(np.column_stack([corners_m(lying_pose(placed)), np.zeros(4)]))
        upright = np.array([[0, 0], [104, 0], [104, 146], [0, 146]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), upright)
        card = cv2.warpPerspective(frame.gray, matrix, (104, 146))
        assert placed.card is not None
        ink = text_ink(POEMS[placed.card].torifuda_columns, STYLES[style].typeface)
        expected = -cv2.GaussianBlur(cv2.resize(ink, (104, 146), interpolation=cv2.INTER_AREA), (0, 0), 1.5)
        inner = np.s_[8:-8, 8:-8]
        assert np.corrcoef(card[inner].ravel(), expected[inner].ravel())[0, 1] > 0.9


@pytest.mark.parametrize("scenario", ["press", "opp", "pushout"])
def test_a_card_looks_as_before_until_it_is_touched_or_pushed(
    scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without players in the picture a card's pixels change only after its motion has begun."""
    monkeypatch.setattr(People, "stamp_arm", lambda *_: None)
    monkeypatch.setattr(People, "stamp_head", lambda *_: None)
    monkeypatch.setattr(People, "shade", lambda self, *_: np.full((720, 1280), 255, np.uint8))
    match = single_poem(scenario, 4, 240, cards_per_side=10)
    episode = next(match.episodes())
    shutter = Shutter(0.001, 0.0)
    renderer = Renderer(STYLES["tatami"], match.camera, shutter, np.random.default_rng(1))
    renderer.lay(match.start)
    scene = Scene(episode)
    touches = {touch["card"]: touch["t_ms"] / 1000 for touch in reversed(episode.truth["touches"])}
    others = {place.card: lying_pose(place) for place in match.start if place.card not in episode.tracks}
    before = renderer.draw(scene, 0.5).copy()
    first = min(touches.values())
    patches = {}
    for placed in match.start:
        at = match.camera.to_image(np.array([[placed.x_m, placed.y_m, 0.0]]))[0].astype(int)
        patches[placed.card] = np.s_[at[1] - 22 : at[1] + 22, at[0] - 14 : at[0] + 14]
    assert np.array_equal(renderer.draw(scene, first - 0.0006), before)
    after = renderer.draw(scene, first + 0.03)
    for card in (card for card, t_s in touches.items() if t_s == first):
        moved_m = np.hypot(*(scene.card_pose(card, first + 0.03) - scene.card_pose(card, 0.5))[:2])
        changed = np.abs(after[patches[card]].astype(int) - before[patches[card]]).max()
        assert changed > 4 or moved_m < 1e-4
    moved_to = [scene.card_pose(card, first + 0.03)[:2] for card in episode.tracks]
    for card in {placed.card for placed in match.start} - set(episode.tracks):
        is_clear = all(np.hypot(*(place - others[card][:2])) > 0.1 for place in moved_to)
        assert not is_clear or np.array_equal(after[patches[card]], before[patches[card]])


def test_the_restored_table_shows_the_layout_and_nothing_else() -> None:
    """After poems full of flying, fetched and sent cards the cached table equals a freshly laid one."""
    match = SimulatedMatch(5, 10, SMALL, cards_per_side=5)
    played, fresh = (
        Renderer(STYLES["tatami"], match.camera, Shutter(0.002, 0.0), np.random.default_rng(1)) for _ in "ab"
    )
    played.lay(match.start)
    for episode in match.episodes():
        scene = Scene(episode)
        fresh.lay(episode.before)
        shown, expected = played.draw(scene, episode.start_s), fresh.draw(scene, episode.start_s)
        # Where neighbours' edges meet it matters a little which card was laid first.
        assert (np.abs(shown.astype(int) - expected) > 24).mean() < 1e-4
        for t_s in np.arange(episode.start_s, episode.end_s, 0.25):
            played.draw(scene, float(t_s))
        if episode.gone is not None:
            played.remove(episode.gone)


def test_blur_is_spread_over_the_exposure() -> None:
    """A row's shares add up to one, and with a rolling shutter later rows see later light."""
    shutter = Shutter(0.004, 0.012)
    times = 1.0 + np.linspace(-1, 1, 9) * shutter.reach_s
    weights = shutter.row_weights(times, 1.0, np.arange(720.0), 720)
    assert np.allclose(weights.sum(axis=0), 1)
    middles = times @ weights
    assert np.all(np.diff(middles) > -1e-9)
    assert middles[359] == pytest.approx(1.0, abs=1e-3)
    assert middles[-1] - middles[0] == pytest.approx(0.012, rel=0.15)


def test_a_webcam_hands_out_its_own_bytes() -> None:
    frame = first_frames(SimulatedMatch(3, 30, SMALL, jpeg_quality=80), 1)[0]
    assert frame.jpeg is not None
    packed = np.frombuffer(frame.jpeg, np.uint8)
    gray, colour = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), cv2.imdecode(packed, cv2.IMREAD_COLOR)
    assert gray is not None
    assert colour is not None
    assert np.array_equal(gray, frame.gray)
    assert np.ptp(colour, axis=2).mean() > 8


@given(
    st.floats(-0.6, 0.6),
    st.floats(-0.3, 0.3),
    st.floats(-0.06, 0.02),
    st.floats(0, 0.1),
    st.floats(-0.05, 0.05),
)
def test_the_floor_is_found_again_from_the_picture(
    x_m: float, y_m: float, k1: float, tilt_rad: float, roll_rad: float
) -> None:
    camera = Camera(1280, 720, 1.2, 1.6, tilt_rad, roll_rad, (0.01, -0.02), k1)
    seen = camera.to_image(np.array([[x_m, y_m, 0.0]]))
    assert camera.to_floor(seen)[0] == pytest.approx([x_m, y_m], abs=1e-5)
