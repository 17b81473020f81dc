"""Names hanafuda of another printing than the enrolled one: by their motifs, and only where these tell.

The net says which kinds a card may be; likeness with the enrolled deck speaks too, for printings resemble
each other more or less. No kind lies on a table more often than a deck has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.deck import Picture
from vision.card_plane import laid_cards, laid_pieces, off_plane, plane_through
from vision.hanafuda_crop import rectify
from vision.hanafuda_finder import CardSurvey, Corners
from vision.hanafuda_identity import HanafudaReader
from vision.hanafuda_kinds import KIND_OF, NONE
from vision.hanafuda_places import distinct, one_for_each_place

Floats = NDArray[np.float64]

PER_LIKENESS: Final = 8.0
"""What the square of the likeness with the enrolled deck's card of a kind adds to the kind's logarithm."""
MIN_CARD: Final = 0.25
"""Probability that an outline is a card at all from which it may be one."""
MAX_OFF: Final = 0.12
"""Off the plane of all cards by more than this share of its size an outline is of no card."""
OF_A_SIZE: Final = 2.0
"""How much less likely, in logarithms, what has a card's size on the table is to be none."""
SCALES: Final = (0.96, 1.0, 1.04)
"""A card is read in crops of these sizes: printings have wide borders, narrow ones or none."""
TEMPERATURE: Final = 1.5
"""Printings differ more than the lessons did: the evidence is divided by this."""
MIN_CONFIDENCE: Final = 0.5
MIN_ALONE: Final = 0.85
FAMILIAR: Final = 0.5
ENOUGH: Final = 4
"""Confidence from which a card is named: the first where most of at least so many cards are told with the
third, so that the photo shows hanafuda beyond doubt; the second elsewhere."""
TAKEN: Final = 0.9
"""A card named with this confidence is no other one's rival for its kind."""
_COPIES: Final = np.bincount(list(KIND_OF.values()), minlength=NONE)


@dataclass(frozen=True, slots=True, eq=False)
class ForeignCard:
    """A card of a printing that is not enrolled.

    Attributes
    ----------
    card_id : a card of its kind, None where the motif does not tell.
    confidence : 0..1 of the kind, named or not.
    corners_px : shape (4, 2), clockwise from the card's upper left corner.
    """

    card_id: str | None
    confidence: float
    corners_px: Corners


def find_foreign(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, outlines: Sequence[Corners]
) -> list[ForeignCard]:
    """Name the cards in outlines that hold any, whatever their printing.

    Parameters
    ----------
    picture : shape (height, width, 3), uint8.
    reader : of an enrolled deck.
    survey : of the picture.
    outlines : shape (4, 2) each, px, clockwise, a short side first; more than one for a place.
    """
    size_mm = reader.gallery.size_mm
    upright, logs = _read(picture, reader, outlines)
    to_px = plane_through([upright[number] for number in _cards_of_places(upright, logs)], size_mm)
    if to_px is None:
        return []
    # what is none where it was seen may be one where a card of the right size lies
    quads = np.stack(outlines)
    laid = list(laid_cards(to_px, quads[off_plane(to_px, quads, size_mm) < MAX_OFF], size_mm))
    found = [upright[number] for number in _cards_of_places(upright, logs)]
    laid += laid_pieces(to_px, survey.pieces_beside(found), size_mm)
    upright, logs = _read(picture, reader, distinct(laid))
    laid = [upright[number] for number in _cards_of_places(upright, logs)]
    if not laid:
        return []
    logs = np.mean([_read(picture, reader, laid, scale)[1] for scale in SCALES], axis=0) / TEMPERATURE
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    return [
        ForeignCard(card, confidence, corners_px)
        for (card, confidence), corners_px in zip(_named(logs), laid, strict=True)
    ]


def _cards_of_places(outlines: Sequence[Corners], logs: Floats) -> list[int]:
    """Return which outlines hold a card, the likeliest of every place."""
    best = [int(n) for n in np.argsort(logs[:, NONE], kind="stable") if np.exp(logs[n, NONE]) < 1 - MIN_CARD]
    return [best[number] for number in one_for_each_place([outlines[number] for number in best])]


def _read(
    picture: Picture, reader: HanafudaReader, outlines: Sequence[Corners], scale: float | None = None
) -> tuple[list[Corners], Floats]:
    """Read outlines that may be upside down, or those that are not, made larger or smaller.

    Returns
    -------
    the outlines from the cards' upper left, and the logarithms of all kinds and of none.
    """
    if not len(outlines):
        return [], np.zeros((0, NONE + 1))
    quads = np.stack(outlines)
    middle = quads.mean(axis=1, keepdims=True)
    crops = [rectify(picture, quad) for quad in middle + (quads - middle) * (scale or 1.0)]
    of_card = reader.kinds.logs(crops)
    upright = list(outlines)
    if scale is None:
        turned = [np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops]
        other = reader.kinds.logs(turned)
        for number in map(int, np.flatnonzero(other[:, NONE] < of_card[:, NONE])):
            crops[number], of_card[number] = turned[number], other[number]
            upright[number] = np.roll(outlines[number], -2, axis=0)
    else:
        of_card[:, NONE] -= OF_A_SIZE
    likeness = reader.likeness_of_kinds(crops)
    speaks = PER_LIKENESS * np.square(np.maximum(likeness, 0))
    of_card[:, :NONE] += speaks - speaks.max(axis=1, keepdims=True)
    return upright, np.asarray(of_card - np.log(np.exp(of_card).sum(axis=1, keepdims=True)))


def _named(logs: Floats) -> list[tuple[str | None, float]]:
    """Give every card the kind that suits all cards best, and say how sure that is."""
    columns = np.repeat(np.arange(NONE), _COPIES)
    rows, chosen = linear_sum_assignment(-logs[:, columns])
    kinds = dict(zip(map(int, rows), map(int, columns[chosen]), strict=True))
    chance = np.exp(logs)
    surely = np.zeros((len(logs), NONE), int)
    for card, kind in kinds.items():
        surely[card, kind] = chance[card, kind] >= TAKEN
    confidence = np.zeros(len(logs))
    for card, kind in kinds.items():
        elsewhere = surely.sum(axis=0) - surely[card]
        rivals = chance[card, :NONE][elsewhere < _COPIES].sum() + chance[card, NONE]
        confidence[card] = chance[card, kind] / max(rivals, chance[card, kind])
    shows_hanafuda = len(logs) >= ENOUGH and np.median(confidence) >= FAMILIAR
    wanted = MIN_CONFIDENCE if shows_hanafuda else MIN_ALONE
    free = {kind: [card for card, own in KIND_OF.items() if own == kind] for kind in range(NONE)}
    return [
        (free[kinds[card]].pop(0) if confidence[card] >= wanted else None, float(confidence[card]))
        for card in range(len(logs))
    ]
