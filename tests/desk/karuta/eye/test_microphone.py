"""A microphone beside a live match: hits among the reciter's voice, laid onto a camera that stamps late."""

from collections import deque
from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray

from desk.karuta.eye.microphone import HitEar
from recitation.playback.stream_clock import StreamClock
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import find_voice
from referee.facts import Touch
from referee.sides import Side
from vision.simulator.hall.recorder import render_sound

MS = 1_000_000
LATE_MS = 37.0
BEGIN_NS = 5_000_000_000
POEM_S = 6.0


class ScriptedMicrophone:
    """Hands out a recording block by block as a sound card does."""

    problem: str | None = None

    def __init__(self, wave: NDArray[np.float32]) -> None:
        self.clock = StreamClock()
        self.overflows = 0
        self._wave, self._given = wave, 0
        self._blocks: deque[NDArray[np.float32]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._wave = self._wave[:0]

    def run_to(self, seconds: float) -> None:
        while self._given + 4800 <= seconds * SAMPLE_RATE:
            self.clock.observe(self._given, BEGIN_NS + round(self._given / SAMPLE_RATE * 1e9))
            self._blocks.append(self._wave[self._given : self._given + 4800])
            self._given += 4800

    def blocks(self, timeout_s: float = 0.0) -> list[NDArray[np.float32]]:
        blocks, self._blocks = list(self._blocks), deque()
        return blocks


def evening(hits_s: list[float]) -> NDArray[np.float32]:
    """Return hits, each while a poem is read aloud as loudly as they are."""
    touches = [{"t_ms": 1e3 * t_s, "player": "near"} for t_s in hits_s]
    sound = render_sound(
        {"poems": [{"touches": touches}]}, POEM_S * len(hits_s) + 2, 3, distance_m=(1.0, 1.0)
    )
    voice = find_voice("high", DEFAULT)
    for number in range(len(hits_s)):
        wave = voice.clip(Phrase(10 + number, Half.KAMI)).wave
        begin = round((POEM_S * number + 1.0) * SAMPLE_RATE)
        length = min(len(wave), len(sound) - begin)
        sound[begin : begin + length] += (0.3 / np.abs(wave).max() * wave[:length]).astype(np.float32)
    return np.asarray(sound, np.float32)


def played(camera_unc_ns: int, late_ms: float) -> tuple[list[Any], list[float], HitEar]:
    dice = np.random.default_rng(8)
    hits_s = [POEM_S * number + float(dice.uniform(2.0, 3.5)) for number in range(6)]
    microphone = ScriptedMicrophone(evening(hits_s))
    ear = HitEar(microphone, camera_unc_ns)
    told: list[Any] = []
    for number, hit_s in enumerate(hits_s):
        microphone.run_to(POEM_S * (number + 1) - 0.5)
        ear.listen()
        seen_ns = BEGIN_NS + round(1e9 * hit_s + (late_ms + dice.normal(0, 3)) * MS)
        from_ns = BEGIN_NS + round((POEM_S * number + 1.0) * 1e9)
        facts = [Touch(10 + number, Side.NEAR, seen_ns, 9 * MS)]
        told += ear.narrowed(facts, from_ns, from_ns + round(4.2e9))
    return told, hits_s, ear


def test_a_measured_camera_is_helped_from_the_first_poem_on() -> None:
    told, hits_s, ear = played(camera_unc_ns=2 * MS, late_ms=0.0)
    narrowed = [(touch, hit_s) for touch, hit_s in zip(told, hits_s, strict=True) if touch.t_unc_ns < 9 * MS]
    assert len(narrowed) >= 5, "one hit may be lost in a voice as loud as itself"
    for touch, hit_s in narrowed:
        assert abs(touch.t_ns - BEGIN_NS - hit_s * 1e9) < 2 * MS
        assert touch.t_unc_ns < 3.5 * MS
    ear.close()


def test_a_camera_that_was_not_measured_is_helped_once_a_few_poems_agree() -> None:
    told, hits_s, ear = played(camera_unc_ns=0, late_ms=LATE_MS)
    assert ear.is_sure
    assert abs(ear.offset.mean_ns / MS - LATE_MS) <= ear.offset.unc_ns / MS
    narrowed = [(touch, hit_s) for touch, hit_s in zip(told, hits_s, strict=True) if touch.t_unc_ns < 9 * MS]
    assert 3 <= len(narrowed) <= 4
    assert all(touch.t_unc_ns == 9 * MS for touch in told[:2]), "two poems are too few to go by"
    for touch, hit_s in narrowed:
        # the instants stay on the pictures' clock: it is late for cards and hits alike
        assert abs(touch.t_ns - BEGIN_NS - hit_s * 1e9 - LATE_MS * MS) < touch.t_unc_ns < 8 * MS
    ear.close()


def test_the_sound_of_a_replay_is_on_the_clock_of_its_pictures() -> None:
    _, hits_s, ear = played(camera_unc_ns=0, late_ms=LATE_MS)
    seen_ns = BEGIN_NS + round(1e9 * hits_s[-1] + LATE_MS * MS)
    heard = ear.sound(seen_ns - 500 * MS, seen_ns + 500 * MS)
    assert heard is not None
    own = heard.t_ns - BEGIN_NS - round(ear.offset.mean_ns)
    assert np.array_equal(heard.wave, evening(hits_s)[round(own * SAMPLE_RATE / 1e9) :][: len(heard.wave)])
    assert abs(own - 1e9 * hits_s[-1] + 500 * MS) < ear.offset.unc_ns, "half a second before the hit"
    assert ear.sound(seen_ns + 60_000 * MS, seen_ns + 61_000 * MS) is None


def test_lost_samples_time_nothing_wrongly() -> None:
    microphone = ScriptedMicrophone(evening([2.5, 8.5]))
    ear = HitEar(microphone, 2 * MS)
    microphone.run_to(2.0)
    ear.listen()
    microphone.run_to(5.0)
    microphone.overflows += 1
    microphone.clock.restart()
    for sample in range(96_000, 240_000, 4_800):  # a tenth of a second was lost
        microphone.clock.observe(sample, BEGIN_NS + round(sample / SAMPLE_RATE * 1e9) + 100 * MS)
    seen = Touch(10, Side.NEAR, BEGIN_NS + 2_600 * MS, 9 * MS)
    (touch,) = ear.narrowed([seen], BEGIN_NS + 1_000 * MS, BEGIN_NS + 5_000 * MS)
    assert isinstance(touch, Touch)
    assert abs(touch.t_ns - BEGIN_NS - 2_600 * MS) < 2 * MS
    assert touch.t_unc_ns < 4 * MS


@pytest.mark.parametrize("facts", [[], [Touch(10, Side.NEAR, BEGIN_NS, 9 * MS)]])
def test_without_sound_facts_stay_as_they_were_seen(facts: list[Touch]) -> None:
    ear = HitEar(ScriptedMicrophone(np.zeros(10, np.float32)), 2 * MS)
    assert ear.narrowed(facts, BEGIN_NS, BEGIN_NS + 10**9) == tuple(facts)
