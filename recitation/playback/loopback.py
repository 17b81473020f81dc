"""Measuring the latency of a loudspeaker: it plays chirps, and a microphone beside it records them.

The latency is the time from the instant that the output card promised to the instant that the input card
stamps. It covers converter, amplifier, wireless link and air, and also the microphone's own delay (a few
milliseconds at most on a wired one).
"""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.signal import correlate

from calibration.clocks.spread import middle_and_spread
from calibration.failure import FailedEstimation
from calibration.peak import beside_peak
from recitation.playback.sound_in import Microphone
from recitation.playback.sound_out import PortAudioOut
from recitation.playback.stream_clock import Latency, StreamClock
from recitation.playback.timeline import Timeline
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, Cue, samples
from recitation.sound.clip import Wave

_CHIRP_S = 0.03
_CHIRP_HZ = (900.0, 7_000.0)
_LEVEL = 0.4
_GAPS_S = (0.41, 0.53, 0.37, 0.59, 0.47, 0.43, 0.61, 0.39, 0.57, 0.45, 0.51, 0.55)
"""Silences between chirps, all different, so that no chirp is taken for its neighbour."""
_SETTLE_S = 8.0  # time for a sound server to wake and settle
_LATEST_S = 0.7
_EARLIEST_S = 0.1
_RING_OUT_S = 2.5
_SPREAD_S = 0.02  # largest distance of a single chirp from the common latency
_ALIKE = 0.5
_QUIET = 1e-4
_LEAST_HEARD = 0.6
_LEAST_UNC_NS = 100_000
_NOT_RUNNING = "close what else uses sound and measure again; `shinpan doctor` names the devices"


def chirp_train() -> tuple[Wave, tuple[int, ...]]:
    """Return the sound that is played, (samples,), and the sample at which each chirp begins."""
    starts, at = [], 0
    for gap_s in _GAPS_S:
        starts.append(at)
        at += samples(_CHIRP_S + gap_s)
    wave = np.zeros(at, dtype=np.float32)
    for start in starts:
        wave[start : start + samples(_CHIRP_S)] = chirp()
    return wave, tuple(starts)


def chirp() -> Wave:
    """Return one chirp: 30 ms, rising in pitch, faded in and out."""
    t_s = np.arange(samples(_CHIRP_S)) / SAMPLE_RATE
    low, high = _CHIRP_HZ
    turns = low * t_s + (high - low) * t_s**2 / (2 * _CHIRP_S)
    return (_LEVEL * np.hanning(len(t_s)) * np.sin(2 * np.pi * turns)).astype(np.float32)


def measure_latency(
    device: str | int | None = None, microphone: str | int | None = None
) -> tuple[str, Latency | FailedEstimation]:
    """Play chirps on one device and record them on another; takes about 15 s.

    Raises NoSoundError if a device cannot be opened.

    Returns: the name of the device that played, and its latency or why it could not be measured.
    """
    timeline, out_clock = Timeline(), StreamClock()
    out = PortAudioOut(timeline, device, out_clock)
    wave, starts = chirp_train()
    cue = Cue(Phrase(JOKA, Half.KAMI), samples(_SETTLE_S), len(wave))
    with Microphone(microphone) as recorder:
        out.start()
        try:
            timeline.schedule([(cue, wave)])
            time.sleep(_SETTLE_S)
            out_clock.restart()
            recorder.clock.restart()
            time.sleep(len(wave) / SAMPLE_RATE + _RING_OUT_S)
            first = timeline.started.popleft().stream_sample if timeline.started else None
        finally:
            out.close()
        recorded = np.concatenate([np.zeros(0, np.float32), *recorder.blocks()])
    if first is None or not out_clock.is_known:
        return out.name, FailedEstimation(f"{out.name} played nothing", _NOT_RUNNING)
    if not recorder.clock.is_known:
        return out.name, FailedEstimation("the microphone sent nothing", _NOT_RUNNING)
    promised_ns = [out_clock.instant(first + start)[0] for start in starts]
    return out.name, latency_from(recorded, recorder.clock.instant(0)[0], promised_ns)


def latency_from(
    recorded: Wave, recorded_from_ns: int, promised_ns: Sequence[int]
) -> Latency | FailedEstimation:
    """Find the chirps, which the output card promised for these instants, in a recording at 48 kHz."""
    places = [round((t_ns - recorded_from_ns) * SAMPLE_RATE / 1e9) for t_ns in promised_ns]
    alike = np.stack([_alike(recorded, place) for place in places])
    # a single chirp may be confused with its neighbour, all together cannot: their distances differ
    usual = int(np.argmax(alike.sum(axis=0)))
    late_ns = []
    for t_ns, place, own in zip(promised_ns, places, alike, strict=True):
        near = slice(max(usual - samples(_SPREAD_S), 0), usual + samples(_SPREAD_S))
        best = near.start + int(np.argmax(own[near]))
        if own[best] >= _ALIKE:
            found = place - samples(_EARLIEST_S) + best + beside_peak(own, best)
            late_ns.append(recorded_from_ns + round(found * 1e9 / SAMPLE_RATE) - t_ns)
    if len(late_ns) < _LEAST_HEARD * len(promised_ns):
        return FailedEstimation(
            f"only {len(late_ns)} of {len(promised_ns)} chirps were heard",
            "put the microphone before the loudspeaker, turn the volume up, keep the room quiet",
        )
    median_ns, spread_ns = middle_and_spread(late_ns)
    return Latency(round(median_ns), max(round(spread_ns), _LEAST_UNC_NS), len(late_ns), len(promised_ns))


def _alike(recorded: Wave, place: int) -> NDArray[np.float64]:
    """Return the recording's similarity to a chirp (1: equal) from 0.1 s before a place to 0.7 s after it."""
    template = chirp().astype(np.float64)
    first, last = place - samples(_EARLIEST_S), place + samples(_LATEST_S) + len(template)
    part = np.zeros(last - first)
    inside = recorded[max(first, 0) : max(last, 0)]
    part[max(-first, 0) : max(-first, 0) + len(inside)] = inside
    energy = np.concatenate([[0.0], np.cumsum(part**2)])
    own = np.sqrt(energy[len(template) :] - energy[: -len(template)])
    norm = np.linalg.norm(template) * np.maximum(own, _QUIET * np.sqrt(len(template)))
    alike: NDArray[np.float64] = correlate(part, template, mode="valid") / norm
    return alike
