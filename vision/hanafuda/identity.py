"""Name a hanafuda card by comparing its picture with an enrolled deck.

The likeness of an outline to a card is the correlation of coarse colours; it depends on neither light nor
sharpness. `PrintProof` decides whether it is that card. Across editions both tell little, so a
deck is enrolled first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Deck, Picture
from calibration.decks.signature import GRID, normalised
from vision.hanafuda.crops import MARGIN
from vision.hanafuda.fitting.refinement import CardAligner
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.kinds import KIND_OF, NONE, KindNet

Floats = NDArray[np.float64]
Cells = NDArray[np.float32]  # shape (N, rows, columns, 3), gray levels of whole cards

_RIM: Final = 2
"""Cells along a card's edge that do not count: borders and round corners are the same on any slip of paper,
and wear is worst there."""
_MOST: Final = 0.99  # upper limit of correlations before they are turned into standard scores


class PrintProof:
    """The prints of a deck, prepared for comparison with what is seen.

    `cells`: those of the deck's cards, upright.
    """

    def __init__(self, cells: Cells, gallery: CardGallery) -> None:
        both = np.concatenate([cells, cells[:, ::-1, ::-1]])
        self._whole, self._inner, self._fine = normalised(both), _inner(both), _fine(both)
        plain = _splits(cells.shape[1:3])
        self._plain_tones, self._plain_lines = _gray(_inner(plain), plain) / 3, _fine(plain)
        self._alike_plain = _gray(self._inner, both) @ self._plain_tones.T
        self._classes = np.concatenate([gallery.classes, gallery.classes])
        self._alike = np.tile(gallery.alike, (2, 2))
        # neighbouring cells of a bare hill are redundant: its correlation is worth that of few cells
        alone = np.clip(gallery.monotony.astype(np.float64), 0, _MOST)
        self._worth = np.tile(np.sqrt((1 - alone) / (1 + alone)), 2)

    def best(self, cells: Cells) -> tuple[NDArray[np.intp], Floats, NDArray[np.bool_]]:
        """Return the card that each print is most like, the evidence for it, and whether the print is plain.

        Returns: shape (N,), indices among all upright and then all turned cards; the input of `probability`,
        (N, 3); and shape (N,), True if two flat tones match the colours better than the card does.
        """
        inner, fine = _inner(cells), _fine(cells)
        colours = np.asarray(inner @ self._inner.T, np.float64)
        lines = np.asarray(fine @ self._fine.T, np.float64)
        best = (colours + lines).argmax(axis=1)
        whole = np.einsum("ni,ni->n", normalised(cells), self._whole[best]).astype(np.float64)
        evidence, plain = self._evidence(whole, colours, lines, best), np.zeros(len(best), bool)
        # A print with a smaller probability is not named anyway, so it is not compared with flat tones.
        may_be = 0.1
        some = np.flatnonzero(probability(evidence) >= may_be)
        if not len(some):
            return best, evidence, plain
        cards = best[some]
        tones = np.asarray(_gray(inner[some], cells[some]) @ self._plain_tones.T, np.float64)
        strokes = np.asarray(fine[some] @ self._plain_lines.T, np.float64)
        for column, (own, flat) in enumerate(((colours, tones), (lines, strokes)), 1):
            likest = flat.argmax(axis=1)
            lead = own[some, cards] - flat.max(axis=1)
            led = lead / _apart(self._alike_plain[cards, likest])
            evidence[some, column] = np.minimum(evidence[some, column], led)
        plain[some] = colours[some, cards] < tones.max(axis=1)
        return best, evidence, plain

    def _evidence(self, whole: Floats, colours: Floats, lines: Floats, cards: NDArray[np.intp]) -> Floats:
        """Return the standard score of the colours, and the leads of colours and lines; shape (N, 3).

        The colours' correlation is the lower of those with and without the rim. It is weighted by the number
        of independent cells: the size of a sample whose neighbours correlate (M. S. Bartlett, Some Aspects of
        the Time-Correlation Problem, 1935).
        """
        every = np.arange(len(cards))
        others = self._classes[None] != self._classes[cards][:, None]
        least_deviation = 0.01
        score = np.arctanh(np.clip(np.minimum(whole, colours[every, cards]), least_deviation, _MOST))
        columns: list[Floats] = [score * self._worth[cards]]
        for worth in (colours, lines):
            rivals = np.where(others, worth, -1.0)
            rival = rivals.argmax(axis=1)
            lead = worth[every, cards] - rivals[every, rival]
            columns.append(lead / _apart(self._alike[cards, rival]))
        return np.stack(columns, axis=1)


def probability(evidence: Floats) -> Floats:
    """Return the probability that each print is the card it is most like, 0..1; shape (N,)."""
    weights = (21.2, 4.0, 7.1)
    # For the evidence of `PrintProof.best`; fitted by `benchmarks.photos.card_confidence`, which also
    # measures how well the probability holds on other decks and other grounds.
    offset = -6.1
    return np.asarray(1 / (1 + np.exp(-np.clip(evidence @ np.array(weights) + offset, -30, 30))), np.float64)


def _apart(alike: NDArray[Any]) -> Floats:
    """Return the distance between prints of that correlation; the noise of leads is proportional to it."""
    least_apart = 0.01  # least difference of two prints in correlation, since they are different prints
    return np.asarray(np.sqrt(2 * np.maximum(1 - alike, least_apart)), np.float64)


def _splits(shape: tuple[int, ...]) -> Cells:
    """Return cells of two flat tones that meet in a straight line, in many directions and places.

    Squares of a chessboard, windows, and sheets that half cover one another look like this.
    """
    down, across = np.indices(shape) - (np.array(shape).reshape(2, 1, 1) - 1) / 2
    tones = []
    split_turns = 24
    # Number of directions of the line between the tones, and of its places: a cell or two apart, which a
    # card's colours hardly tell.
    split_places = 17
    split_reach = 0.4  # farthest place of the line from the centre, as a share of the card's extent
    for turn in np.arange(split_turns) * 2 * np.pi / split_turns:
        along = across * np.cos(turn) + down * np.sin(turn)
        places = np.linspace(-split_reach, split_reach, split_places) * np.ptp(along)
        tones += [255 * np.clip(along - place + 0.5, 0, 1) for place in places]
    return np.repeat(np.array(tones, np.float32)[..., None], 3, axis=3)


def _gray(signatures: Cells, cells: Cells) -> Cells:
    """Return signatures summed over the channels: their product with a gray print's is the correlation.

    `signatures`: shape (N, cells * channels), of `cells`.
    """
    return np.asarray(signatures.reshape(len(cells), -1, cells.shape[3]).sum(axis=2), np.float32)


def _inner(cells: Cells) -> Cells:
    return np.asarray(normalised(cells[:, _RIM:-_RIM, _RIM:-_RIM]), np.float32)


def _fine(cells: Cells) -> Cells:
    """Return what is lighter or darker than its surroundings, as unit vectors."""
    # Fine lines are the difference from a mean with this standard deviation, 2.8 mm of a card.
    coarse_cells = 2.0
    fine = [gray - cv2.GaussianBlur(gray, (0, 0), coarse_cells) for gray in cells.mean(axis=3)]
    rows, columns = cells.shape[1] - 2 * _RIM, cells.shape[2] - 2 * _RIM
    flat = np.array(fine, np.float32).reshape(-1, *cells.shape[1:3])[:, _RIM:-_RIM, _RIM:-_RIM]
    flat = flat.reshape(len(cells), rows * columns)
    # variation of no more than a gray level is noise
    length = np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), np.sqrt(flat.shape[1]))
    return np.asarray(flat / length, np.float32)


NAMED: Final = 0.7
"""Probability from which a card is named: a wrong name costs more than a missing one. Of 385 cards of decks
not used for fitting 364 reach it, with one wrong name (`benchmarks.photos.card_confidence`)."""
FITS: Final = 0.9  # likeness from which the whole card is seen well


@dataclass(frozen=True, slots=True)
class HanafudaReading:
    """The reading of a card's picture."""

    # the card, None in case of doubt. Chaff of one month is one class: which of its cards is named means
    # nothing.
    card_id: str | None
    best_id: str
    # probability, 0..1, that the best card, named or not, is right (see `PrintProof`)
    confidence: float
    likeness: float  # correlation with the best card's picture, -1..1
    upside_down: bool  # True if the picture's upper end is the card's lower end
    # True if two flat tones, e.g. squares of a board, match the picture as well as the card does.
    is_plain: bool = False


class HanafudaReader:
    """Reads cards of one deck. Creating it takes some 20 ms; it can be used for any number of cards."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.gallery = CardGallery.of(deck)
        self._ids = tuple(deck.pictures)
        upright = list(deck.pictures.values())
        cells = np.stack([cv2.resize(picture, GRID, interpolation=cv2.INTER_AREA) for picture in upright])
        prints = np.asarray(cells, np.float32)
        self._templates = normalised(np.concatenate([prints, prints[:, ::-1, ::-1]]))
        self._proof = PrintProof(prints, self.gallery)
        self.aligner = CardAligner(upright)

    def read(self, crops: Sequence[Picture]) -> list[HanafudaReading]:
        """Name the cards on rectified crops.

        `crops`: pictures of `crop_size_px`, as `rectify` cuts them: the card upright or upside down with
        `MARGIN` cells of surroundings.
        """
        if not len(crops):
            return []
        cells = _cells(crops)
        likeness = self._likeness(cells)
        best = likeness.argmax(axis=1)
        chance, plain = np.zeros(len(crops)), np.zeros(len(crops), bool)
        looked_at = 0.25  # an outline less similar than this to every card is not compared more closely
        some = np.flatnonzero(likeness.max(axis=1) >= looked_at)
        if len(some):
            best[some], evidence, plain[some] = self._proof.best(cells[some])
            chance[some] = probability(evidence)
        readings = []
        for worth, card, probable, flat in zip(likeness, best.tolist(), chance.tolist(), plain, strict=True):
            name, upside_down = self._ids[card % len(self._ids)], card >= len(self._ids)
            certain = name if probable >= NAMED else None
            readings.append(
                HanafudaReading(certain, name, probable, float(worth[card]), upside_down, bool(flat))
            )
        return readings

    def evidence(self, crop: Picture) -> NDArray[np.float64]:
        """Return the evidence for the best card of a crop, shape (3,); see `PrintProof`."""
        return np.asarray(self._proof.best(_cells([crop]))[1][0], np.float64)

    def _likeness(self, cells: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the correlation of every crop with all upright, then all turned cards; shape (N, 96)."""
        return np.asarray(normalised(cells) @ self._templates.T, np.float32)

    @cached_property
    def kinds(self) -> KindNet:
        """The net for cards of other printings, loaded at the first use."""
        return KindNet()

    def likeness_of_kinds(self, crops: Sequence[Picture]) -> NDArray[np.float64]:
        """Return each crop's likeness to the most similar card of each kind, as it is and upside down.

        Returns: shape (2, N, kinds).
        """
        best = np.full((2, len(crops), NONE), -1.0)
        if len(crops):
            of_card = self._likeness(_cells(crops)).reshape(len(crops), 2, len(self._ids)).swapaxes(0, 1)
            for number, card in enumerate(self._ids):
                kind = KIND_OF[card]
                np.maximum(best[..., kind], of_card[..., number], out=best[..., kind])
        return best


def _cells(crops: Sequence[Picture]) -> NDArray[np.float32]:
    width, height = GRID[0] + 2 * MARGIN, GRID[1] + 2 * MARGIN
    # stacked vertically, all are resized in one call
    small = cv2.resize(
        np.concatenate(crops), (width, height * len(crops)), interpolation=cv2.INTER_AREA
    ).reshape(-1, height, width, 3)
    return small[:, MARGIN:-MARGIN, MARGIN:-MARGIN].astype(np.float32)
