"""Read torifuda: which of the hundred poems a card's face shows, and which way up.

The net (see `tools/train_identity.py`) gives the probability of every kana in each slot of a face. A poem is
as likely as all its kana together: a few smudged kana cost little, while a wrong card differs in a dozen of
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from referee.cards.poems import POEMS
from vision.cards.poses import card_crops, normalised
from vision.frames.frame import Gray
from vision.imaging.assignment import assigned
from vision.torifuda.prior_knowledge import DeckFaces

KANA: Final = (
    "いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせすん"
)
"""The 47 kana of the iroha and ん, which some decks print where the old spelling has む."""

BLANK: Final = len(KANA)  # class of a slot with nothing printed in it
ILLEGIBLE: Final = len(KANA) + 1  # class of a slot that is covered, or that shows no torifuda at all
CLASSES: Final = len(KANA) + 2

COLUMN_SLOTS: Final = (5, 5, 6)
"""Slots per column, right to left: 5-5-n kana, where n is 4 on most cards and 6 on one."""
SLOTS: Final = sum(COLUMN_SLOTS)


def slot_classes(torifuda: str) -> tuple[int, ...]:
    """Return the class of each slot of a face.

    `torifuda`: unvoiced hiragana, read top to bottom in columns from the right, 10..16 kana.

    Returns: SLOTS classes, column by column from the right, top to bottom; empty slots are BLANK.
    """
    if not 2 * COLUMN_SLOTS[0] <= len(torifuda) <= SLOTS:
        raise ValueError(f"a torifuda shows 10..{SLOTS} kana, got {len(torifuda)}: {torifuda!r}")
    return tuple(KANA.index(kana) for kana in torifuda) + (BLANK,) * (SLOTS - len(torifuda))


def slot_variants(torifuda: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return what each slot of a face may show, for every way in which decks break its columns.

    Only a text of 16 kana has more than one way: its sixth kana usually stands in the third column, but may
    stand in the first or the second.

    `torifuda`: as for `slot_classes`.

    Returns: one tuple for each way; in it two classes for each of the SLOTS slots, mostly the same one twice.
    """
    classes = slot_classes(torifuda)
    usual = tuple((kana, kana) for kana in classes)
    if classes[-1] == BLANK:
        return (usual,)
    variants = [usual]
    for begins in range(0, 2 * COLUMN_SLOTS[0], COLUMN_SLOTS[0]):
        # Five slots look at six kana: the middle slot lies between the third and the fourth kana.
        third, fourth = begins + 2, begins + 3
        middle, last = (classes[third], classes[fourth]), (BLANK, classes[-1])
        variants.append((*usual[:third], middle, *usual[fourth + 1 :], last))
    return tuple(variants)


Values = NDArray[np.float32]

TRIM_PX: Final = 4
"""Margin of a crop that the net does not see: it holds no text and would add a third to the work."""


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """A convolution as a matrix: shape (kernel places * channels in, channels out)."""

    matrix: Values
    bias: Values

    @classmethod
    def of(cls, weights: dict[str, Values], name: str) -> _Layer:
        kernel = weights[f"{name}_kernel"]
        matrix = kernel.transpose(2, 3, 1, 0).reshape(-1, len(kernel))
        return cls(np.ascontiguousarray(matrix), weights[f"{name}_bias"])

    def __call__(self, patches: Values) -> Values:
        return np.asarray(patches @ self.matrix + self.bias, np.float32)


class TorifudaNet:
    """The net with its weights; it may be shared between threads.

    `weights`: kernels, shape (out, in, height, width), and biases of all layers by name; `places`, shape
    (SLOTS, height, width), says where on a card's map each slot is searched for.
    """

    def __init__(self, weights: dict[str, Values]) -> None:
        self._stem = _Layer.of(weights, "stem")
        self._down = _Layer.of(weights, "down")
        blocks_in_all = 3
        self._blocks = [
            (_Layer.of(weights, f"block{number}_in"), _Layer.of(weights, f"block{number}_out"))
            for number in range(blocks_in_all)
        ]
        self._head = _Layer.of(weights, "head")
        edge = TRIM_PX // 4
        places = weights["places"][:, edge:-edge, edge:-edge]
        self._places = places.reshape(SLOTS, -1).T.copy()

    def slot_scores(self, crops: Values) -> Values:
        """Return how much each slot looks like each kana.

        `crops`: shape (N, 1, height, width), as `vision.cards.poses.normalised` gives them.

        Returns: shape (N, SLOTS, CLASSES).
        """
        scores = np.empty((len(crops), SLOTS, CLASSES), np.float32)
        shown = squares(crops[:, :, TRIM_PX:-TRIM_PX, TRIM_PX:-TRIM_PX])
        cards_at_once = 8  # cards per batch: their data stay in the processor's cache
        for first in range(0, len(crops), cards_at_once):
            part = slice(first, first + cards_at_once)
            maps = self._maps(shown[part])
            shares = maps[:, :, CLASSES:] + self._places
            shares = np.exp(shares - shares.max(axis=1, keepdims=True))
            total = shares.sum(axis=1)[:, :, None]
            scores[part] = shares.transpose(0, 2, 1) @ maps[:, :, :CLASSES] / total
        return scores

    def _maps(self, shown: Values) -> Values:
        """Return class scores and slot weights of every place, shape (N, places, CLASSES + SLOTS)."""
        count, height, width, _ = shown.shape
        x = _rectified(self._stem(_patches(shown)))
        x = x.reshape(count, height, width, -1)
        x = _rectified(self._down(_patches(x, 2)))
        for into, out in self._blocks:
            inner = _rectified(into(x)).reshape(count, height // 2, width // 2, -1)
            x = _rectified(x + out(_patches(inner)))
        return self._head(x).reshape(count, -1, CLASSES + SLOTS)


def squares(crops: Values) -> Values:
    """Move the four pixels of each 2 x 2 square into channels, as the net's first layer expects.

    `crops`: shape (N, 1, height, width), even sides.

    Returns: shape (N, height / 2, width / 2, 4).
    """
    count, _, height, width = crops.shape
    split = crops.reshape(count, height // 2, 2, width // 2, 2).transpose(0, 1, 3, 2, 4)
    return np.ascontiguousarray(split).reshape(count, height // 2, width // 2, 4)


@cache
def torifuda_net() -> TorifudaNet:
    """Return the net with this package's weights."""
    with files("vision").joinpath("weights", "torifuda.npz").open("rb") as file:
        return TorifudaNet(dict(np.load(file)))


def _patches(x: Values, stride: int = 1) -> Values:
    """Return the 3 x 3 surroundings of every place (every second one with a stride of 2), 0 beyond the edges.

    `x`: shape (N, height, width, channels).

    Returns: shape (N * places, 9 * channels).
    """
    count, height, width, channels = x.shape
    padded = np.zeros((count, height + 2, width + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = x
    card, row, place, value = padded.strides
    shape = (count, height // stride, width // stride, 3, 3 * channels)
    windows = as_strided(padded, shape, (card, stride * row, stride * place, row, value), writeable=False)
    return windows.reshape(-1, 9 * channels)


def _rectified(x: Values) -> Values:
    return np.maximum(x, 0, out=x)


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
    top = logs.max(axis=-1)
    return np.asarray(top + np.log(np.exp(logs - top[..., None]).sum(axis=-1)))
