"""Detached pieces of touching hands are assigned by the brightness of each hand."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frames.frame import Gray
from vision.hands.complexion import Complexion
from vision.hands.frame_map import FAR, NEAR, NOBODY

_DARK, _PALE, _FLOOR = 60, 150, 110


def arms() -> tuple[NDArray[np.uint8], Gray]:
    """Return a players' map with a dark near arm and a pale far one, and its picture."""
    players, gray = np.zeros((80, 100), np.uint8), np.full((80, 100), _FLOOR, np.uint8)
    players[45:, 40:50], gray[45:, 40:50] = NEAR, _DARK
    players[:40, 60:70], gray[:40, 60:70] = FAR, _PALE
    return players, gray


def learned() -> Complexion:
    looks = Complexion(7.0)
    looks.learn(*arms())
    return looks


@pytest.mark.parametrize(("looks_like", "whose"), [(_PALE, FAR), (_DARK, NEAR), (_FLOOR, NEAR)])
def test_a_piece_apart_from_its_arm_is_whose_it_looks_like(looks_like: int, whose: int) -> None:
    players, gray = arms()
    stray = np.s_[36:40, 70:74]  # at the far hand
    players[stray], gray[stray] = NEAR, looks_like
    assert (learned().without_strays(players, gray)[stray] == whose).all()


def test_what_is_joined_to_its_arm_stays() -> None:
    players, gray = arms()
    players[42:45, 40:44], gray[42:45, 40:44] = NEAR, _PALE
    assert np.array_equal(learned().without_strays(players, gray), players)


def test_a_piece_as_large_as_a_shadow_stays() -> None:
    players, gray = arms()
    players[10:25, 80:95], gray[10:25, 80:95] = FAR, _DARK
    assert np.array_equal(learned().without_strays(players, gray), players)


def test_of_hands_that_were_not_seen_apart_nothing_is_told() -> None:
    players, gray = arms()
    stray = np.s_[36:40, 70:74]
    players[stray] = NEAR
    assert np.array_equal(Complexion(7.0).without_strays(players, gray), players)
    only_near = Complexion(7.0)
    only_near.learn(np.where(players == FAR, NOBODY, players).astype(np.uint8), gray)
    assert np.array_equal(only_near.without_strays(players, gray), players)


def test_what_is_kept_learns_by_itself() -> None:
    looks = learned()
    kept = looks.kept()
    players, gray = arms()
    for _ in range(40):  # the hands change their looks
        looks.learn(
            players, np.where(gray == _DARK, _PALE, np.where(gray == _PALE, _DARK, gray)).astype(np.uint8)
        )
    stray = np.s_[36:40, 70:74]
    players[stray], gray[stray] = NEAR, _PALE
    assert (kept.without_strays(players, gray)[stray] == FAR).all()
    assert (looks.without_strays(players, gray)[stray] == NEAR).all()
