"""Find when a hand first reached a card's edge in the picture: no contact can be earlier.

A card that is pushed by another one may set off before that, but not before the hand reaches its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.field.slots import Slot
from vision.hand_cues.adjacency import row_of
from vision.imaging.outline_distance import outside_px

_FARTHEST_MM = 150.0


def hand_entry(slot: Slot, departure: Departure) -> float | None:
    """Return the instant at which whatever came over the field reached a card, nanoseconds.

    It is interpolated between two pictures, as if hands approached evenly.

    `departure`: the pictures around the moment it was last seen there.

    Returns: None if something already lay over the card in the first picture, or never did.
    """
    before: tuple[int, float] | None = None
    for view in departure.views:
        gap_mm = _gap_once(slot, departure, view)
        if gap_mm <= 0:
            if before is None:
                return None
            share = before[1] / (before[1] - gap_mm)
            return before[0] + share * (view.t_ns - before[0])
        before = view.t_ns, min(gap_mm, _FARTHEST_MM)
    return None


def row_entry(field: FieldModel, number: int, departures: Mapping[int, Departure]) -> float | None:
    """Return the instant at which a hand reached a card, or a card that may have pushed it, nanoseconds.

    Returns: None if a hand may have been there all the time, see `hand_entry`.

    `number`: index of the card's slot. `departures`: those of all cards that moved, including this one, by
    slot number.
    """
    entries = []
    for member in row_of(field.slots, number, departures):
        slot, departure = field.slots[member], departures[member]
        entry = hand_entry(slot, departure)
        if entry is not None:
            entries.append(entry)
        if departure.floorlike or _lay_over(slot, departure):
            return None
    return min(entries, default=None)


def entries_of(field: FieldModel, number: int, departures: Mapping[int, Departure]) -> tuple[float, ...]:
    """Return the known instants at which a hand may have set a card off, nanoseconds.

    See `row_entry` for the parameters.
    """
    departure = departures[number]
    own = None if departure.floorlike else hand_entry(field.slots[number], departure)
    return tuple(entry for entry in (row_entry(field, number, departures), own) if entry is not None)


def _lay_over(slot: Slot, departure: Departure) -> bool:
    """Tell whether something already lay over a card in the first picture."""
    views = departure.views
    return bool(views) and _gap_once(slot, departure, views[0]) <= 0


def _gap_once(slot: Slot, departure: Departure, view: View) -> float:
    return departure.once(("gap", view.t_ns), partial(_gap_mm, slot, view))


def _gap_mm(slot: Slot, view: View) -> float:
    """Return the distance of the nearest hand from a card, negative by how deep it reaches over the card."""
    reach_mm = 200.0
    part = view.map_around(slot, reach_mm)
    rows, columns = np.nonzero(view.over.players[part])
    if not len(rows):
        return _FARTHEST_MM
    points_px = view.over.middles_px(rows + part[0].start, columns + part[1].start)
    outside = outside_px(points_px, slot.corners_px)
    return float(outside.min() - 0.5 / view.over.scale) / slot.px_per_mm
