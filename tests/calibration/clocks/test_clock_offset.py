"""By how much two cameras' clocks are apart: flashes and motion made up to the microsecond."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.clocks.clock_offset import light_steps, offset_from_flash, offset_from_motion, refined
from calibration.clocks.latency import Offset, camera_latency, changes
from calibration.failure import FailedEstimation
from tests.slow_case import slow_case

MS = 1_000_000
AHEAD_MS = 731.4
Floats = NDArray[np.float64]


def stamps(fps: float, seconds: float, start_ms: float) -> NDArray[np.int64]:
    return np.round((np.arange(round(fps * seconds)) / fps * 1e3 + start_ms) * MS).astype(np.int64)


def lit(t_ns: NDArray[np.int64], flashes_ms: list[tuple[float, float]], open_ms: float, seed: int) -> Floats:
    """Return the tiles of a hall under lamps that go on and off, each frame exposed for `open_ms`."""
    dice = np.random.default_rng(seed)
    share = np.zeros(len(t_ns))
    for on_ms, off_ms in flashes_ms:
        begins, ends = t_ns / MS - open_ms / 2, t_ns / MS + open_ms / 2
        share += np.clip(np.minimum(ends, off_ms) - np.maximum(begins, on_ms), 0, None) / open_ms
    tiles = 90 * (1 + 0.4 * share[:, None]) * np.linspace(0.8, 1.1, 48)
    return np.asarray(tiles + dice.normal(0, 0.3, tiles.shape))


@pytest.mark.parametrize(("fps", "other_fps"), [slow_case(60, 60), (30, 120), slow_case(240, 60)])
def test_flashes_tell_the_offset_to_a_part_of_a_frame(fps: float, other_fps: float) -> None:
    errors, inside = [], []
    for trial in range(20):
        flashes = [(400 + 7.3 * trial + 911 * k, 530 + 7.3 * trial + 917 * k) for k in range(3)]
        first, second = stamps(fps, 4, 3.1), stamps(other_fps, 4, 5.7 + trial)
        seen = [
            light_steps(first, lit(first, flashes, 800 / fps, trial)),
            light_steps(second + round(AHEAD_MS * MS), lit(second, flashes, 500 / other_fps, trial + 99)),
        ]
        offset = offset_from_flash(*seen)
        assert isinstance(offset, Offset)
        errors.append(offset.mean_ns / MS - AHEAD_MS)
        inside.append(abs(errors[-1]) <= offset.unc_ns / MS)
        assert offset.n == 6
    assert np.abs(errors).max() < 0.35 * 1e3 / min(fps, other_fps)
    assert np.mean(inside) >= 0.9


def test_neither_rippling_lamps_nor_people_who_lean_in_are_flashes() -> None:
    t_ns = stamps(30, 5, 0)
    ripple = lit(t_ns, [], 10, 1) * (1 + 0.05 * np.sin(2 * np.pi * 100 * t_ns[:, None] / 1e9))
    assert light_steps(t_ns, ripple) == []
    person = lit(t_ns, [], 10, 2)
    person[60:90, :20] *= 0.5
    assert light_steps(t_ns, person) == []


def moved(t_ns: NDArray[np.int64], bursts_ms: Floats, seed: int) -> Floats:
    dice = np.random.default_rng(seed)
    since = t_ns[:, None] / MS - bursts_ms
    energy = np.exp(-0.5 * (since / 60) ** 2).sum(axis=1)
    return np.asarray(energy + np.abs(dice.normal(0, 0.02, len(t_ns))))


def test_the_play_itself_tells_the_offset_roughly() -> None:
    for trial in range(6):
        dice = np.random.default_rng(trial)
        bursts = np.sort(dice.uniform(1000, 9000, 6))
        first, second = stamps(60, 10, 0), stamps(30, 9, 700)
        offset = offset_from_motion(
            (first.tolist(), moved(first, bursts, trial).tolist()),
            ((second + round(AHEAD_MS * MS)).tolist(), moved(second, bursts, trial + 50).tolist()),
        )
        assert isinstance(offset, Offset)
        assert abs(offset.mean_ns / MS - AHEAD_MS) <= offset.unc_ns / MS < 40


def test_motion_that_repeats_itself_tells_nothing() -> None:
    t_ns = stamps(60, 10, 0)
    steady = moved(t_ns, np.arange(500.0, 10000.0, 500.0), 1).tolist()
    found = offset_from_motion((t_ns.tolist(), steady), (t_ns.tolist(), steady))
    assert isinstance(found, FailedEstimation)
    assert "at another offset" in found.reason
    still = offset_from_motion((t_ns.tolist(), [0.0] * len(t_ns)), (t_ns.tolist(), steady))
    assert isinstance(still, FailedEstimation)
    assert "too little moves" in still.reason


def test_cards_seen_by_both_make_it_exact_and_one_wrong_card_does_not_spoil_it() -> None:
    dice = np.random.default_rng(3)
    prior = Offset((AHEAD_MS + 12) * MS, 20.0 * MS, 10.0 * MS, 1)
    events = [((AHEAD_MS + dice.normal(0, 3)) * MS, 6.0 * MS) for _ in range(30)]
    offset = refined(prior, [*events, ((AHEAD_MS + 90) * MS, 6.0 * MS)])
    assert abs(offset.mean_ns / MS - AHEAD_MS) <= offset.unc_ns / MS < 2.0
    assert offset.n == 31
    assert refined(prior, []) == prior


def flashes(count: int, seed: int) -> list[tuple[int, bool]]:
    """Switch a screen on and off at irregular instants."""
    dice = np.random.default_rng(seed)
    at_ns, bright, shown = 500 * MS, False, []
    for _ in range(count):
        at_ns += round(dice.uniform(110, 270) * MS)
        bright = not bright
        shown.append((at_ns, bright))
    return shown


def filmed(
    shown: list[tuple[int, bool]], latency_ms: float, fps: float, seed: int, *, exposure_ms: float = 4.0,
    jitter_ms: float = 0.5, noise: float = 1.0,
) -> tuple[list[int], list[float]]:  # fmt: skip
    """Return stamps and brightness of a camera whose stamps come `latency_ms` late."""
    dice = np.random.default_rng(seed + 100)
    last_ns = shown[-1][0] + 400 * MS
    steps = np.array([at for at, _ in shown])
    levels = np.array([40.0, *(200.0 if bright else 40.0 for _, bright in shown)])
    begin_ns = dice.uniform(0, 1e9 / fps)
    stamps, brightness = [], []
    for number in range(int(last_ns * fps / 1e9)):
        middle_ns = begin_ns + number * 1e9 / fps
        moments = middle_ns + (np.linspace(0, 1, 21) - 0.5) * exposure_ms * MS
        light = levels[np.searchsorted(steps, moments, side="right")].mean()
        stamps.append(round(middle_ns + latency_ms * MS + dice.normal(0, jitter_ms * MS)))
        brightness.append(float(light + dice.normal(0, noise)))
    return stamps, brightness


@pytest.mark.parametrize("fps", [30.0, slow_case(59.94), 120.0])
@pytest.mark.parametrize("latency_ms", [3.0, slow_case(37.3), 141.0])
def test_an_injected_latency_is_found_to_two_milliseconds(fps: float, latency_ms: float) -> None:
    errors, covered = [], []
    for seed in range(8):
        shown = flashes(70, seed)
        found = camera_latency(shown, changes(*filmed(shown, latency_ms, fps, seed)), 0.5 * MS)
        assert isinstance(found, Offset), found
        assert found.n >= 66
        errors.append(abs(found.mean_ns / MS - latency_ms))
        covered.append(errors[-1] <= found.unc_ns / MS)
    assert max(errors) <= 1.5
    assert np.mean(covered) >= 0.85


def test_a_camera_that_looks_elsewhere_measures_nothing() -> None:
    shown = flashes(20, 1)
    stamps, _ = filmed(shown, 20.0, 30.0, 1)
    nothing = camera_latency(shown, changes(stamps, [99.0 + number % 2 for number in range(len(stamps))]))
    assert isinstance(nothing, FailedEstimation)
    assert "0 of 20 flashes" in nothing.reason
    assert changes([5], [100.0]) == []
