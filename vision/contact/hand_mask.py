"""The players' map without the cards that fly over it, found as paper where a card is expected."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import View, Window
from vision.field.model import FieldModel
from vision.imaging.outline_distance import outside_px
from vision.launch.flight import HAND_SHADE, Flight


def hands_only(field: FieldModel, view: View, flights: Collection[Flight], scale: float) -> NDArray[np.uint8]:
    """Return the players' map of a view without the cards that fly over it, (h, w).

    Parameters
    ----------
    field : the resting field.
    view : the view.
    flights : the reliable paths of the cards that were struck.
    scale : size of the players' map relative to the frame.
    """
    over = view.over
    hands = over.players.copy()
    unlit: NDArray[np.float32] | None = None
    for flight in flights:
        if min(flight.t_ns, flight.launch.t_ns) > view.t_ns:
            continue
        corners = (flight.seen_corners_at(view.t_ns) + 0.5) * scale - 0.5
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, hands.shape[::-1])
        if np.any(high <= low):
            continue
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        part = hands[window]
        y, x = np.mgrid[window]
        inside = outside_px(np.stack([x.ravel(), y.ravel()], axis=1), corners).reshape(part.shape) <= 0.5
        if unlit is None:
            unlit = over.unlit
        bright = unlit[window] > HAND_SHADE * field.paper(flight.number)
        part[inside & (bright | _looks_like(field, flight, view, unlit[window], window))] = 0
    return hands


def _looks_like(
    field: FieldModel, flight: Flight, view: View, unlit: NDArray[np.float32], window: Window
) -> NDArray[np.bool_]:
    """Tell where a part of the map shows a card's own print, at the place where the view shows the card."""
    if all(spot.t_ns != view.t_ns for spot in flight.spots):
        return np.zeros(unlit.shape, np.bool_)
    scale = view.over.scale
    now, rest = (
        (corners[:3] + 0.5) * scale - 0.5
        for corners in (flight.seen_corners_at(view.t_ns), flight.slot.corners_px)
    )
    corner = np.array([window[1].start, window[0].start])
    back = cv2.getAffineTransform((now - corner).astype(np.float32), rest.astype(np.float32))
    rested = cv2.warpAffine(
        field.shrunk(scale), back, unlit.shape[::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    like = 0.12  # of the paper's gray level: a cell closer than this to the expected print shows the print
    return np.asarray(np.abs(unlit - rested) < like * field.paper(flight.number), np.bool_)
