"""How often the listener names the poem: of the other built-in voice, with noise, and of plain speech.

    uv run --extra voices python benchmarks/recitation_listening.py [--every 4]

All these voices come from one speech model, so the figures are an upper bound for human readers.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import pyopenjtalk
from pyopenjtalk.htsengine import HTSEngine

from recitation.chant.speech import Speaker
from recitation.chant.spoken import spoken
from recitation.clip import Wave
from recitation.listening.features import cepstra
from recitation.listening.templates import Templates, frames
from recitation.pack import VoicePack
from recitation.phrase import Half, Phrase
from recitation.rhythm import DEFAULT, parse_rhythm
from recitation.voices import PACKS, pack_path
from referee.cards.poems import POEMS

_LOOKS_S = (0.6, 0.8, 1.0, 1.5, 2.5)


def main() -> None:
    """Print, for each reader, how many poems are named right: from the beginning, and from the whole half."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=4, help="ask every n-th poem")
    options = parser.parse_args()
    high, low = (VoicePack.open(pack_path(name, DEFAULT, PACKS)) for name in ("high", "low"))
    slow = VoicePack.open(pack_path("low", parse_rhythm("5-3-1-6"), PACKS))
    templates = Templates.of([Phrase(poem, Half.KAMI) for poem in POEMS], [high])
    readers: dict[str, Callable[[Phrase], Wave]] = {
        "low voice": lambda phrase: low.clip(phrase).wave,
        "low voice, slower": lambda phrase: slow.clip(phrase).wave,
        "low voice, noise at 20 dB": lambda phrase: _noisy(low.clip(phrase).wave, 20.0),
        "low voice, noise at 10 dB": lambda phrase: _noisy(low.clip(phrase).wave, 10.0),
        "plain speech": _plain_speech(),
    }
    asked = list(POEMS)[:: options.every]
    looks = "".join(f"{look_s:6.1f} s" for look_s in _LOOKS_S)
    print(f"{'reader':28s}{looks}   whole   of {len(asked)}")
    for name, read in readers.items():
        right = np.zeros(len(_LOOKS_S) + 1, dtype=int)
        for poem in asked:
            sounds = cepstra(read(Phrase(poem, Half.KAMI)))
            told = [templates.beginning(sounds[: frames(look_s)], Half.KAMI) for look_s in _LOOKS_S]
            told.append(templates.whole(sounds))
            right += [templates.phrases[int(np.argmin(unlike))].poem == poem for unlike in told]
        print(f"{name:28s}" + "".join(f"{count:8d}" for count in right), flush=True)


def _noisy(wave: Wave, snr_db: float) -> Wave:
    noise = np.random.default_rng(0).standard_normal(len(wave))
    level = np.sqrt(np.mean(wave**2)) * 10 ** (-snr_db / 20)
    return np.asarray(wave + level * noise, dtype=np.float32)


def _plain_speech() -> Callable[[Phrase], Wave]:
    engine = HTSEngine(pyopenjtalk.DEFAULT_HTS_VOICE)
    speaker = Speaker()

    def read(phrase: Phrase) -> Wave:
        ku = [engine.synthesize(speaker.labels(part)) for part in spoken(phrase)]
        return np.asarray(np.concatenate(ku) / 32_768, dtype=np.float32)

    return read


if __name__ == "__main__":
    main()
