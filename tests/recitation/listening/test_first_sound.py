"""What may belong to a voice before it was heard."""

from __future__ import annotations

import numpy as np
import pytest

from recitation.listening.first_sound import Before, before_first_sound, first_sound
from recitation.listening.hearing import hear_verse, learn_reader
from recitation.reading.phrase import Half, Phrase
from tests.recitation.listening.readings import said_with_pauses

AUDIBLE, VOICE = 0.002, 0.1


@pytest.mark.parametrize(
    ("before", "led_s"),
    [
        ([0.001] * 60, 0.0),
        ([*[0.001] * 50, 0.003, *[0.001] * 9], 0.0),  # a block of the room's noise
        (
            [*[0.001] * 40, *[0.004] * 20],
            0.11,
        ),  # a soft beginning
    ],
)
def test_what_leads_up_to_a_voice_lasts_longer_than_a_crackle(before: list[float], led_s: float) -> None:
    levels = np.array([*before, *[VOICE] * 100], np.float32)
    assert before_first_sound(levels, len(before), AUDIBLE).led_s == pytest.approx(led_s, abs=0.011)


@pytest.mark.parametrize(
    ("sound_s", "pause_s", "apart_s"),
    [
        (0.8, 1.0, 1.8),
        (0.8, 2.4, 3.2),
        (0.1, 1.0, 0.0),  # a slap
        (2.4, 1.0, 0.0),  # a whole half
        (0.8, 2.8, 0.0),  # the reader has stopped
    ],
)
def test_a_sound_as_long_as_a_ku_may_be_the_first_one(sound_s: float, pause_s: float, apart_s: float) -> None:
    parts = [(1.0, 0.001), (sound_s, 0.02), (pause_s, 0.001), (0.5, VOICE)]
    levels = np.concatenate([np.full(round(length_s / 0.005), level) for length_s, level in parts])
    found = before_first_sound(levels.astype(np.float32), len(levels) - 100, AUDIBLE)
    assert found.apart_s == pytest.approx(apart_s, abs=0.03)
    assert found.led_s == pytest.approx(0.0, abs=0.011)


@pytest.mark.parametrize(
    ("missed_ku", "faint", "is_apart", "reach_s"),
    [
        (0, 1.0, True, 0.0),  # a breath before a verse that is heard whole
        (1, 1.0, True, 4.5),  # sure to be missed: the sound before it may be no more than its end
        (1, 0.02, True, 1.9),
        (1, 0.02, False, 0.0),
    ],
)
def test_a_sound_before_a_verse_that_tells_little_may_be_its_first_ku(
    missed_ku: int, faint: float, is_apart: bool, reach_s: float
) -> None:
    ku = said_with_pauses(36, (0.6, 0.6, 0.6))
    heard = hear_verse(np.concatenate(ku[missed_ku:]), learn_reader([np.concatenate(ku)]))
    before, evidence = Before(apart_s=1.9 * is_apart), heard.evidence * np.float32(faint)
    found = first_sound(evidence, heard.weights, Phrase(36, Half.KAMI), 0.02, before)
    assert found.unc_s - found.off_s == pytest.approx(reach_s + 0.02, abs=0.03)
    assert found.unc_s + found.off_s == pytest.approx(0.02, abs=0.03)
