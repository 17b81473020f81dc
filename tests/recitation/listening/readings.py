"""Readings for the listener: the built-in voices changed in pitch and pace, with silences between halves."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
from scipy.signal import resample_poly

from recitation.chant.pronunciation import moras, spoken
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import parse_rhythm
from recitation.sound.clip import Wave
from recitation.voices.catalogue import PACKS, pack_path
from recitation.voices.pack import VoicePack


def said(phrase: Phrase, voice: str = "low", up: int = 10, down: int = 9) -> Wave:
    """Return a half by a built-in voice whose pitch, resonances and pace were moved together."""
    clip = VoicePack.open(pack_path(voice, parse_rhythm("5-3-1-6"), PACKS)).clip(phrase).wave
    return np.asarray(resample_poly(clip, down, up), dtype=np.float32)


def said_with_pauses(poem: int, pauses_s: Sequence[float], voice: str = "low") -> list[Wave]:
    """Return the ku of an upper half by a built-in voice, each followed by silence."""
    up, down = 10, 9
    clip = VoicePack.open(pack_path(voice, parse_rhythm("5-3-1-6"), PACKS)).clip(Phrase(poem, Half.KAMI))
    sizes = [len(moras(ku)) for ku in spoken(Phrase(poem, Half.KAMI))]
    cuts = [clip.moras[first].sample for first in [0, *accumulate(sizes)][: len(sizes)]]
    parts = [clip.wave[first:last] for first, last in pairwise([0, *cuts[1:], len(clip.wave)])]
    return [
        np.pad(np.asarray(resample_poly(part, down, up), np.float32), (0, round(pause_s * SAMPLE_RATE)))
        for part, pause_s in zip(parts, pauses_s, strict=True)
    ]


def in_a_room(*parts: Wave) -> Wave:
    """Join sounds, with 2 s of silence before and 3 s after them, in a quiet room."""
    wave = np.pad(np.concatenate(parts), (2 * SAMPLE_RATE, 3 * SAMPLE_RATE))
    return np.asarray(wave + 0.0005 * np.random.default_rng(8).standard_normal(len(wave)), np.float32)


def evening(phrases: Sequence[Phrase], voice: str = "low", pause_s: float = 1.0) -> tuple[Wave, list[int]]:
    """Return halves in a quiet room, and the sample at which each begins."""
    silence = np.zeros(round(pause_s * SAMPLE_RATE), np.float32)
    parts, onsets = [np.zeros(SAMPLE_RATE, np.float32)], []
    for phrase in phrases:
        onsets.append(sum(map(len, parts)))
        parts += [said(phrase, voice), silence]
    wave = np.concatenate(parts)
    room = 0.0005 * np.random.default_rng(8).standard_normal(len(wave))
    return np.asarray(wave + room, dtype=np.float32), onsets


def noisy(wave: Wave, snr_db: float) -> Wave:
    """Add white noise so many decibels below the loud parts."""
    noise = np.random.default_rng(3).standard_normal(len(wave))
    loud = wave[np.abs(wave) > 0.01]
    scaled = noise * np.sqrt(np.mean(loud**2)) * 10 ** (-snr_db / 20)
    return np.asarray(wave + scaled, dtype=np.float32)
