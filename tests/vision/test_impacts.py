"""Hits are heard to the millisecond, voices are not hits, and only a touch's own impact narrows it."""

from typing import Any

import numpy as np
import pytest

from referee.facts import Contact, Gap, Touch, Unprovable
from referee.sides import Side
from vision.impacts import Impact, Microphone, find_impacts, with_impacts
from vision.simulator.sound import RATE_HZ, render_sound

MS = 1_000_000


def truth(*touches: tuple[float, str]) -> dict[str, Any]:
    return {"poems": [{"touches": [{"t_ms": t_ms, "player": player, "card": 1} for t_ms, player in touches]}]}


def vowels_and_hisses(seconds: float) -> Any:
    """A chanted vowel with harmonics and vibrato, broken by hisses that swell over 30 ms."""
    t_s = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    turns = 2 * np.pi * np.cumsum(220 * (1 + 0.02 * np.sin(2 * np.pi * 5 * t_s))) / RATE_HZ
    voice = sum(np.sin(order * turns) / order**1.5 for order in range(1, 30))
    hiss = np.random.default_rng(1).normal(0, 1, len(t_s))
    swell = np.clip(np.sin(2 * np.pi * 1.7 * t_s), 0, None) ** 2
    return (0.1 * voice * (1 - 0.8 * swell) + 0.05 * hiss * swell).astype(np.float32)


@pytest.mark.parametrize("with_voice", [False, True])
def test_hits_are_found_to_the_millisecond(with_voice: bool) -> None:
    times_ms = [500.0, 903.3, 1510.7, 1560.0, 2400.25]
    sound = render_sound(truth(*((t_ms, "near") for t_ms in times_ms)), 3.0, seed=1, distance_m=(0.8, 1.2))
    if with_voice:
        sound = sound + vowels_and_hisses(3.0)
    impacts = find_impacts(sound, RATE_HZ)
    found = np.array([impact.t_ns / MS for impact in impacts])
    for t_ms in times_ms:
        assert np.abs(found - t_ms).min() < 1.3, (t_ms, found)
    assert len(impacts) <= len(times_ms) + 1
    assert all(0 < impact.t_unc_ns < 2 * MS for impact in impacts)


def test_a_voice_is_no_hit() -> None:
    assert find_impacts(vowels_and_hisses(6.0), RATE_HZ) == []


@pytest.mark.parametrize("rate_hz", [16_000, 44_100])
def test_other_rates_and_starts_are_understood(rate_hz: int) -> None:
    sound = render_sound(truth((500.0, "near")), 1.0, seed=2, distance_m=(1.0, 1.0))
    at = (np.arange(rate_hz) * RATE_HZ / rate_hz).astype(np.intp)
    near = Microphone(distance_m=1.0, spread_m=0.1)
    (impact,) = find_impacts(sound[at], rate_hz, 7_000 * MS, near)
    assert impact.t_ns / MS == pytest.approx(7_500.0, abs=0.8)


def test_dull_sound_is_refused() -> None:
    with pytest.raises(ValueError, match="sound of 8000 samples a second is too dull"):
        find_impacts(np.zeros(100, np.float32), 8000)


def touch(t_ms: float, unc_ms: float, contact: Contact = Contact.TOUCH) -> Touch:
    return Touch(3, Side.NEAR, round(t_ms * MS), round(unc_ms * MS), contact)


def hit(t_ms: float, unc_ms: float = 1.2) -> Impact:
    return Impact(round(t_ms * MS), round(unc_ms * MS), 30.0)


@pytest.mark.parametrize(
    ("seen", "impacts", "expected_ms"),
    [
        (touch(100, 9), [hit(104)], (104, 1.2)),
        (touch(100, 9), [hit(120)], (100, 9)),  # too late to be its own
        (touch(100, 9), [hit(98), hit(103)], (100, 9)),  # which one is not told
        (touch(100, 9), [hit(101), hit(109.5)], (101, 1.2)),  # the far one is much less likely
        (touch(100, 1), [hit(100.5)], (100, 1)),  # seen better than heard
        (touch(100, 9), [], (100, 9)),
        (touch(100, 9, Contact.PUSHED_OUT), [hit(101)], (100, 9)),  # leaving a territory makes no sound
    ],
)
def test_only_its_own_impact_narrows_a_touch(
    seen: Touch, impacts: list[Impact], expected_ms: tuple[float, float]
) -> None:
    (told,) = with_impacts([seen], impacts)
    assert isinstance(told, Touch)
    assert (told.t_ns / MS, told.t_unc_ns / MS) == pytest.approx(expected_ms)
    assert (told.card, told.player, told.contact) == (seen.card, seen.player, seen.contact)


def test_two_players_never_share_one_hit() -> None:
    """A second hit 8 ms behind a first is drowned by it: the order must not be lost in one instant."""
    near, far = touch(100, 9), Touch(4, Side.FAR, 106 * MS, 9 * MS)
    assert with_impacts([near, far], [hit(101)]) == (near, far)
    same_stroke = Touch(4, Side.NEAR, 106 * MS, 9 * MS)
    assert [
        each.t_ns for each in with_impacts([near, same_stroke], [hit(101)]) if isinstance(each, Touch)
    ] == [
        101 * MS,
        101 * MS,
    ]


def test_what_is_no_touch_stays_as_it_is() -> None:
    facts: list[Touch | Unprovable | Gap] = [
        Gap(0, 5, "camera_lost"),
        Unprovable(3, None, 100 * MS, MS, "no_hand_seen"),
    ]
    assert with_impacts(facts, [hit(100)]) == tuple(facts)
