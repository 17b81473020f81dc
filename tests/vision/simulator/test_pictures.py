"""The simulator's pictures: what they show, when they show it, and that they can be had again."""

from typing import Any

import cv2
import numpy as np
import pytest

from referee.cards.poems import POEMS
from vision.frames.frame import Frame
from vision.simulator import STYLES, SimulatedMatch, single_poem
from vision.simulator.hall.table import text_ink
from vision.simulator.play.field import corners_m, lying_pose


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
