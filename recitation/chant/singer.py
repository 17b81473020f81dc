"""Singing from parameters: harmonics at the chant's pitch plus noise, both shaped by the model's spectra.

A vocoder that repeats one spectrum over a held vowel buzzes. Here every harmonic is a sinusoid whose level
and phase follow the spectral envelope while the vibrato moves it across the resonances. The envelope drifts
slowly, the breath grows along the held vowel, and the vocal folds modulate the noise.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from scipy.signal import fftconvolve

from recitation.chant.contours import contour_st, level_db
from recitation.chant.score import Score, compose
from recitation.chant.speech import HOP, UNVOICED, Speaker, Speech, stretch, warped
from recitation.reading.phrase import Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import Rhythm
from recitation.sound.loudness import levelled

_HIGHEST_HARMONIC_HZ = 9_500.0
_NOISE_FROM_HZ = 6_300.0
_NOISE_SLOPE_HZ = 700.0
"""Width of the transition from harmonics, below about 6 kHz, to noise: the speech model's own excitation."""
_AIR_UNTIL_HZ = 11_000.0  # higher frequencies are inaudible from a hall's loudspeaker and cost the codec bits
_SPREAD_S = 0.0015  # delay of the highest harmonic of a pulse after the lowest; without it the voice buzzes
_BREATH_FROM_HZ = 1_500.0  # breath is weak below this frequency, so that the lowest harmonics stay clean
_FFT = 1024
_JITTER = 0.0006  # irregularity of the vocal folds: relative standard deviation of the pitch beyond 10 Hz
_MOTION = 0.045
"""Slow drift of the spectrum over a held vowel: standard deviation per cepstral coefficient, in nepers."""
_MOTION_ROWS = slice(1, 14)
_MOTION_S = 0.16
_TRACT_MOTION = 0.007
_PUFFS = 0.6  # modulation depth of the noise by the vocal folds
_HOLD_GROWS_S = 0.8
_ATTACK_S = 0.006
_RELEASE_S = 0.07

_Value = TypeVar("_Value", np.float64, np.complex128)


@dataclass(frozen=True, slots=True)
class Timbre:
    """The parameters that make one voice of the speech model."""

    tone_st: float  # reciting tone in semitones (69 = 440 Hz)
    tract: float  # length of the vocal tract relative to the model's; above 1 every resonance is lower
    brightness: float  # gain of the highest over the lowest in nepers
    resonance: float  # strength of the resonances relative to the model's own
    # noise at the beginning and at the end of a held vowel, as parts of the envelope
    breath: tuple[float, float]


TIMBRES = {
    "high": Timbre(tone_st=60.5, tract=1.0, brightness=0.8, resonance=0.85, breath=(0.06, 0.18)),
    "low": Timbre(tone_st=57.0, tract=1.17, brightness=0.0, resonance=1.0, breath=(0.05, 0.15)),
}
"""The built-in voices."""


@dataclass
class Singer:
    """The built-in reader with one speech model; spoken ku are cached."""

    speaker: Speaker

    def __post_init__(self) -> None:
        self._spoken: dict[str, Speech] = {}

    def sing(self, phrase: Phrase, rhythm: Rhythm, timbre: Timbre) -> tuple[NDArray[np.float32], Score]:
        """Chant one half, levelled to -20 LUFS, peaks below 1; ValueError if the rhythm is "as recorded"."""
        score = compose(phrase, rhythm)
        cepstra, voiced = self._parameters(score)
        cepstra[:, 1] -= 0.5 * timbre.brightness
        cepstra[:, 2:] *= timbre.resonance
        dice = np.random.default_rng([phrase.poem, len(phrase.half)])
        hold = _hold(score, len(cepstra))
        cepstra[:, _MOTION_ROWS] += (
            _MOTION * hold[:, None] * _smooth(dice, (len(cepstra), 13), _MOTION_S * SAMPLE_RATE / HOP)
        )
        sound = _Sound(
            cepstra,
            voiced,
            tract=timbre.tract * (1 + _TRACT_MOTION * hold * _smooth(dice, (len(cepstra),), 60.0)),
            breath=timbre.breath[0] + (timbre.breath[1] - timbre.breath[0]) * hold,
        )
        pitch_hz = 440.0 * 2 ** ((contour_st(score, timbre.tone_st) - 69) / 12)
        jitter = _upsampled(_smooth(dice, (len(cepstra),), 0.6), score.samples)
        turns = np.cumsum(pitch_hz * (1 + _JITTER * jitter)) / SAMPLE_RATE
        wave = _harmonics(sound, pitch_hz, turns) + _noise(sound, turns, dice)
        return levelled(_in_room(wave * _envelope(score))).astype(np.float32), score

    def phonemes(self, score: Score) -> tuple[tuple[str, ...], ...]:
        """Return the phonemes that the speech model spoke for each ku of a half, to check its reading."""
        return tuple(self._speak(ku).phonemes for ku in score.ku)

    def _parameters(self, score: Score) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        frames = -(-score.samples // HOP) + 1
        cepstra = np.zeros((frames, 0))
        voiced = np.zeros(frames)
        for index, ku in enumerate(score.ku):
            beats = score.of_ku(index)
            own, own_voiced = stretch(self._speak(ku), beats)
            if not cepstra.shape[1]:
                cepstra = np.zeros((frames, own.shape[1]))
            at = beats[0].start // HOP
            count = min(len(own), frames - at)
            cepstra[at:], voiced[at:] = own[count - 1], own_voiced[count - 1]
            cepstra[at : at + count], voiced[at : at + count] = own[:count], own_voiced[:count]
        return cepstra, gaussian_filter1d(voiced, 0.8)

    def _speak(self, ku: str) -> Speech:
        if ku not in self._spoken:
            self._spoken[ku] = self.speaker.speak(ku)
        return self._spoken[ku]


@dataclass(frozen=True)
class _Sound:
    """The parameters to sing, one row or value per frame: spectra, voicing, tract length, breath."""

    cepstra: NDArray[np.float64]
    voiced: NDArray[np.float64]
    tract: NDArray[np.float64]
    breath: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.cepstra)

    @property
    def order(self) -> NDArray[np.int64]:
        return np.arange(self.cepstra.shape[1])


def _harmonics(
    sound: _Sound, pitch_hz: NDArray[np.float64], turns: NDArray[np.float64]
) -> NDArray[np.float64]:
    count = len(turns)
    wave = np.zeros(count)
    at_frames = pitch_hz[np.minimum(np.arange(len(sound)) * HOP, count - 1)]
    # a pulse train of unit power has harmonics of amplitude 2 / sqrt(period in samples)
    pulse = 2 * np.sqrt(at_frames / SAMPLE_RATE) * sound.voiced
    once = np.exp(2j * np.pi * turns)
    turned = np.ones(count, dtype=np.complex128)
    for harmonic in range(1, int(_HIGHEST_HARMONIC_HZ / pitch_hz.min()) + 1):
        hz = harmonic * at_frames
        omega = np.minimum(2 * np.pi * hz * sound.tract / SAMPLE_RATE, np.pi)
        angle = np.outer(warped(omega), sound.order)
        level = pulse * np.exp((sound.cepstra * np.cos(angle)).sum(axis=1))
        level *= np.sqrt(1 - _noise_part(hz, sound.breath) ** 2) * (hz < _HIGHEST_HARMONIC_HZ)
        # minimum phase, in closed form
        phase = -(sound.cepstra * np.sin(angle)).sum(axis=1)
        phase -= np.pi * _SPREAD_S * hz**2 / _HIGHEST_HARMONIC_HZ
        turned *= once
        wave += (turned * _upsampled(level * np.exp(1j * phase), count)).real
    return wave


def _noise(sound: _Sound, turns: NDArray[np.float64], dice: np.random.Generator) -> NDArray[np.float64]:
    bins = _FFT // 2 + 1
    hz = np.linspace(0.0, SAMPLE_RATE / 2, bins)
    part = sound.voiced[:, None] * _noise_part(hz, sound.breath[:, None]) + (1 - sound.voiced[:, None])
    part = part / np.sqrt(1 + (hz / _AIR_UNTIL_HZ) ** 16)
    white = dice.standard_normal(len(sound) * HOP + _FFT)
    # the breath comes in puffs, one per period of the vocal folds
    white[: len(turns)] *= 1 + _PUFFS * np.cos(2 * np.pi * turns) * _upsampled(sound.voiced, len(turns))
    window = np.sqrt(np.hanning(2 * HOP + 1)[:-1])
    blocks = np.lib.stride_tricks.sliding_window_view(white, 2 * HOP)[::HOP][: len(sound)] * window
    shaped = np.fft.irfft(np.fft.rfft(blocks, _FFT) * _envelopes(sound, bins) * part, _FFT)[:, : 2 * HOP]
    wave = np.zeros((len(sound) + 1) * HOP)
    for frame, block in enumerate(shaped * window):
        wave[frame * HOP : (frame + 2) * HOP] += block
    return wave[HOP : HOP + len(turns)]  # a block is centred `HOP` after its start


def _envelopes(sound: _Sound, bins: int) -> NDArray[np.float64]:
    """Return every frame's spectral envelope, (frames, bins); a longer tract compresses its frequencies."""
    own = sound.cepstra @ np.cos(np.outer(sound.order, warped(np.linspace(0.0, np.pi, bins))))
    place = np.minimum(np.arange(bins) * sound.tract[:, None], bins - 1.001)
    low = place.astype(int)
    row = np.arange(len(sound))[:, None]
    return np.asarray(np.exp(own[row, low] + (place - low) * (own[row, low + 1] - own[row, low])))


def _noise_part(hz: NDArray[np.float64], breath: NDArray[np.float64]) -> NDArray[np.float64]:
    high = 1 / (1 + np.exp(-(hz - _NOISE_FROM_HZ) / _NOISE_SLOPE_HZ))
    airy = breath * hz / (hz + _BREATH_FROM_HZ)
    return np.asarray(np.sqrt(high**2 + airy**2 * (1 - high**2)))


def _hold(score: Score, frames: int) -> NDArray[np.float64]:
    """Return how far each frame is into the held vowel at the end of its ku: 0 outside, growing to 1."""
    t_s = np.arange(frames) * HOP / SAMPLE_RATE
    grown = np.zeros(frames)
    for index in range(len(score.ku)):
        last = score.of_ku(index)[-1]
        start_s, end_s = last.start / SAMPLE_RATE, last.end / SAMPLE_RATE
        inside = (t_s >= start_s) & (t_s < end_s)
        grown[inside] = np.clip((t_s[inside] - start_s) / _HOLD_GROWS_S, 0.0, 1.0)
    return gaussian_filter1d(grown, 4.0)


def _envelope(score: Score) -> NDArray[np.float64]:
    """Return the gain of every sample: the level's contour, released before an unvoiced ku and at the end.

    A ku that begins voiced follows without a gap, because readers bind it to the one before.
    """
    gain = np.ones(score.samples)
    attack = np.linspace(0.0, 1.0, samples(_ATTACK_S) + 1)[1:]
    gain[: len(attack)] = attack
    for index in range(len(score.ku)):
        stop = score.of_ku(index)[-1].end
        following = score.of_ku(index + 1)
        if following and following[0].mora.phonemes[0] not in UNVOICED:
            continue
        release = samples(_RELEASE_S)
        gain[stop - release : stop] *= np.cos(0.5 * np.pi * (np.arange(release) + 1) / release) ** 2
        if following:
            start = following[0].start
            gain[stop:start] = 0.0
            gain[start : start + len(attack)] *= attack
    return gain * 10 ** (level_db(score) / 20)


def _smooth(dice: np.random.Generator, shape: tuple[int, ...], sigma: float) -> NDArray[np.float64]:
    """Return noise of unit deviation, smooth over about `sigma` steps of its first axis."""
    slow = gaussian_filter1d(dice.standard_normal(shape), sigma, axis=0, mode="wrap")
    return np.asarray(slow * np.sqrt(2 * sigma * np.sqrt(np.pi)))


def _upsampled(values: NDArray[_Value], count: int) -> NDArray[_Value]:
    """Interpolate one value per frame to one per sample."""
    ramp = np.arange(HOP) / HOP
    line: NDArray[_Value] = (values[:-1, None] + np.diff(values)[:, None] * ramp).ravel()[:count]
    return line


_DECAY_S = 0.15  # time in which the echo fades by 60 dB, as in a small room with tatami
_LOUDNESS = 0.2  # level of the echo relative to the voice


def _in_room(wave: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add a short, quiet echo after the first sample: it raises the DNSMOS signal rating by 0.05 to 0.15."""
    length = samples(_DECAY_S)
    echo = np.random.default_rng(1).standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    echo *= _LOUDNESS / np.sqrt(np.sum(echo**2))
    echo[0] = 1.0
    return np.asarray(fftconvolve(wave, echo)[: len(wave)])
