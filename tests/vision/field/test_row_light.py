"""Lamps whose ripple a rolling shutter shows as bands: the bands go, hands stay."""

from __future__ import annotations

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable
from vision.field.row_light import RowLight
from vision.frames.frame import Gray


def rippled(gray: Gray, t_s: float, depth: float) -> Gray:
    """Light a picture with a lamp of 119.6 Hz, read out in 9 ms."""
    rows_s = t_s + np.linspace(-0.5, 0.5, len(gray)) * 0.009
    light = 1 + depth * np.sin(2 * np.pi * 119.6 * rows_s)
    return np.clip(gray * light[:, None], 0, 255).astype(np.uint8)


def after_quiet(table: PaintedTable, depth: float) -> RowLight:
    light = RowLight(np.mean(table.resting(), axis=0).astype(np.float32))
    for index in range(20):
        light.feed(table.frame(33.0 * index, rippled(table.gray(), 0.033 * index, depth)), 0.0)
    return light


@pytest.mark.parametrize("depth", [0.05, 0.15, 0.25])
def test_bands_of_rippling_lamps_are_evened_out_below_hands_too(table: PaintedTable, depth: float) -> None:
    light = after_quiet(table, depth)
    x, y = (float(side) for side in table.slots[8].centre_px)
    truly = table.gray(arms=[Arm(Side.NEAR, (x, y), x)])
    seen = light.feed(table.frame(700.0, rippled(truly, 0.7, depth)), 0.5).gray
    off = np.abs(seen.astype(int) - truly)
    bands = np.abs(rippled(truly, 0.7, depth).astype(int) - truly)
    assert light.ripples
    assert off.mean() < max(2.5, 0.25 * bands.mean())


def test_a_hand_is_no_ripple(table: PaintedTable) -> None:
    light = RowLight(np.mean(table.resting(), axis=0).astype(np.float32))
    for index in range(20):
        arm = Arm(Side.NEAR, (480.0, 500.0 - 15.0 * index), 480.0, 90.0)
        light.feed(table.frame(33.0 * index, table.gray(arms=[arm])), 0.0)
    assert not light.ripples
