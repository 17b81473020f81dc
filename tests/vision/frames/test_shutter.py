"""The read-out time of a rolling shutter, from rippling lamps and from the shear of flying cards."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.painted_table import PaintedTable, Pose
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.frames.shutter import SLOWEST_NS, Readout, RippleMeter, RowClock, combined
from vision.hands.player_map import PlayerMap
from vision.launch.flight_fits import FlightFits
from vision.launch.rolling_shear import sheared_readout

BANDS = 90


def rippled(fps: float, readout_ms: float, lamp_hz: float, depth: float, seconds: float = 0.6) -> RippleMeter:
    """Note frames under a lamp; their times are rounded to milliseconds as containers round them."""
    rng = np.random.default_rng(4)
    meter = RippleMeter()
    share = (np.arange(BANDS) + 0.5) / BANDS - 0.5
    for t_ms in np.arange(3.0, 1000 * seconds, 1000 / fps):
        phase = 2 * np.pi * lamp_hz * (t_ms + share * readout_ms) / 1000
        brightness = 120 * (1 + depth * np.sin(phase + 0.7)) + rng.normal(0, 0.15, BANDS)
        meter.note(round(t_ms) * 1_000_000, brightness)
    return meter


@pytest.mark.parametrize(
    ("fps", "lamp_hz"), [(60.0, 100.0), (120.0, 100.0), (240.0, 100.0), (50.0, 120.0), (100.0, 120.0)]
)
@pytest.mark.parametrize("readout_ms", [0.0, 4.0, 8.3])
def test_a_rippling_lamp_tells_the_readout(fps: float, readout_ms: float, lamp_hz: float) -> None:
    found = rippled(fps, readout_ms, lamp_hz, depth=0.03).readout()
    assert found is not None
    assert abs(found.mean_ns / 1e6 - readout_ms) < 0.5
    assert abs(found.mean_ns / 1e6 - readout_ms) < 2.5 * found.sigma_ns / 1e6


def test_a_lamp_in_step_with_the_frames_looks_steady_and_tells_nothing() -> None:
    assert rippled(60.0, 8.0, 120.0, depth=0.03).readout() is None
    assert rippled(50.0, 8.0, 100.0, depth=0.03).readout() is None


def test_a_steady_lamp_tells_nothing() -> None:
    assert rippled(120.0, 8.0, 100.0, depth=0.0).readout() is None
    assert rippled(120.0, 8.0, 100.0, depth=0.03, seconds=0.1).readout() is None


def test_a_camera_that_looks_at_other_rows_is_learnt_anew() -> None:
    meter = rippled(120.0, 8.0, 100.0, depth=0.03)
    meter.note(2_000_000_000, np.full(BANDS - 9, 120.0))
    assert meter.readout() is None
    assert rippled(120.0, 8.0, 100.0, depth=0.03).readout() is not None


def test_rows_are_late_by_their_share_of_the_readout() -> None:
    readout = Readout(8e6, 1e6)
    assert readout.delay_at(0.5) == (0.0, 0.0)
    assert readout.delay_at(1.0) == (4e6, 1e6)
    assert readout.delay_at(0.25) == (-2e6, 0.5e6)


def test_without_measurements_any_usual_camera_is_allowed_for() -> None:
    usual = combined([], 1e9 / 60)
    for readout_ns in (0.0, 8e6, 13e6):
        assert abs(readout_ns - usual.mean_ns) < 2 * usual.sigma_ns


def test_measurements_narrow_it_and_a_wild_one_does_not_mislead() -> None:
    alike = [Readout(8e6, 1e6), Readout(8.4e6, 1e6), Readout(7.7e6, 1e6)]
    found = combined([*alike, Readout(30e6, 1e6)], 1e9 / 60)
    assert abs(found.mean_ns - 8e6) < 1.2e6
    assert found.sigma_ns < combined([], 1e9 / 60).sigma_ns / 2


@pytest.mark.parametrize(("measured_ms", "true_ms"), [(0.5, 0.0), (10.0, 11.0)])
def test_a_rough_measurement_tells_a_global_shutter_from_a_rolling_one(
    measured_ms: float, true_ms: float
) -> None:
    found = combined([Readout(measured_ms * 1e6, 2e6)], 1e9 / 60)
    assert abs(found.mean_ns / 1e6 - true_ms) < 1.5
    assert abs(found.mean_ns / 1e6 - true_ms) <= 2 * found.sigma_ns / 1e6


def test_a_measurement_on_the_wrong_side_of_nothing_is_no_readout() -> None:
    assert combined([Readout(-6e6, 3e6)], 1e9 / 60).mean_ns < 1.5e6


def test_a_lamp_is_believed_before_cards_and_poems_add_up() -> None:
    clock = RowClock()
    clock.note_sheared(1, [Readout(8e6, 1e6)])
    clock.note_sheared(1, [Readout(8e6, 1e6)])
    once = clock.readout(1e9 / 60)
    clock.note_sheared(2, [Readout(8e6, 1e6)])
    assert clock.readout(1e9 / 60).sigma_ns < once.sigma_ns
    clock.ripple = rippled(60.0, 4.0, 100.0, depth=0.03)
    assert abs(clock.readout(1e9 / 60).mean_ns - 4e6) < 0.5e6


@pytest.mark.parametrize("readout_ms", [0.0, 9.0])
def test_flying_cards_are_bent_by_the_readout(monkeypatch: pytest.MonkeyPatch, readout_ms: float) -> None:
    table = PaintedTable()
    resting = table.resting()
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    players = PlayerMap(resting, field.floor, field.px_per_mm)
    departure = Departure((slice(160, 460), slice(320, 860)), 100_000_000)
    height = resting[0].shape[0]
    for number, t_ms in enumerate(np.arange(100.0, 160.0, 1000 / 120)):
        flown_ms = max(0.0, t_ms - 104.0)
        sharp = table.gray({12: Pose(3.0 * flown_ms)})
        if flown_ms > 0:
            # a row that is exposed later shows the card farther on
            y, x = np.mgrid[: sharp.shape[0], : sharp.shape[1]].astype(np.float32)
            late_ms = (y - table.slots[11].centre_px[1]) / height * readout_ms
            bent = cv2.remap(sharp, (x - 3.0 * late_ms).astype(np.float32), y, cv2.INTER_LINEAR)
            rows = slice(250, 400)
            sharp[rows, 440:] = bent[rows, 440:]
        frame = table.frame(t_ms, sharp)
        if number == 1:
            departure.seen_gone_ns = frame.t_ns
        departure.add(frame, players.feed(frame.gray))
    flight = FlightFits(field).flights([11], {11: departure}, {11: ()})[11]
    found = sheared_readout(field, flight, departure)
    assert found is not None
    assert abs(found.mean_ns / 1e6 - readout_ms) < 2 * found.sigma_ns / 1e6
    assert found.sigma_ns < 3e6
    # the same places of a path that is told anew are not aligned again
    monkeypatch.setattr("vision.launch.rolling_shear.alignment", lambda *_: pytest.fail("was aligned again"))
    assert sheared_readout(field, replace(flight, strength=0.5), departure) == found


def test_what_the_bench_measured_is_better_than_what_is_usual() -> None:
    measured = Readout(11.2e6, 0.3e6)
    assert RowClock(measured).readout(16.7e6) == measured
    assert RowClock().readout(16.7e6).sigma_ns > 5 * measured.sigma_ns


def test_a_poem_without_two_neighbouring_frames_leaves_the_readout_open() -> None:
    """Where a busy machine or a cable lost them, their step is not known: no number is made of that."""
    known = RowClock().readout(0.0)
    assert known.sigma_ns >= RowClock().readout(1e9).sigma_ns > 0
    assert 0 < known.mean_ns <= SLOWEST_NS
