"""Read torifuda: which of the hundred poems a card's face shows, and which way up.

The net (see `tools/train_identity.py`) gives the probability of every kana in each slot of a face. A poem is
as likely as all its kana together: a few smudged kana cost little, while a wrong card differs in a dozen of
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.cards.poems import POEMS
from vision.cards.crops import card_crops, normalised
from vision.frames.frame import Gray
from vision.imaging.assignment import assigned
from vision.torifuda.enrolled_faces import DeckFaces
from vision.torifuda.kana import ILLEGIBLE, KANA, SLOTS, slot_variants
from vision.torifuda.network import torifuda_net

Floats = NDArray[np.float64]

NUMBERS: Final = np.array(sorted(POEMS))
MIN_LIKENESS: Final = -3.8
"""Mean log-probability per slot below which a face is none of the hundred, but a back or another text."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceReadings:
    """The net's readings of N faces."""

    poem_logs: Floats  # shape (N, 100); log-likelihood of each poem of `NUMBERS`, per slot
    illegible: Floats  # shape (N,); mean probability that a slot shows no kana of a torifuda at all

    def best(self) -> Floats:
        """Return each face's log-likelihood per slot of the best poem, shape (N,)."""
        return np.asarray(self.poem_logs.max(axis=1))

    def only(self, keep: NDArray[np.bool_] | Sequence[int]) -> FaceReadings:
        """Return those to keep: where a mask of shape (N,) is true, or by their numbers."""
        return FaceReadings(self.poem_logs[keep], self.illegible[keep])

    def replaced(self, places: NDArray[np.intp], by: FaceReadings) -> FaceReadings:
        """Return the readings with those at `places`, shape (M,), taken from `by`."""
        poem_logs, illegible = self.poem_logs.copy(), self.illegible.copy()
        poem_logs[places], illegible[places] = by.poem_logs, by.illegible
        return FaceReadings(poem_logs, illegible)

    def joined(self, other: FaceReadings) -> FaceReadings:
        """Return both, the other's faces last."""
        return FaceReadings(
            np.concatenate([self.poem_logs, other.poem_logs]),
            np.concatenate([self.illegible, other.illegible]),
        )


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of one card."""

    card: int | None  # poem 1..100, or None if it could not be read beyond doubt
    confidence: float  # probability that `card`, or the best guess if it is None, is right, 0..1


class TorifudaReader:
    """The net, and the poems that it distinguishes."""

    def __init__(self) -> None:
        self._net = torifuda_net()

    def read(self, gray: Gray, corners_px: Floats, faces: DeckFaces | None = None) -> FaceReadings:
        """Read faces.

        Returns: FaceReadings of the N cards.

        `gray`: shape (height, width), uint8. `corners_px`: shape (N, 4, 2); corners of each card, border
        included, in the text's reading order. `faces`: those of the deck, if it was enrolled; a face that
        looks like one of them is that one.
        """
        if not len(corners_px):
            return FaceReadings(np.zeros((0, len(NUMBERS))), np.zeros(0))
        crops = card_crops(gray, corners_px)
        logs = self._slot_logs(normalised(crops))
        classes, firsts = _face_classes()
        floor_log = -9.0  # no single kana may count more against a poem than this
        shown = np.maximum(logs, floor_log)[:, np.arange(SLOTS), classes].max(axis=1).mean(axis=2)
        poem_logs = np.maximum.reduceat(shown, firsts, axis=1)
        readings = FaceReadings(poem_logs, np.exp(logs[:, :, ILLEGIBLE]).mean(axis=1))
        return readings if faces is None else _recognised(readings, faces.likeness(crops))

    def _slot_logs(self, crops: NDArray[np.float32]) -> Floats:
        """Return log-probabilities, shape (N, SLOTS, CLASSES)."""
        scores = self._net.slot_scores(crops)
        # Some decks print ん where the old spelling has む: they count as one.
        mu, n = KANA.index("む"), KANA.index("ん")
        both = np.logaddexp(scores[:, :, mu], scores[:, :, n])
        scores[:, :, mu], scores[:, :, n] = both, -np.inf
        total = _log_sum(scores.astype(np.float64))
        scores[:, :, n] = both
        return np.asarray(scores - total[:, :, None], np.float64)


@cache
def _face_classes() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return what slots may show, shape (2, faces, SLOTS), and the index of each poem's first."""
    faces = [slot_variants(POEMS[int(number)].torifuda) for number in NUMBERS]
    firsts = np.cumsum([0, *map(len, faces[:-1])])
    return np.moveaxis(np.array([face for of_poem in faces for face in of_poem]), 2, 0), firsts


def _recognised(readings: FaceReadings, likeness: Floats) -> FaceReadings:
    """Take a face that looks like one of an enrolled deck for that one, whatever the net reads.

    `likeness`: shape (N, 100), correlation with the deck's face of each poem of `NUMBERS`.
    """
    same_face = 0.6  # likeness above which a face is taken for the enrolled deck's
    known = likeness.max(axis=1) > same_face
    differ = readings.poem_logs.argmax(axis=1) != likeness.argmax(axis=1)
    clearly_read = -1.0  # log-likelihood per slot above which the net may contradict the deck
    # If the net clearly reads another poem, this is another deck: the card stays unnamed.
    torn = known & differ & (readings.best() > clearly_read)
    # Log-likelihood per slot that a difference in likeness of 1 is worth: a lead of 0.1 leaves no doubt.
    per_likeness = 6.0
    logs = np.where(known[:, None], per_likeness * (likeness - 1), readings.poem_logs)
    return FaceReadings(logs, np.where(torn, 1.0, np.where(known, 0.0, readings.illegible)))


def assign(readings: FaceReadings) -> list[Identity]:
    """Name the cards of one field, where each poem lies at most once.

    Returns: one identity per card; a doubtful card stays unnamed.
    """
    logs = readings.poem_logs
    if not len(logs):
        return []
    cards, poems = assigned(logs)
    chosen = np.full(len(logs), -1)
    chosen[cards] = poems
    likeness = readings.best()
    # The kana of one face share typeface, blur and light, so their errors are correlated: their evidence is
    # divided by this.
    common_temperature = 2.0
    reads_badly = -2.2
    # Mean log-probability per slot below which it is divided by more, and by how much more per unit: if blur
    # or compression has destroyed the strokes, all kana of a face are misread in the same way.
    per_misreading = 0.7
    temperature = common_temperature * (1 + per_misreading * np.maximum(reads_badly - likeness, 0.0))
    evidence = logs * SLOTS / temperature[:, None]
    alone = np.exp(evidence.max(axis=1) - _log_sum(evidence))
    # Share of illegible slots above which a card counts as covered: its name would be a guess.
    max_illegible = 0.22
    legible = (likeness > MIN_LIKENESS) & (readings.illegible < max_illegible)
    min_confidence = 0.97
    sure = (alone > min_confidence) & legible & (logs.argmax(axis=1) == chosen)
    # Poems that certainly lie elsewhere on this field do not compete.
    rivals = evidence.copy()
    rivals[:, chosen[sure]] = -np.inf
    rivals[cards, poems] = evidence[cards, poems]
    confidences = np.zeros(len(logs))
    confidences[cards] = np.exp(evidence[cards, poems] - _log_sum(rivals[cards]))
    named = legible & (confidences > min_confidence)
    return [
        Identity(int(NUMBERS[poem]) if is_named else None, float(confidence))
        for poem, is_named, confidence in zip(chosen, named, confidences, strict=True)
    ]


def _log_sum(logs: Floats) -> Floats:
    """Return the logarithm of the sum of exponentials along the last axis."""
    top = logs.max(axis=-1)
    return np.asarray(top + np.log(np.exp(logs - top[..., None]).sum(axis=-1)))
