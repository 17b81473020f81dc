"""How often the listener names the poem, how exactly it finds the first sound, and whether it abstains.

    uv run --extra voices python -m benchmarks.recitation_listening [--every 4]

No reader is one of the templates. The joka teaches the reader first; then each upper half is heard among all
hundred poems. Besides the built-in voice made higher or lower and plain speech of its model, espeak-ng (a
formant synthesiser that shares nothing with the templates) reads with male and female voices where installed.
No human recording was available: for people the figures remain to be measured.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.signal import fftconvolve, resample_poly

from recitation.chant.pronunciation import spoken
from recitation.listening.listener import Listener, Part, listen
from recitation.listening.templates import every_phrase
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave
from recitation.voices import plain_speech
from recitation.voices.catalogue import PACKS
from recitation.voices.pack import VoicePack
from referee.cards.poems import POEMS

_LOOKS_S = (0.6, 0.8, 1.0, 1.5, 2.5)
_KU_GAP = np.zeros(samples(0.06), np.float32)
_ROOM_DB = -60.0
Read = Callable[[Phrase], Wave]


def main() -> None:
    """Print one row per reader."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=4, help="ask every n-th poem")
    options = parser.parse_args()
    asked = list(POEMS)[:: options.every]
    looks = "".join(f"{look_s:6.1f} s" for look_s in _LOOKS_S)
    print(f"{'reader':26s}{looks}   whole  sure  wrong   of {len(asked)}; onset p50 / max ms", flush=True)
    for name, read in readers().items():
        listener = Listener(every_phrase())
        listener.learn([Part(read(Phrase(JOKA, half)), 0.0) for half in Half])
        print(
            f"{name:26s}{_row(listener, read, asked)}{'' if listener.reader else '  (not learnt)'}",
            flush=True,
        )
    print(f"heard as a poem of {len(_NO_POEMS)} sentences that are none: {_false_alarms()}")


def readers() -> dict[str, Read]:
    """Return who reads."""
    packs = {name: VoicePack.open(PACKS / f"{name}.zip") for name in ("high-5-3-1-6", "low-5-3-1-6")}
    low: Read = lambda phrase: packs["low-5-3-1-6"].clip(phrase).wave  # noqa: E731
    found: dict[str, Read] = {
        "low voice, 12 % lower": lambda phrase: _moved(low(phrase), 25, 28),
        "high voice, 12 % higher": lambda phrase: _moved(packs["high-5-3-1-6"].clip(phrase).wave, 28, 25),
        "low voice, noise -30 dB": lambda phrase: _noisy(_moved(low(phrase), 20, 23), -30.0),
        "low voice, noise -20 dB": lambda phrase: _noisy(_moved(low(phrase), 20, 23), -20.0),
        "low voice, echoing 0.4 s": lambda phrase: _echoing(_moved(low(phrase), 20, 23)),
        "plain speech": partial(_spoken, plain_speech.speaker()),
    }
    if shutil.which(plain_speech.ESPEAK):
        for variant, words in (("", 90), ("+m3", 80), ("+f2", 90), ("+f4", 100)):
            speak = partial(plain_speech.espeak, variant=variant, words_per_minute=words)
            found[f"espeak-ng {variant or 'default'}"] = partial(_spoken, speak)
    return found


def _row(listener: Listener, read: Read, asked: list[int]) -> str:
    right = np.zeros(len(_LOOKS_S) + 1, dtype=int)
    sure = wrong = 0
    onsets_ms = []
    for poem in asked:
        wave = read(Phrase(poem, Half.KAMI))
        for place, look_s in enumerate(_LOOKS_S):
            told = listener.begun(wave[: samples(look_s)])
            right[place] += bool(told) and told[0].poem == poem
        told = listener.ended(Part(wave, 0.0)).suggestions
        right[-1] += bool(told) and told[0].poem == poem
        sure += bool(told) and told[0].confidence >= 0.9 and told[0].poem == poem
        wrong += bool(told) and told[0].confidence >= 0.9 and told[0].poem != poem
        onsets_ms += _onset_errors_ms(wave, poem)
    counts = "".join(f"{count:8d}" for count in right)
    onset = f"{np.median(np.abs(onsets_ms)):5.1f} / {np.max(np.abs(onsets_ms)):5.1f}" if onsets_ms else "none"
    return f"{counts}{sure:6d}{wrong:7d}           {onset}"


def _onset_errors_ms(wave: Wave, seed: int) -> list[float]:
    """Return how late the first sound is found after a silence in a quiet room."""
    from recitation.sound.trimming import KEEP_BEFORE_S, noise_level, stretches

    lead = np.zeros(samples(1.3) + 7 * seed, np.float32)
    heard = np.concatenate([lead, wave, np.zeros(samples(1.0), np.float32)])
    room = 10 ** (_ROOM_DB / 20) * np.random.default_rng(seed).standard_normal(len(heard))
    heard = (heard + room).astype(np.float32)
    found = stretches(heard, noise_level(heard))
    return [(found[0][0] + samples(KEEP_BEFORE_S) - len(lead)) / SAMPLE_RATE * 1e3] if found else []


def _false_alarms() -> int:
    """Count sentences that are no poems and yet are named with a confidence of 0.9."""
    count = 0
    for sentence in _NO_POEMS:
        speak = plain_speech.speaker()
        wave = np.concatenate([part for ku in sentence.split() for part in (speak(ku), _KU_GAP)])
        for heard in listen(np.pad(wave, samples(1.0)), Listener(every_phrase())):
            count += bool(heard.suggestions) and heard.suggestions[0].confidence >= 0.9
    return count


_NO_POEMS = (
    "ミナサマコンバンワ キョーワヨイテンキデス ソロソロハジメマス",
    "フルイケヤ カワズトビコム ミズノオト",
    "マモナクデンシャガ マイリマスノデ オサガリクダサイ",
    "シズカニシテクダサイ フダオナラベテ アンキシテクダサイ",
    "イチニサンシ ゴロクシチハチ クジュージューイチ",
    "サクラサクラ ヤヨイノソラワ ミワタスカギリ",
)


def _spoken(speak: Callable[[str], Wave], phrase: Phrase) -> Wave:
    return np.concatenate(
        [part for ku in spoken(phrase) for part in (plain_speech.trimmed(speak(ku)), _KU_GAP)]
    )


def _moved(wave: Wave, up: int, down: int) -> Wave:
    """Return a wave with pitch, resonances and pace moved together."""
    return np.asarray(resample_poly(wave, down, up), dtype=np.float32)


def _noisy(wave: Wave, level_db: float) -> Wave:
    noise = np.random.default_rng(0).standard_normal(len(wave))
    return np.asarray(wave + np.sqrt(np.mean(wave**2)) * 10 ** (level_db / 20) * noise, dtype=np.float32)


def _echoing(wave: Wave) -> Wave:
    """Return a wave in a room that takes 0.4 s to fall silent (60 dB), half as loud as the direct sound."""
    t_s = np.arange(samples(0.5)) / SAMPLE_RATE
    room = np.random.default_rng(4).standard_normal(len(t_s)) * 10 ** (-3 * t_s / 0.4)
    room *= 0.5 / np.sqrt(np.sum(room**2))
    room[0] = 1.0
    return np.asarray(fftconvolve(wave, room)[: len(wave)], dtype=np.float32)


if __name__ == "__main__":
    main()
