"""Glances: what rests is told from what comes in, by an eighth of the picture."""

import numpy as np
import pytest

from vision.field.stillness import StillnessMeter
from vision.frames.frame import Frame, Glimpse, Gray
from vision.sources.glance import Calm

MS = 1_000_000
STEP_NS = 8_333_333


def blocks(seed: int = 0) -> Gray:
    """A field in eighths: cards on a floor, and the grain that is left of a camera's."""
    gray = np.full((90, 160), 90, np.uint8)
    gray[20:70:10, 30:130] = 200
    grain = np.random.default_rng(seed).normal(0.0, 0.5, gray.shape)
    return np.asarray(np.rint(gray + grain), np.uint8)


def calm() -> Calm:
    known = Calm()
    known.note(blocks(), 0)
    return known


def test_what_comes_in_is_seen_by_a_glance() -> None:
    for rows, columns in ((slice(88, 90), slice(50, 52)), (slice(40, 41), slice(100, 104))):
        changed = blocks(1)
        changed[rows, columns] += 12
        assert not calm().holds(changed, STEP_NS)


class Film:
    """Pictures that are glanced at; which of them were decoded whole."""

    def __init__(self) -> None:
        self.decoded: list[int] = []

    def frame(self, index: int, gray: Gray) -> Frame:
        def decode() -> Gray:
            self.decoded.append(index)
            return np.asarray(np.kron(gray, np.ones((8, 8), np.uint8)), np.uint8)

        return Frame(Glimpse(gray, decode), index * STEP_NS, 1_000, index)


@pytest.mark.parametrize("comes_in", [None, 70])
def test_a_field_at_rest_is_decoded_now_and_then(comes_in: int | None) -> None:
    film, meter = Film(), StillnessMeter()
    for index in range(96):
        gray = blocks(index)
        if comes_in is not None and index >= comes_in:
            gray[60:, 40 : 40 + 4 * (index - comes_in + 1)] = 30
        meter.feed(film.frame(index, gray))
        if index == comes_in:
            assert meter.last_moving_ns == index * STEP_NS, "seen at once"
    assert meter.still_for_ns(95 * STEP_NS) > 600 * MS if comes_in is None else not meter.still_since_ns
    at_rest = [index for index in film.decoded if 12 <= index < 70]
    assert 1 <= len(at_rest) <= 3
