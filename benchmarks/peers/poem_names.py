"""Which poem is read: the product's listener beside a naive template matcher.

`uv run --extra voices python -m benchmarks.peers.poem_names [--every N] [--json OUT]`: every N-th upper
verse of the readers of `benchmarks.recitation.listening`, among all hundred poems, each as a single clip.

The template matcher compares the first seconds of a verse with the same seconds of the built-in voice's
hundred verses, log spectrum by log spectrum, along the cheapest path of dynamic time warping. It always
names one; the listener may name none.
"""

import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.signal import stft

from benchmarks.command import read_options, table, write_json
from benchmarks.recitation.listening import readers
from recitation.listening.hearing import hear_verse, learn_reader
from recitation.listening.listener import Listener
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import Wave
from recitation.voices.catalogue import find_voice
from referee.cards.poems import POEMS

_LOOK_S: Final = 2.5  # the longest kimariji is heard by then, at the pace of a match
_STEP_S: Final = 0.02
_BANDS: Final = 40

Spectrum = NDArray[np.float32]
"""Log power (steps, bands); each band lacks its mean, so that room and voice colour it less."""


def spectrum(wave: Wave) -> Spectrum:
    """Return the log spectrum of the first seconds, in bands that are equally wide on the mel scale."""
    hop = samples(_STEP_S)
    _, _, found = stft(wave[: samples(_LOOK_S)], SAMPLE_RATE, nperseg=2 * hop, noverlap=hop)
    frequencies = np.linspace(0, SAMPLE_RATE / 2, len(found))
    edges = 700 * (np.exp(np.linspace(np.log1p(100 / 700), np.log1p(8000 / 700), _BANDS + 1)) - 1)
    band = np.digitize(frequencies, edges) - 1
    power = np.stack([(np.abs(found[band == one]) ** 2).sum(axis=0) for one in range(_BANDS)], axis=1)
    log = np.log(power + 1e-8)
    return np.asarray(log - log.mean(axis=0), np.float32)


def warped(one: Spectrum, other: Spectrum) -> float:
    """Return the mean distance along the cheapest path of dynamic time warping."""
    apart = np.linalg.norm(one[:, None] - other[None], axis=2)
    cost = np.full((len(one) + 1, len(other) + 1), np.inf)
    cost[0, 0] = 0.0
    for row in range(len(one)):
        for column in range(len(other)):
            cheapest = min(cost[row, column], cost[row, column + 1], cost[row + 1, column])
            cost[row + 1, column + 1] = apart[row, column] + cheapest
    return float(cost[len(one), len(other)]) / (len(one) + len(other))


def compared(asked: list[int]) -> dict[str, dict[str, int]]:
    """Return how many of the asked poems each reader had named right, and wrong at confidence >= 0.9."""
    voice = find_voice("high", DEFAULT)
    templates = {poem: spectrum(voice.clip(Phrase(poem, Half.KAMI)).wave) for poem in POEMS}
    told: dict[str, dict[str, int]] = {}
    for name, read in readers().items():
        row = told.setdefault(name, dict.fromkeys(("asked", "listener", "listener wrong", "templates"), 0))
        for poem in asked:
            wave = read(Phrase(poem, Half.KAMI))
            heard = Listener().ended(hear_verse(wave, learn_reader([wave])), 0.0).heard.suggestions[:1]
            seen = spectrum(wave)
            nearest = min(templates, key=lambda each: warped(seen, templates[each]))
            row["asked"] += 1
            row["listener"] += any(best.poem == poem for best in heard)
            row["listener wrong"] += any(best.poem != poem and best.confidence >= 0.9 for best in heard)
            row["templates"] += nearest == poem
    return told


def main() -> int:
    """Print one line for each reader; 2 where nobody reads."""
    arguments = read_options(__doc__, every=10)
    told: dict[str, Any] = compared(list(POEMS)[:: arguments.every])
    if not told:
        print("no reader: ../shared/data/reader is absent, and so is espeak-ng", file=sys.stderr)
        return 2
    table({"reader": name, **row} for name, row in told.items())
    write_json(arguments.json, told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
