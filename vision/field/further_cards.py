"""Add the cards of a field that have no outline of their own."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.field.geometry import FieldGeometry
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from vision.cards.border import refine
from vision.cards.poses import CardPoses, sizes
from vision.cards.print_search import search_print
from vision.frames.frame import Gray
from vision.torifuda.face_reader import MIN_LIKENESS
from vision.torifuda.prior_knowledge import PriorKnowledge
from vision.torifuda.seen_cards import SeenCards, read_both_ways

SIZE_TOLERANCE: Final = 0.09
"""Largest relative difference from a card's size: beyond it lies a hand, a sheet or a merged pair."""


def with_further_cards(
    gray: Gray, geometry: FieldGeometry, seen: SeenCards, known: PriorKnowledge
) -> SeenCards:
    """Add cards found by their print; paper as dim as the floor is a card even if it cannot be read."""
    clear = seen.readings.best() > MIN_LIKENESS
    if not clear.any():
        return seen
    finds = search_print(gray, geometry, seen.poses, clear, seen.upside_down)
    if not len(finds.centres_m):
        return seen
    angles = np.full(len(finds.centres_m), np.median(seen.poses.angles_rad))
    poses = CardPoses(finds.centres_m, angles)
    found = _read_at(gray, geometry, poses, finds.upside_down, known)
    readable = found.readings.best() > MIN_LIKENESS
    seen = seen.completed_by(found.only(readable))
    kana_pitch_m = 0.0125  # from one kana of a column to the next, within a millimetre, on the decks on sale
    # Columns match as well one kana higher or lower; the reader decides where the text begins.
    for shift_m in (-kana_pitch_m, kana_pitch_m):
        left = np.flatnonzero(~readable)
        shifted = CardPoses(poses.centres_m[left] + np.array([0.0, shift_m]), angles[left])
        more = _read_at(gray, geometry, shifted, finds.upside_down[left], known)
        read = more.readings.best() > MIN_LIKENESS
        seen = seen.completed_by(more.only(read))
        readable[left[read]] = True
    # Correlation with the ink of the legible cards from which on an illegible place is a card, too. On 12
    # fields of five cards in gray and on bare tatami dim cards had at least 0.62 and floor less than 0.45;
    # print of another kind (mirrored kana) had 0.57.
    like_print = 0.52
    return seen.with_printed(found.only(~readable & (finds.likeness > like_print)))


def _read_at(
    gray: Gray,
    geometry: FieldGeometry,
    poses: CardPoses,
    upside_down: NDArray[np.bool_],
    known: PriorKnowledge,
) -> SeenCards:
    settled = _settled(gray, geometry, poses)
    return read_both_ways(gray, geometry, settled, upside_down, known.faces)


def _settled(gray: Gray, geometry: FieldGeometry, poses: CardPoses) -> CardPoses:
    """Move poses onto the edges around them if these agree with a card's shape."""
    refined = refine(gray, geometry.to_image(poses.corners_m()))
    corners = geometry.to_field(refined)
    widths, heights = sizes(corners)
    fits = (np.abs(widths / CARD_WIDTH_M - 1) < SIZE_TOLERANCE) & (
        np.abs(heights / CARD_HEIGHT_M - 1) < SIZE_TOLERANCE
    )
    better = CardPoses.of_corners(corners)
    return CardPoses(
        np.where(fits[:, None], better.centres_m, poses.centres_m),
        np.where(fits, better.angles_rad, poses.angles_rad),
    )
