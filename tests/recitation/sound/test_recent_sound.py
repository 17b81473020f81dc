"""The latest sound: excerpts stand at their instants, and are silent where nothing was heard."""

import numpy as np

from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.recent_sound import RecentSound, TimedSound

S, MS = 1_000_000_000, 1_000_000
RAMP = np.linspace(-0.5, 0.5, SAMPLE_RATE).astype(np.float32)


def test_pieces_whose_instants_jitter_are_one_sound() -> None:
    recent = RecentSound()
    for number, jitter_ns in enumerate((0, 3 * MS, -2 * MS, MS)):
        quarter = RAMP[number * 12_000 : (number + 1) * 12_000]
        recent.append(TimedSound(quarter, S + number * S // 4 + jitter_ns, 1000 * (number + 1)))
    heard = recent.between(S + 100 * MS, S + 900 * MS)
    assert heard is not None
    assert np.array_equal(heard.wave, RAMP[4_800:43_200])
    assert (heard.t_ns, heard.t_unc_ns) == (S + 100 * MS, 4000)


def test_what_was_not_heard_is_silent_and_nothing_heard_is_nothing() -> None:
    recent = RecentSound()
    assert recent.between(0, S) is None
    recent.append(TimedSound(RAMP, S, 0))
    recent.append(TimedSound(RAMP, 3 * S, 0))  # a second was lost
    heard = recent.between(S // 2, 7 * S // 2)
    assert heard is not None
    silent = np.zeros(SAMPLE_RATE, np.float32)
    expected = np.concatenate([silent[:24_000], RAMP, silent, RAMP[:24_000]])
    assert np.array_equal(heard.wave, expected)
    assert recent.between(2 * S, 3 * S) is None


def test_the_memory_is_bounded() -> None:
    recent = RecentSound()
    for number in range(100):
        recent.append(TimedSound(RAMP, number * S, 0))
    assert recent.between(0, 38 * S) is None
    assert recent.between(40 * S, 41 * S) is not None
