"""How well the first sound's instant is known: the reciter beside sleeping and `sounddevice.play`.

    uv run python -m benchmarks.peers.onsets [--poems 6] [--json OUT]

Needs a sound device whose output comes back on its input, as `benchmarks.recitation.playback` does. All three
play the same halves of the same poems; what was told is compared with what was recorded.
*Sleeping* sleeps until the planned instant, calls `sounddevice.play` and tells the planned instant; the third
tells the instant at which that call returned.
"""

import sys
import time
from collections.abc import Callable
from typing import Final

import numpy as np
import sounddevice

from benchmarks.command import read_options, table, write_json
from benchmarks.recitation.playback import Recording, most_alike, played
from recitation.playback.loopback import measure_latency
from recitation.playback.player import ReadingSettings
from recitation.reading.order import Order, reading_order
from recitation.reading.phrase import Phrase
from recitation.reading.plan import SAMPLE_RATE, Spacing, sample_to_ns
from recitation.reading.practice import steps
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import find_voice

_FINGERPRINT: Final = 24_000  # samples of a clip's beginning by which it is found in the recording
_SEARCH_S: Final = 3.0
_APART_S: Final = 6.0  # between the beginnings of two halves: none is longer
_RING_OUT_S: Final = 3.0

Told = list[tuple[Phrase, int]]
"""What was played, and the instant told for its first sound, in nanoseconds of `time.perf_counter_ns`."""


def errors_ms(play: Callable[[], Told]) -> list[float]:
    """Record what `play` plays; return by how much each told instant is off, in milliseconds."""
    voice = find_voice("high", DEFAULT)
    recording = Recording()
    time.sleep(1.0)
    told = play()
    heard = recording.stop()
    off = []
    for phrase, t_ns in told:
        begin = voice.clip(phrase).wave[:_FINGERPRINT]
        at = round((t_ns - recording.clock.instant(0)[0]) * SAMPLE_RATE / 1e9)
        low = max(at - round(_SEARCH_S * SAMPLE_RATE), 0)
        onset = low + most_alike(heard[low : at + round(_SEARCH_S * SAMPLE_RATE)], begin)
        off.append((t_ns - recording.clock.instant(0)[0] - sample_to_ns(onset)) / 1e6)
    return off


def by_hand(phrases: list[Phrase], *, tell_planned: bool) -> Told:
    """Play each half at its planned instant; tell that instant, or the one at which the call returned."""
    voice = find_voice("high", DEFAULT)
    begins_ns = time.perf_counter_ns() + 500_000_000
    told: Told = []
    for number, phrase in enumerate(phrases):
        planned_ns = begins_ns + round(number * _APART_S * 1e9)
        wave = voice.clip(phrase).wave
        time.sleep(max((planned_ns - time.perf_counter_ns()) / 1e9, 0.0))
        sounddevice.play(wave, SAMPLE_RATE)
        told.append((phrase, planned_ns if tell_planned else time.perf_counter_ns()))
    sounddevice.wait()
    time.sleep(_RING_OUT_S)
    return told


def main() -> int:
    """Print one line for each way of playing."""
    arguments = read_options(__doc__, poems=6)
    device, latency = measure_latency()
    if not latency:
        print(
            "the device's latency could not be measured: does its output come back on its input?",
            file=sys.stderr,
        )
        return 2
    order = reading_order(Order.SHUFFLE, 1, count=arguments.poems)
    reading = ReadingSettings(
        steps(order), "high", DEFAULT, spacing=Spacing(lead_s=0.1, wait_s=1.0), latencies={device: latency}
    )
    started: Told = []

    def recite() -> Told:
        started.extend((start.phrase, start.t_ns) for start in played(reading)[0])
        return started

    found = {"shinpan": errors_ms(recite)}
    phrases = [phrase for phrase, _ in started]
    found["sleeping"] = errors_ms(lambda: by_hand(phrases, tell_planned=True))
    found["sounddevice.play"] = errors_ms(lambda: by_hand(phrases, tell_planned=False))
    table(
        {"played by": name, "halves": len(off), **dict(zip(("p50 ms", "p95 ms"), quantiles, strict=True))}
        for name, off in found.items()
        for quantiles in [np.quantile(np.abs(off), [0.5, 0.95]).round(2).tolist()]
    )
    write_json(arguments.json, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
