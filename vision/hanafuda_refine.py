"""Moves an outline onto the card itself by comparing with the deck's picture: shadows and grain drop out."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.deck import Picture
from vision.hanafuda_finder import Corners
from vision.hanafuda_identity import card_corners_in_crop, rectify

MAX_MOVE: Final = 0.15
"""How far a corner may move, in card widths: a card's back must not be bent until it looks like a hill."""
_ITERATIONS: Final = 30
_SMOOTHING_PX: Final = 5
"""Blur before comparing, crop pixels: outlines that are several pixels off still feel their way home."""


def refine(picture: Picture, outline: Corners, template: Picture) -> Corners:
    """Return the outline as it fits the card's picture best; unchanged where the fit fails or goes far.

    Parameters
    ----------
    picture : shape (height, width, 3), uint8, blue, green, red.
    outline : shape (4, 2), px, clockwise from the template's upper left corner.
    template : the card's picture in the deck.
    """
    in_crop = card_corners_in_crop()
    width, height = (round(float(x)) for x in in_crop[2] - in_crop[0])
    card = cv2.cvtColor(
        cv2.resize(template, (width, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
    )
    crop = cv2.cvtColor(rectify(picture, outline), cv2.COLOR_BGR2GRAY)
    shift = np.eye(3, dtype=np.float32)
    shift[:2, 2] = in_crop[0] + 0.5
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, _ITERATIONS, 1e-4)
    everywhere = np.full(crop.shape, 255, np.uint8)
    try:
        _, to_crop = cv2.findTransformECC(
            card, crop, shift, cv2.MOTION_HOMOGRAPHY, stop, everywhere, _SMOOTHING_PX
        )
    except cv2.error:
        return outline  # too unlike to converge: what is given stays
    to_picture = cv2.getPerspectiveTransform(in_crop.astype(np.float32), outline.astype(np.float32))
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5
    both = to_picture @ np.asarray(to_crop, np.float64)
    refined = np.asarray(cv2.perspectiveTransform(edge[None], both)[0], np.float64)
    short_px = float(np.linalg.norm(outline[1] - outline[0]))
    moved_px = float(np.linalg.norm(refined - outline, axis=1).max())
    return refined if moved_px <= MAX_MOVE * short_px else outline
