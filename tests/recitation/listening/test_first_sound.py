"""What may belong to a voice before it was heard."""

from __future__ import annotations

import numpy as np
import pytest

from recitation.listening.first_sound import before_first_sound

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
