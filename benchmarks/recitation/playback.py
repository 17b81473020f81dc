"""Play a reading through PortAudio, record it back, and compare what was told with what was heard.

The device's latency is measured first, as `shinpan recite --calibrate` does, while the machine is idle.

    uv run python benchmarks/recitation/playback.py [--poems 20] [--busy 2] [--json OUT]

Needs a sound device whose output comes back on its input: a loop cable, or a PulseAudio null sink and its
monitor (docs/recitation.md says how). Each phrase is found in the recording to the sample.
"""

import multiprocessing
import time
from itertools import pairwise
from typing import Any

import numpy as np
import sounddevice
from numpy.typing import NDArray
from scipy.signal import correlate

from benchmarks.command import read_options, write_json
from recitation.playback.loopback import measure_latency
from recitation.playback.player import Player, ReadingSettings
from recitation.playback.reports import Failed, Opened, PhraseStarted, State, StateChanged, Underran
from recitation.playback.stream_clock import StreamClock
from recitation.reading.order import Order, reading_order
from recitation.reading.phrase import Half
from recitation.reading.plan import SAMPLE_RATE, Spacing, sample_to_ns
from recitation.reading.practice import steps
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import find_voice

_FINGERPRINT = 24_000
_SEARCH_S = 3.0
_RING_OUT_S = 3.0


class Recording:
    """Everything that is heard, and when each sample was heard."""

    def __init__(self) -> None:
        self.clock = StreamClock()
        self.overflows = 0
        self._blocks: list[NDArray[np.float32]] = []
        self._samples = 0
        self._stream = sounddevice.InputStream(
            samplerate=SAMPLE_RATE, channels=1, dtype="float32", latency=0.1, callback=self._take
        )
        self._stream.start()

    def stop(self) -> NDArray[np.float32]:
        """Return the recording, shape (samples,)."""
        self._stream.stop()
        self._stream.close()
        return np.concatenate(self._blocks)

    def _take(self, block: Any, frames: int, times: Any, status: Any) -> None:
        heard_s, now_ns = times.inputBufferAdcTime - self._stream.time, time.perf_counter_ns()
        self.overflows += bool(status.input_overflow)
        self.clock.observe(self._samples, now_ns + round(heard_s * 1e9))
        self._blocks.append(block[:, 0].copy())
        self._samples += frames


def main() -> None:
    """Measure and print one line per figure."""
    options = read_options(__doc__, poems=20, busy=2)
    order = reading_order(Order.SHUFFLE, 1, count=options.poems)
    device, latency = measure_latency()
    print(f"{device}: {latency}")
    if not latency:
        raise SystemExit("the device's latency could not be measured")
    reading = ReadingSettings(
        steps(order), spacing=Spacing(lead_s=0.1, wait_s=1.0), latencies={device: latency}
    )
    busy = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(options.busy)]
    for process in busy:
        process.start()
    recording = Recording()
    began_ns = time.perf_counter_ns()
    started, underruns = played(reading)
    recorded = recording.stop()
    for process in busy:
        process.terminate()
    figures = _figures(reading, started, recorded, recording.clock)
    figures |= {
        "first_sound_s": (started[0].t_ns - began_ns) / 1e9,
        "underruns": underruns,
        "overflows_of_the_recorder": recording.overflows,
    }
    for name, value in figures.items():
        print(f"{name:40s} {value:.3f}" if isinstance(value, float) else f"{name:40s} {value}")
    write_json(options.json, figures)


def played(reading: ReadingSettings) -> tuple[list[PhraseStarted], int]:
    """Play a reading to its end; return what was told of each half, and how often the device ran dry."""
    started: list[PhraseStarted] = []
    underruns = 0
    with Player(reading) as player:
        while True:
            for report in player.reports(1.0):
                match report:
                    case PhraseStarted():
                        started.append(report)
                    case Underran(count=count):
                        underruns = count
                    case Failed(text=text) | Opened(silent=text) if text:
                        raise SystemExit(text)
                    case StateChanged(state=State.ENDED):
                        time.sleep(_RING_OUT_S)
                        return started, underruns
                    case _:
                        pass


def _figures(
    reading: ReadingSettings, started: list[PhraseStarted], recorded: NDArray[np.float32], clock: StreamClock
) -> dict[str, Any]:
    voice = find_voice(reading.voice, reading.rhythm)
    onsets: list[int] = []
    for start in started:
        begin = voice.clip(start.phrase).wave[:_FINGERPRINT]
        # where it was told to be, on the recorder's own samples; then as far as it may be wrong
        told = round((start.t_ns - clock.instant(0)[0]) * SAMPLE_RATE / 1e9)
        low = max(told - round(_SEARCH_S * SAMPLE_RATE), onsets[-1] + SAMPLE_RATE if onsets else 0)
        near = recorded[low : told + round(_SEARCH_S * SAMPLE_RATE)]
        onsets.append(low + most_alike(near, begin))
    relative_ms, expected = [], {Half.KAMI: 8.0, Half.SHIMO: None}
    for (before, at), (after, then) in pairwise(zip(started, onsets, strict=True)):
        apart_s = expected[after.phrase.half]
        if apart_s is not None and before.phrase.half is Half.SHIMO:
            relative_ms.append(abs((then - at) / SAMPLE_RATE - apart_s) * 1e3)
    told_ns = np.array([start.t_ns for start in started])
    heard_ns = np.array([clock.instant(0)[0] + sample_to_ns(onset) for onset in onsets])
    error_ms = (told_ns - heard_ns) / 1e6
    wrong_ms = np.abs(error_ms)
    for start, error in zip(started, error_ms, strict=True):
        print(
            f"  {start.phrase!s:12} told - heard {error:8.3f} ms, told with +- {start.t_unc_ns / 1e6:.3f} ms"
        )
    return {
        "phrases": len(started),
        "rhythm": str(DEFAULT),
        "relative_onset_error_p99_ms": float(np.percentile(relative_ms, 99)),
        "told_minus_heard_median_ms": float(np.median(error_ms)),
        "told_minus_heard_p95_ms": float(np.percentile(wrong_ms, 95)),
        "told_minus_heard_max_ms": float(wrong_ms.max()),
        "told_within_uncertainty": float(np.mean(wrong_ms <= [start.t_unc_ns / 1e6 for start in started])),
    }


def most_alike(heard: NDArray[np.float32], begin: NDArray[np.float32]) -> int:
    """Return where a recording is most like a clip's beginning, however loud it is elsewhere."""
    alike = correlate(heard.astype(np.float64), begin.astype(np.float64), mode="valid")
    energy = np.concatenate([[0.0], np.cumsum(heard.astype(np.float64) ** 2)])
    own = energy[len(begin) :] - energy[: -len(begin)]
    return int(np.argmax(alike / np.sqrt(own + 1e-3 * own.max())))


def _burn() -> None:
    while True:
        sum(range(10_000))


if __name__ == "__main__":
    main()
