"""Cards that lie open at an instant, their corners in the picture, and the visible share of each."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.simulator.cardtable.film import Film


def visible_cards(film: Film, t_s: float) -> dict[str, Any]:
    """Return the instant, and number, visible share and corners (px, clockwise) of each face-up card at rest.

    Hands are ignored: the share is what other cards leave visible.
    """
    cards = film.script.cards_at(t_s)
    resting = sorted(
        (track.rested_at(t_s), card)
        for card, track in cards.items()
        if track.is_there(t_s) and not track.is_moving(t_s, t_s + 1e-6)
    )
    width, height = film.size_px
    owner = np.full((height, width), -1, np.int16)
    areas: dict[int, float] = {}
    corners: dict[int, Any] = {}
    for _, card in resting:
        pose = cards[card].at(t_s)
        if np.cos(pose[4]) < 0:
            continue
        corners[card] = film.surface.corners_px(pose)
        outline = np.rint(corners[card]).astype(np.int32)
        own = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(own, outline, 1)
        areas[card] = float(own.sum())
        owner[own > 0] = card
    rows = [
        {
            "card": card,
            "visible": round(float((owner == card).sum()) / areas[card], 3),
            "corners_px": [[round(float(x), 2), round(float(y), 2)] for x, y in at],
        }
        for card, at in corners.items()
    ]
    return {"t_ms": round(t_s * 1000, 1), "cards": rows}
