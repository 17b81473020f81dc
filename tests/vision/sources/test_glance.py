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


def test_what_rests_is_known_by_a_glance() -> None:
    assert not Calm().holds(blocks(), 1)
    for seed in range(1, 12):
        assert calm().holds(blocks(seed), STEP_NS * seed)


def test_what_comes_in_is_seen_by_a_glance() -> None:
    for rows, columns in ((slice(88, 90), slice(50, 52)), (slice(40, 41), slice(100, 104))):
        changed = blocks(1)
        changed[rows, columns] += 12
        assert not calm().holds(changed, STEP_NS)


def test_a_lamp_that_brightens_rows_one_after_another_moves_nothing() -> None:
    ripple = 1 + 0.06 * np.sin(np.linspace(0.0, 5.0, 90))[:, None]
    assert calm().holds(np.asarray(np.rint(blocks(1) * ripple), np.uint8), STEP_NS)
    switched = np.asarray(blocks(1) * 1.2, np.uint8)
    assert not calm().holds(switched, STEP_NS)


def test_now_and_then_a_picture_is_looked_at_in_full() -> None:
    assert calm().holds(blocks(1), 399 * MS)
    assert not calm().holds(blocks(1), 400 * MS)


def test_what_creeps_is_seen() -> None:
    known, looked_ns = calm(), 0
    for index in range(1, 40):
        creeping = blocks(index)
        creeping[40:44, 100 : 100 + index // 4] = 40  # 15 blocks a second, less than 10 cm
        if not known.holds(creeping, index * STEP_NS):
            looked_ns = index * STEP_NS
            break
    assert 0 < looked_ns < 100 * MS


def test_only_a_part_is_compared() -> None:
    known = Calm()
    known.look_only_at((slice(0, 400), slice(0, 1280)))
    assert not known.holds(blocks(), STEP_NS)
    known.note(blocks(), 0)
    changed = blocks(1)
    changed[51:, :50] = 10
    assert known.holds(changed, STEP_NS)
    changed[49] = 10
    assert not known.holds(changed, STEP_NS)


def test_where_glances_raise_false_alarms_they_are_no_longer_asked_for() -> None:
    """In grain that is as strong as a fingertip a glance would cost more than it saves."""
    known, asked = calm(), []
    for index in range(1, 120):
        t_ns = index * STEP_NS
        if known.is_worth_it(t_ns):
            asked.append(index)
            grainy = blocks(index) + np.random.default_rng(index).integers(0, 12, (90, 160), np.uint8)
            assert not known.holds(grainy, t_ns)
            known.note(blocks(), t_ns)
    assert len(asked) < 12
    t_ns = 500 * STEP_NS
    known.note(blocks(), t_ns)
    assert known.holds(blocks(1), t_ns + STEP_NS)
    assert known.is_worth_it(t_ns + 2 * STEP_NS)


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
