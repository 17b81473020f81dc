"""Readings to learn from: what many readers would sound like, as bands with a phoneme for each frame.

No wave is made. An HTS voice says each ku once as mel-cepstra. A lesson stretches them to a chant or to
speech, changes the vocal tract, chooses a pitch and sums the power of the harmonics and of the breath in
every band. Room, microphone, noise and card slaps are added as power too. A lesson takes milliseconds, so no
two are alike.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from scipy.signal import lfilter

from recitation.chant.pronunciation import _SOUNDS, spoken
from recitation.chant.speech import UNVOICED, VOWELS, Speaker, warped
from recitation.listening.bands import BANDS, HOP, WINDOW, Bands, Usual, band_weights, normalised
from recitation.listening.hearing import EVERY_PHRASE
from recitation.listening.phoneme_net import INDEX, PHONEMES, SILENCE, phoneme_class
from recitation.reading.plan import SAMPLE_RATE

FRAME_S: Final = HOP / SAMPLE_RATE
_RANDOM_KU: Final = 400
_HALF_FRAMES: Final = 8.0  # after so many frames of one sound (80 ms) a frame counts half
_GRID_HZ: Final = np.arange(0.0, 9_000.0, 25.0)

_LINES_HZ: Final = 3_500.0

Floats = NDArray[np.float64]
Cepstrum = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Ku:
    """One ku as a voice says it: phonemes, their edges and mel-cepstra in frames of 5 ms."""

    phonemes: tuple[str, ...]
    edges: NDArray[np.int64]
    cepstra: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Voice:
    """What one voice says."""

    ku: Sequence[Ku]  # all of `texts`
    tract: float  # length of its vocal tract beside the usual one of all voices


Bank = Sequence[Voice]


def texts(dice: np.random.Generator) -> list[str]:
    """Return the ku of all verses and as many random ones, so that no poem is learnt by heart."""
    known = sorted({ku for phrase in EVERY_PHRASE for ku in spoken(phrase)})
    sounds = sorted(_SOUNDS)
    made = ["".join(dice.choice(sounds, dice.integers(4, 9))) for _ in range(_RANDOM_KU)]
    # a verse begins with no N, and the speech model reads these two spellings as long vowels or not at whim
    return known + [ku for ku in made if ku[0] != "ン" and "ョウ" not in ku and "ュウ" not in ku]


def bank(voices: Sequence[Path | None]) -> Bank:
    """Let each voice say each ku; None is the bundled voice. Takes about a minute for each voice."""
    said = []
    for place, voice in enumerate(voices):
        speaker, own = Speaker(voice), []
        for ku in texts(np.random.default_rng(place)):
            speech = speaker.speak(ku)
            own.append(Ku(speech.phonemes, speech.edges, speech.cepstra.astype(np.float32)))
        said.append(own)
    return evened(said)


def evened(said: Sequence[Sequence[Ku]]) -> Bank:
    """Give all voices the same mean spectrum, and measure the length of their vocal tracts.

    One voice was recorded so dull that nothing is left above 2 kHz.
    """
    means = [_mean_vowel(own, VOWELS) for own in said]
    common = np.mean(means, axis=0)
    even = [
        [Ku(ku.phonemes, ku.edges, ku.cepstra + (common - mean)) for ku in own]
        for own, mean in zip(said, means, strict=True)
    ]
    lengths = np.array([_tract(own, even[0]) for own in even])
    lengths /= np.exp(np.log([lengths.min(), lengths.max()]).mean())
    return [Voice(own, float(length)) for own, length in zip(even, lengths, strict=True)]


def _tract(said: Sequence[Ku], beside: Sequence[Ku]) -> float:
    """Return the length of a voice's vocal tract beside another's, from the envelopes of its vowels."""
    own, other = ([_mean_vowel(ku, vowel) for vowel in "aiueo"] for ku in (said, beside))
    return float(min(np.arange(0.7, 1.5, 0.02), key=lambda tract: _unlike(own, other, 1 / tract)))


def _unlike(own: Sequence[Cepstrum], other: Sequence[Cepstrum], tract: float) -> float:
    order = np.arange(len(own[0]))
    hz = np.arange(300.0, 5_000.0, 50.0)
    mine, theirs = (np.cos(np.outer(order, warped(2 * np.pi * hz * t / SAMPLE_RATE))) for t in (tract, 1.0))
    gaps = [one @ mine - two @ theirs for one, two in zip(own, other, strict=True)]
    return float(np.mean([np.var(gap) for gap in gaps]))


def _mean_vowel(said: Sequence[Ku], wanted: Container[str]) -> Cepstrum:
    vowels = [
        ku.cepstra[begin:end].mean(axis=0)
        for ku in said
        for name, (begin, end) in zip(ku.phonemes, pairwise(ku.edges), strict=True)
        if name in wanted
    ]
    return np.asarray(np.mean(vowels, axis=0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A half verse as it may be heard."""

    bands: Bands  # (frames, BANDS), normalised
    classes: NDArray[np.int64]  # (frames,) index of the phoneme
    shape: NDArray[np.float32]  # (BANDS,) mean spectrum of its own sounding frames


def lesson(voice: Voice, dice: np.random.Generator, typical: NDArray[np.float32]) -> Lesson:
    """Make a lesson from one voice's ku.

    `typical`: (BANDS,) the usual spectrum of a reader who is not known.
    """
    reader, said = _Reader(dice, voice.tract), voice.ku
    hall = _Hall(dice)
    first = hall.hear_verse(*reader.read(said), dice)
    if dice.random() < 0.5:
        # this reader was heard before, in the same hall
        other, _ = hall.hear_verse(*reader.read(said), dice)
        typical = normalised(other, Usual(typical))[1]
    bands, classes = first
    beside, shape = normalised(bands, Usual(typical))
    return Lesson(beside, classes, shape)


def run_weights(classes: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return how much each frame counts, (frames,): late in a long sound less."""
    starts = np.flatnonzero(np.diff(classes, prepend=-1))
    since = np.arange(len(classes)) - np.repeat(starts, np.diff([*starts, len(classes)]))
    return np.asarray(1 / (1 + since / _HALF_FRAMES), np.float32)


class _Reader:
    """A throat, a pitch and a manner."""

    def __init__(self, dice: np.random.Generator, own_tract: float) -> None:
        self.dice = dice
        self.chants = dice.random() < 0.65
        self.tract = np.exp(dice.uniform(-0.11, 0.11)) / own_tract
        self.bend = dice.normal(0.0, 0.05, 2)
        self.tilt = dice.normal(0.0, 0.14, 13) / np.sqrt(1 + np.arange(13))
        self.sharp = dice.uniform(0.75, 1.25)
        self.tone_hz = 440 * 2 ** ((dice.uniform(43, 71) - 69) / 12)
        self.pace = np.exp(dice.normal(0.0, 0.25))
        self.mora_s = dice.uniform(0.13, 0.30)
        self.breath = dice.uniform(0.0, 0.35)

    def read(self, said: Sequence[Ku]) -> tuple[Floats, NDArray[np.int64]]:
        """Return the power in each band and the phoneme of each frame."""
        dice = self.dice
        cepstra, classes, voiced, pitch = [], [], [], []
        count = dice.integers(2, 4)
        chosen = [said[place] for place in dice.integers(0, len(said), count)]
        lead = self._gap(0.0, 0.3)
        for place, ku in enumerate(chosen):
            silent = lead if place == 0 else self._gap(0.0, 0.25 if self.chants else 0.5)
            last = place == count - 1
            own, own_classes, own_voiced = self._stretched(ku, last=last)
            cepstra += [np.zeros((silent, own.shape[1])), own]
            classes += [np.full(silent, INDEX[SILENCE]), own_classes]
            voiced += [np.zeros(silent), own_voiced]
            pitch += [np.full(silent, self.tone_hz), self._pitch_hz(len(own), place)]
        tail = self._gap(0.1, 0.8)
        cepstra.append(np.zeros((tail, own.shape[1])))
        classes.append(np.full(tail, INDEX[SILENCE]))
        voiced.append(np.zeros(tail))
        pitch.append(np.full(tail, self.tone_hz))
        labels = np.concatenate(classes)
        power = self._power(np.concatenate(cepstra), np.concatenate(voiced), np.concatenate(pitch))
        power[labels == INDEX[SILENCE]] = 0.0
        # a window of 25 ms sees a little of its neighbours
        power = 0.2 * np.roll(power, 1, axis=0) + 0.6 * power + 0.2 * np.roll(power, -1, axis=0)
        return power, labels

    def _gap(self, least_s: float, most_s: float) -> int:
        return round(self.dice.uniform(least_s, most_s) / FRAME_S)

    def _stretched(self, ku: Ku, *, last: bool) -> tuple[Floats, NDArray[np.int64], Floats]:
        dice = self.dice
        places, classes, voiced = [], [], []
        final = len(ku.phonemes) - 1
        for index, (name, (begin, end)) in enumerate(zip(ku.phonemes, pairwise(ku.edges), strict=True)):
            own_s = (end - begin) * 0.005
            vowel = name in VOWELS
            if self.chants and vowel:
                length_s = max(self.mora_s * dice.uniform(0.7, 1.3) - 0.06, 0.06)
                if index == final:
                    length_s += dice.uniform(0.2, 3.0 if last else 1.2)
                elif dice.random() < 0.05:
                    length_s += dice.uniform(0.1, 0.8)
            elif self.chants:
                length_s = min(own_s * dice.uniform(0.7, 1.4), 0.6 * self.mora_s)
            else:
                length_s = own_s * self.pace * dice.uniform(0.75, 1.3)
            frames = max(round(length_s / FRAME_S), 1)
            places.append(_path(float(begin), float(end), frames, vowel=vowel))
            classes.append(np.full(frames, phoneme_class(name)))
            devoiced = (
                not self.chants
                and name in {"i", "u"}
                and index > 0
                and ku.phonemes[index - 1] in UNVOICED
                and (index == final or ku.phonemes[index + 1] in UNVOICED)
                and dice.random() < 0.5
            )
            voiced.append(np.full(frames, float(name not in UNVOICED and not devoiced)))
        place = np.clip(np.concatenate(places), 0, len(ku.cepstra) - 1.001)
        low = place.astype(int)
        part = (place - low)[:, None]
        cepstra = (1 - part) * ku.cepstra[low] + part * ku.cepstra[np.minimum(low + 1, len(ku.cepstra) - 1)]
        fade = min(round(dice.uniform(0.03, 2.0 if self.chants else 0.1) / FRAME_S), len(cepstra))
        cepstra[len(cepstra) - fade :, 0] -= np.linspace(0.0, dice.uniform(0.5, 3.0), fade)
        cepstra[:, 1:14] += self.tilt
        cepstra[:, 1:] *= self.sharp
        drift = gaussian_filter1d(dice.standard_normal((len(cepstra), 13)), 12.0, axis=0, mode="nearest")
        cepstra[:, 1:14] += dice.uniform(0.0, 0.5) * drift / np.sqrt(1 + np.arange(13))
        return cepstra, np.concatenate(classes), gaussian_filter1d(np.concatenate(voiced), 0.5)

    def _pitch_hz(self, frames: int, place: int) -> Floats:
        dice = self.dice
        t_s = np.arange(frames) * FRAME_S
        if self.chants:
            drop_st = dice.uniform(4, 13) if place == 0 else dice.uniform(0, 9)
            rise_s = dice.uniform(0.1, 0.5)
            st = -drop_st / (1 + np.exp((t_s - rise_s) / 0.05))
            st += dice.uniform(0.0, 0.4) * np.sin(2 * np.pi * dice.uniform(4.5, 6.5) * t_s)
            st -= dice.uniform(0, 2) * np.clip((t_s - t_s[-1] + 0.5) / 0.5, 0, 1)
        else:
            st = gaussian_filter1d(dice.standard_normal(frames), 15.0) * dice.uniform(3, 14)
            st -= dice.uniform(0, 4) * t_s
        return np.asarray(np.maximum(self.tone_hz * 2 ** (st / 12), 80.0))

    def _power(self, cepstra: Floats, voiced: Floats, pitch_hz: Floats) -> Floats:
        bent = (
            1
            + self.bend[0] * np.sin(np.pi * _GRID_HZ / 5_000)
            + self.bend[1] * np.sin(2 * np.pi * _GRID_HZ / 5_000)
        )
        omega = np.minimum(2 * np.pi * _GRID_HZ * self.tract * bent / SAMPLE_RATE, np.pi)
        table = np.cos(np.outer(np.arange(cepstra.shape[1]), warped(omega))).astype(np.float32)
        envelope = np.exp(2 * np.clip(cepstra.astype(np.float32) @ table, -12, 12))
        # wide bands hold so many harmonics that these are no other than noise
        noisy = np.where(_GRID_HZ < _LINES_HZ, (self.breath * _GRID_HZ / (_GRID_HZ + 1_500)) ** 2, 1.0)
        share = (voiced[:, None] * noisy + (1 - voiced[:, None])).astype(np.float32)
        breath = (envelope * share) @ _WEIGHTS * 25.0
        hz = pitch_hz[:, None] * np.arange(1, int(_LINES_HZ / pitch_hz.min()) + 1)
        place = np.minimum(hz / 25.0, len(_GRID_HZ) - 1).astype(int)
        rows = np.arange(len(cepstra))[:, None]
        line = envelope[rows, place] * ((1 - noisy)[place] * voiced[:, None] * pitch_hz[:, None])
        spread = np.zeros(envelope.shape, np.float32)
        spread[rows, place] = line
        tone = spread @ _WEIGHTS
        return np.asarray(tone + breath * self.dice.gamma(_DEGREES, 1 / _DEGREES, breath.shape))


class _Hall:
    """A room, a microphone and what else is heard there."""

    def __init__(self, dice: np.random.Generator) -> None:
        self.echo_s = dice.uniform(0.15, 1.3) if dice.random() < 0.6 else 0.0
        self.echo_db = dice.uniform(-22.0, -3.0)
        curve = gaussian_filter1d(dice.standard_normal(BANDS), 4.0, mode="nearest")
        curve *= dice.uniform(0, 1.2) / max(curve.std(), 1e-9)
        self.curve = curve + dice.normal(0.0, 1.3) * np.linspace(-1, 1, BANDS)
        if dice.random() < 0.15:  # a telephone or a small loudspeaker
            self.curve -= np.linspace(6, 0, BANDS) ** 2 / 4 * dice.random()
            self.curve[BANDS - dice.integers(1, 8) :] -= dice.uniform(2, 8)
        self.noise_db = -dice.uniform(8, 65)
        slope = dice.uniform(-4.0, 1.5)
        self.noise = np.exp(
            np.linspace(0, slope, BANDS) + gaussian_filter1d(dice.standard_normal(BANDS), 3.0)
        )
        self.slaps = dice.random() < 0.25

    def hear_verse(
        self, power: Floats, classes: NDArray[np.int64], dice: np.random.Generator
    ) -> tuple[Bands, NDArray[np.int64]]:
        """Return the log bands of what arrives."""
        if self.echo_s:
            decay = 10 ** (-6 * FRAME_S / self.echo_s)
            late = lfilter([0.0, 1 - decay], [1.0, -decay], power, axis=0)
            power = (
                power + 10 ** (self.echo_db / 10) * late * dice.gamma(2.0, 0.5, power.shape) / FRAME_S * 0.1
            )
        power = power * np.exp(self.curve)
        sounding = classes != INDEX[SILENCE]
        mean = power[sounding].sum(axis=1).mean()
        noise = self.noise / self.noise.sum() * mean * 10 ** (self.noise_db / 10)
        power = power + noise * dice.gamma(_DEGREES, 1 / _DEGREES, power.shape)
        if self.slaps:
            for at in dice.integers(0, len(power), dice.integers(1, 4)):
                fall = np.exp(-np.arange(8) / dice.uniform(0.6, 2.0))[: len(power) - at]
                colour = np.exp(gaussian_filter1d(dice.standard_normal(BANDS), 5.0) * 3)
                strength = mean * 10 ** (dice.uniform(-20, 6) / 10) / BANDS
                power[at : at + len(fall)] += strength * fall[:, None] * colour
        return np.asarray(np.log(power + mean * 1e-8), np.float32), classes


def _path(begin: float, end: float, frames: int, *, vowel: bool) -> Floats:
    """Return which of a phoneme's own frames of 5 ms sound in each frame: a long vowel holds its middle."""
    t = (np.arange(frames) + 0.5) / frames
    length, wanted = end - begin, 2.0 * frames
    if vowel and wanted > length:
        edge = min(9.0, 0.4 * length)
        share = edge / wanted
        return np.interp(t, [0, share, 1 - share, 1], [begin, begin + edge, end - edge, end])
    return begin + t * length


def _band_table() -> NDArray[np.float32]:
    """Return the weight of a line at each frequency of the grid, blurred by the window's main lobe."""
    fine_hz = np.arange(0.0, _GRID_HZ[-1] + 200.0, 5.0)
    lobe_hz = 2 * SAMPLE_RATE / WINDOW
    lobe = np.cos(0.5 * np.pi * np.linspace(-1, 1, round(2 * lobe_hz / 5.0) + 1)[1:-1]) ** 4
    fine = band_weights(fine_hz)
    blurred = np.stack([np.convolve(column, lobe / lobe.sum(), mode="same") for column in fine.T], axis=1)
    return blurred[np.searchsorted(fine_hz, _GRID_HZ)].astype(np.float32)


_WEIGHTS: Final = _band_table()
_DEGREES: Final = np.maximum(_WEIGHTS.sum(axis=0) * 25.0 * 0.0167, 1.0)
"""How many independent turns of noise a band sees within a window: its power follows a gamma distribution."""
assert len(PHONEMES) == len(INDEX)
