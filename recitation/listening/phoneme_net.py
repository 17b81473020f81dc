"""The phoneme of each frame, by a small time-delay network that `tools/train_listener.py` trains.

Waibel and others, Phoneme recognition using time-delay neural networks (1989): convolutions along time, here
with growing steps, so that a frame's result depends on about a tenth of a second to either side.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from recitation.chant.pronunciation import phonemes
from recitation.listening.bands import BANDS, Bands, Usual
from recitation.reading.phrase import Phrase

SILENCE = "-"
PHONEMES = (SILENCE, *"aiueoN", *"kgsztdnhbpmyrw", "sh", "j", "ch", "ts", "f")
"""All classes; silence occurs between two ku."""
INDEX = {name: index for index, name in enumerate(PHONEMES)}
_PALATAL = ("ky", "gy", "ny", "hy", "by", "py", "my", "ry", "dy", "ty")


def phoneme_class(phoneme: str) -> int:
    """Return the class of a phoneme of the speech model; a palatal consonant counts as its plain one."""
    return INDEX[phoneme[0] if phoneme in _PALATAL else phoneme]


def ku_classes(phrase: Phrase) -> tuple[tuple[int, ...], ...]:
    """Return the classes of each ku of a phrase in order; a repeated vowel is one long vowel."""
    return tuple(
        tuple(index for index, _ in groupby(phoneme_class(sound) for sound in ku)) for ku in phonemes(phrase)
    )


WEIGHTS = Path(__file__).parents[1] / "weights" / "phonemes.npz"
STEPS = (1, 1, 2, 3, 3)  # distance, in frames, between the inputs of each layer
WIDTH = 3
AROUND = sum(step * (WIDTH // 2) for step in STEPS)  # frames to either side that a frame's result depends on


@dataclass(frozen=True, eq=False)
class PhonemeNet:
    """The trained network."""

    # one for each layer, (WIDTH, into, out); the last one is (1, into, classes)
    kernels: Sequence[NDArray[np.float32]]
    biases: Sequence[NDArray[np.float32]]
    # (classes,) share of each phoneme in the training data; frames of long sounds count less
    prior: NDArray[np.float32]
    typical: Usual  # (BANDS,) usual spectrum to be taken for an unknown reader

    @classmethod
    def open(cls, path: Path = WEIGHTS) -> Self:
        """Read the weights."""
        with np.load(path) as held:
            count = len(STEPS) + 1
            return cls(
                [held[f"kernel_{index}"].astype(np.float32) for index in range(count)],
                [held[f"bias_{index}"].astype(np.float32) for index in range(count)],
                held["prior"].astype(np.float32),
                Usual(held["typical"].astype(np.float32)),
            )

    def evidence(self, bands: Bands) -> NDArray[np.float32]:
        """Return log P(phoneme | sound) - log P(phoneme), shape (frames, classes).

        `bands`: (frames, BANDS), normalised.
        """
        if not len(bands):
            return np.zeros((0, len(self.prior)), np.float32)
        layers = list(zip((*STEPS, 1), self.kernels, self.biases, strict=True))
        x = np.asarray(bands, np.float32).reshape(-1, BANDS)
        for step, kernel, bias in layers[:-1]:
            x = np.maximum(_convolved(x, kernel, step) + bias, 0.0)
        _, kernel, bias = layers[-1]
        # the logarithm of a softmax; SciPy's takes longer to load than the whole listener
        logits = x @ kernel[0] + bias
        logits -= logits.max(axis=1, keepdims=True)
        told: NDArray[np.float32] = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return told - np.log(self.prior)


@cache
def phoneme_net() -> PhonemeNet:
    """Return the network that comes with the package, read once."""
    return PhonemeNet.open()


def _convolved(x: NDArray[np.float32], kernel: NDArray[np.float32], step: int) -> NDArray[np.float32]:
    reach = step * (len(kernel) // 2)
    padded = np.pad(x, ((reach, reach), (0, 0)))
    total: NDArray[np.float32] = sum(
        (padded[tap * step : tap * step + len(x)] @ kernel[tap] for tap in range(len(kernel))),
        start=np.zeros((len(x), kernel.shape[2]), np.float32),
    )
    return total
