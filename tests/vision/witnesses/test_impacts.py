"""Hits are heard to the millisecond, voices are not hits, and only a touch's own impact narrows it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.signal import butter, fftconvolve, sosfilt

from referee.facts import Contact, Testimony, Touch, Unprovable
from referee.sides import Side
from vision.simulator.hall.recorder import RATE_HZ, render_sound
from vision.witnesses.hearing import with_impacts
from vision.witnesses.impacts import Impact, Microphone, find_impacts

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


def test_hits_are_heard_where_a_hiss_leaves_part_of_the_band_free() -> None:
    """An s has its strength below 10 kHz: there it is louder than these hits, above it they stand out."""
    times_ms = [500.0, 903.3, 1510.7, 2400.25]
    hits = render_sound(truth(*((t_ms, "near") for t_ms in times_ms)), 3.0, seed=1, distance_m=(1.0, 1.0))
    noise = np.random.default_rng(2).normal(0, 0.05, len(hits))
    hiss = sosfilt(butter(6, [5_000, 9_500], "bandpass", fs=RATE_HZ, output="sos"), noise)
    sound = 0.5 * hits + hiss.astype(np.float32)
    found = [impact.t_ns / MS for impact in find_impacts(sound, RATE_HZ) if impact.level_db > 7]
    assert found == pytest.approx(times_ms, abs=1.3)


def touch(t_ms: float, unc_ms: float, contact: Contact = Contact.TOUCH) -> Touch:
    return Touch(3, Side.NEAR, round(t_ms * MS), round(unc_ms * MS), contact)


def hit(t_ms: float, unc_ms: float = 1.2, deaf_ms: float = 10, level_db: float = 30.0) -> Impact:
    return Impact(round(t_ms * MS), round(unc_ms * MS), level_db, round(deaf_ms * MS))


def told_ms(facts: list[Touch], impacts: list[Impact]) -> list[tuple[float, float]]:
    told = [fact for fact in with_impacts(facts, impacts) if isinstance(fact, Touch)]
    assert [(fact.card, fact.player, fact.contact) for fact in told] == [
        (fact.card, fact.player, fact.contact) for fact in facts
    ]
    return [(fact.t_ns / MS, fact.t_unc_ns / MS) for fact in told]


@pytest.mark.parametrize(
    ("seen", "impacts", "expected_ms"),
    [
        (touch(100, 9), [hit(104)], 104),
        (touch(100, 9), [hit(101), hit(112)], 101),  # the far one is much less likely
        (touch(100, 9), [hit(110)], 110),  # a little outside of what was seen, and nothing else to be heard
    ],
)
def test_a_touch_has_the_instant_of_its_impact(
    seen: Touch, impacts: list[Impact], expected_ms: float
) -> None:
    ((t_ms, unc_ms),) = told_ms([seen], impacts)
    assert t_ms == expected_ms
    assert abs(expected_ms - 100) > 5 or unc_ms < 3


@pytest.mark.parametrize(
    ("seen", "impacts"),
    [
        (touch(100, 9), [hit(120)]),  # too late to be its own
        (touch(100, 1), [hit(100.5)]),  # seen better than heard
        (touch(100, 9), []),
        (touch(100, 9, Contact.PUSHED_OUT), [hit(101)]),  # leaving a territory makes no sound
    ],
)
def test_without_an_impact_of_its_own_a_touch_stays_as_seen(seen: Touch, impacts: list[Impact]) -> None:
    assert with_impacts([seen], impacts) == (seen,)


def test_where_two_impacts_may_be_it_both_stay_possible() -> None:
    ((t_ms, unc_ms),) = told_ms([touch(100, 9)], [hit(97), hit(103)])
    assert t_ms - unc_ms <= 97
    assert t_ms + unc_ms >= 103


def test_a_faint_impact_counts_for_less_than_a_clear_one() -> None:
    """Three clear hits in four are louder than what a voice does by chance; a faint one may be chance."""
    clear, faint = hit(105), hit(99, level_db=6.0)
    ((t_ms, _),) = told_ms([touch(100, 12)], [clear, faint])
    assert t_ms == 105
    (_, unc_faint), (_, unc_clear) = (
        told_ms([touch(100, 12)], [hit(109, level_db=level_db)])[0] for level_db in (6.0, 30.0)
    )
    assert unc_faint > 5 > unc_clear


def test_a_touch_that_was_hardly_seen_has_the_impact_that_nobody_else_has() -> None:
    near, hidden = touch(100, 7), Touch(4, Side.FAR, 120 * MS, 60 * MS)
    (t_near, _), (t_hidden, _) = told_ms([near, hidden], [hit(99), hit(131)])
    assert (t_near, t_hidden) == (99, 131)
    same = replace(near, card=5, t_ns=101 * MS)
    *_, (t_of_nobody, _) = told_ms([near, same, replace(hidden, player=None)], [hit(99), hit(131)])
    assert t_of_nobody in (99, 131)


def test_a_long_interval_is_a_doubt_of_whose_hit_it_was_and_not_of_when_the_card_set_off() -> None:
    """Of two hits within a quarter of a second the one at which the card was seen to set off is likelier."""
    ((t_ms, unc_ms),) = told_ms([touch(100, 260)], [hit(98), hit(130)])
    assert t_ms == 98
    assert unc_ms < 10
    ((_, unc_ms),) = told_ms([touch(100, 260)], [hit(60), hit(130)])
    assert unc_ms > 25  # neither is where it was seen


def test_a_card_of_a_sweep_that_was_seen_later_may_have_been_met_later() -> None:
    """A hand that slides on makes no new sound: the impact is the first card's alone for certain."""
    first, later = told_ms([touch(100, 9), touch(111, 9)], [hit(101)])
    assert first == pytest.approx((101, 1.2), abs=0.5)
    assert later[1] > 5


def test_hits_of_both_players_that_share_an_impact_keep_their_order_open() -> None:
    """A second hit 8 ms behind a first is drowned by it: the order must not be lost in one instant."""
    near, far = touch(100, 9), Touch(4, Side.FAR, 106 * MS, 9 * MS)
    (t_near, unc_near), (t_far, unc_far) = told_ms([near, far], [hit(101)])
    assert abs(t_far - t_near) < float(np.hypot(unc_near, unc_far))
    for t_ms, unc_ms in ((t_near, unc_near), (t_far, unc_far)):
        assert t_ms - unc_ms <= 101
        assert t_ms + unc_ms > 105
    same_stroke = Touch(4, Side.NEAR, 104 * MS, 9 * MS)
    assert [t_ms for t_ms, _ in told_ms([near, same_stroke], [hit(101)])] == [101, 101]


def test_each_player_has_the_impact_that_is_near_to_no_touch_of_the_other() -> None:
    near, far = touch(100, 9), Touch(4, Side.FAR, 111 * MS, 9 * MS)
    (t_near, unc_near), (t_far, unc_far) = told_ms([near, far], [hit(99), hit(111)])
    assert (t_near, t_far) == (99, 111)
    assert max(unc_near, unc_far) < 8


def test_two_hits_and_two_players_mean_one_each_though_the_eye_saw_both_at_the_first() -> None:
    """A clear hit is somebody's: who else than the player whose card was hardly seen may have made it?"""
    near, far = touch(100, 9), Touch(4, Side.FAR, 101 * MS, 60 * MS)
    (t_near, _), (t_far, unc_far) = told_ms([near, far], [hit(99), hit(120)])
    assert (t_near, t_far) == (99, 120)
    assert unc_far > 20  # it may have been at the first one after all
    # a faint one may be nobody's
    (_, _), (t_far, _) = told_ms([near, far], [hit(99), hit(120, level_db=6.0)])
    assert t_far < 110


@pytest.mark.parametrize("confidence", [0.99, 0.5])
def test_where_it_is_hardly_known_whose_hand_it_was_it_may_be_at_the_other_ones_hit(
    confidence: float,
) -> None:
    near, far = touch(100, 9), Touch(4, Side.FAR, 120 * MS, 9 * MS)
    doubted = Touch(5, Side.NEAR, 114 * MS, 30 * MS, confidence=confidence)
    *_, (t_ms, unc_ms) = told_ms([near, far, doubted], [hit(99), hit(119)])
    assert (t_ms == 119) == (confidence == 0.5)
    assert t_ms - unc_ms < 99


def hall(wave: Any) -> Any:
    """Return a sound with the echoes of a table, walls and a ceiling, and what rings on after them."""
    dice = np.random.default_rng(5)
    answer = np.zeros(RATE_HZ // 3)
    answer[0] = 1
    for late_ms, down_db in ((4.5, 9), (7, 10), (11, 9), (16, 12), (23, 11)):
        answer[round(late_ms * RATE_HZ / 1e3)] += 10 ** (-down_db / 20)
    t_s = np.arange(len(answer)) / RATE_HZ
    answer += 0.004 * dice.normal(0, 1, len(answer)) * np.exp(-t_s / 0.06)
    return fftconvolve(wave, answer)[: len(wave)].astype(np.float32)


def test_a_second_hit_is_heard_while_the_first_dies_away() -> None:
    """Not so behind every hit: eight decibels quieter and at once is too much."""
    apart_ms, deaf_ms = [], []
    for seed in range(10):
        sound = render_sound(truth((200.0, "near"), (214.0, "far")), 0.4, seed, distance_m=(1.0, 1.0))
        first, *later = find_impacts(sound, RATE_HZ)
        apart_ms += [(hit.t_ns - first.t_ns) / MS for hit in later]
        deaf_ms.append(first.deaf_ns / MS)
    assert len(apart_ms) >= 8
    assert apart_ms == pytest.approx([14.0] * len(apart_ms), abs=1.0)
    assert all(4 <= each <= 30 for each in deaf_ms)


def second_hits(gap_ms: float, times_as_loud: float) -> list[float]:
    """Return what is heard of the second of two hits by twelve pairs of hands, in ms behind the first."""
    found = []
    for seed in range(12):
        first, second = (
            render_sound(truth((t_ms, "near")), 0.4, hand, distance_m=(1.0, 1.0))
            for t_ms, hand in ((200.0, seed), (200.0 + gap_ms, seed + 100))
        )
        second *= times_as_loud * float(np.abs(first).max() / np.abs(second).max())
        found += [hit.t_ns / MS - 200.0 for hit in find_impacts(first + second, RATE_HZ)[1:]]
    return found


@pytest.mark.parametrize(
    ("gap_ms", "times_as_loud", "at_least"),
    [
        (9.0, 1.0, 9),  # what it must stand out from is the first one's dying away, not its beginning
        (16.0, 0.4, 8),  # as quiet as an echo, but not the same wave over again
        (
            7.0,
            1.0,
            10,
        ),  # no single instant of it is much louder than the first one was just before: its mean is
    ],
)
def test_a_second_hit_is_heard_although_it_is_near_or_quiet(
    gap_ms: float, times_as_loud: float, at_least: int
) -> None:
    found = second_hits(gap_ms, times_as_loud)
    assert len(found) >= at_least
    assert found == pytest.approx([gap_ms] * len(found), abs=1.0)


@pytest.mark.parametrize("seed", range(12))
def test_echoes_are_no_hits_but_make_deaf_for_longer(seed: int) -> None:
    dry = render_sound(truth((500.0, "near")), 1.0, seed, distance_m=(1.0, 1.0))
    (clear,), (echoing,) = find_impacts(dry, RATE_HZ), find_impacts(hall(dry), RATE_HZ)
    assert echoing.t_ns == pytest.approx(clear.t_ns, abs=MS)
    assert echoing.deaf_ns > clear.deaf_ns


@pytest.mark.parametrize(
    ("hits_ms", "touches_ms", "reason"),
    [
        ([], [], "fingers_rested"),
        ([110], [], "touch_heard"),
        ([60], [], "fingers_rested"),
        ([150], [], "fingers_rested"),
        ([110], [108], "fingers_rested"),  # the hit is that touch's own
    ],
)
def test_a_hit_as_fingers_come_to_rest_over_a_card_is_told(
    hits_ms: list[float], touches_ms: list[float], reason: str
) -> None:
    rested = Unprovable(4, Side.FAR, 170 * MS, 50 * MS, "fingers_rested")
    facts: list[Testimony] = [rested, *(touch(t_ms, 5) for t_ms in touches_ms)]
    assert with_impacts(facts, [hit(t_ms) for t_ms in hits_ms])[0] == replace(rested, reason=reason)
