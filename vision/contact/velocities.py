"""Velocities of hands and cards in the few pictures in which a card sets off.

Dense optical flow at about 2 mm per pixel follows a hand; that is fine enough to tell apart two hands side by
side over one card. If pictures are far apart, a hand moves farther than the flow can follow and seems to
rest; then its whole shape is searched for. A card is followed by the blocks of its face that no hand covers.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.contact.approach import Hands
from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.field.slots import Slot
from vision.frames.frame import Gray
from vision.hand_cues.speed import player_moved
from vision.hands.frame_map import FAR, NEAR
from vision.imaging.optical_flow import Motion
from vision.imaging.outline_distance import outside_grid_px
from vision.launch.strikes import Strike

Velocity = NDArray[np.float64]
"""(2,), metres per second (the same number as millimetres per millisecond), along x and y of the picture."""

_SHRINK = 2


def hand_velocities(
    field: FieldModel, strike: Strike, departure: Departure, hands: Hands
) -> dict[int, Velocity]:
    """Return each player's hand velocity beside a card as it set off; no entry for a hand not seen there."""
    found: dict[int, list[Velocity]] = {NEAR: [], FAR: []}
    for earlier, later in _pairs_around(departure.views, strike.onset.t_ns):
        find = partial(_between, field.slots[strike.number], departure, earlier, later, hands)
        seen = hands.once(("hand velocities", strike.number), find, earlier, later)
        for player, velocity in seen.items():
            found[player].append(velocity)
    return {player: np.mean(each, axis=0) for player, each in found.items() if each}


def _between(
    slot: Slot, departure: Departure, earlier: View, later: View, hands: Hands
) -> dict[int, Velocity]:
    """Return each player's hand velocity from one view to the next."""
    part, key = _beside(slot, later), ("origins", earlier.t_ns, later.t_ns)
    # the flow does not depend on what flies over the field, so it is computed only once
    origins = departure.once(key, partial(_origins, earlier.gray[part], later.gray[part]))
    if origins is None:
        return {}
    x, y = origins
    rows, columns = (np.arange(size) for size in x.shape)
    places = [
        (cells + 0.5) * _SHRINK + part[axis].start + later.window[axis].start
        for axis, cells in enumerate((rows, columns))
    ]
    hand_mm = 70.0  # around the card: the part of a hand whose motion counts
    near = outside_grid_px(places[1], places[0], slot.corners_px) < hand_mm * slot.px_per_mm
    owner = hands.owners(later, places[1], places[0])
    mm_per_ms = _SHRINK / slot.px_per_mm / ((later.t_ns - earlier.t_ns) / 1e6)
    flows = {}
    fewest_px = 30
    for player in (NEAR, FAR):
        cells = near & (owner == player)
        if np.count_nonzero(cells) >= fewest_px:
            moved = (columns - x)[cells], (rows[:, None] - y)[cells]
            flows[player] = np.array([np.median(one) for one in moved]) * mm_per_ms
    shapes = {player: _by_shape(slot, earlier, later, hands, player) for player in flows}
    slow_mps = 1.0  # the flow loses hands and seldom makes them faster
    # if the flow may have lost one hand, that hand seems slow beside the other
    if any(shapes[player] is None and float(np.hypot(*flow)) < slow_mps for player, flow in flows.items()):
        return flows
    return {player: flow if (shape := shapes[player]) is None else shape for player, flow in flows.items()}


def _by_shape(slot: Slot, earlier: View, later: View, hands: Hands, player: int) -> Velocity | None:
    """Return a hand's velocity between pictures that are far apart; None if it is not found again."""
    step_ns = later.t_ns - earlier.t_ns
    coarse_ns = 12_000_000  # between pictures: from here on a fast hand moves farther than the flow follows
    if step_ns < coarse_ns:
        return None
    owners = hands.players(earlier), hands.players(later)
    moved_px = player_moved(slot, earlier, later, owners, player)
    if moved_px is None:
        return None
    found = moved_px / slot.px_per_mm / (step_ns / 1e6)
    fastest = 6.0  # metres per second: no hand is faster
    return found if float(np.hypot(*found)) < fastest else None


def _origins(before: Gray, now: Gray) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
    """Return where each pixel of a shrunk picture was in the one before; None if too little is seen."""
    size = now.shape[1] // _SHRINK, now.shape[0] // _SHRINK
    before, now = (
        np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.uint8) for one in (before, now)
    )
    smallest_px = 32  # a card at the picture's edge has too little around it to be followed
    if min(now.shape) < smallest_px:
        return None
    return Motion().origins(now, before, np.ones(now.shape, np.bool_))


def _pairs_around(views: Sequence[View], t_ns: float) -> list[tuple[View, View]]:
    """Return the neighbouring pictures whose middle lies near an instant, at least the nearest pair."""
    longest_step_ns = 40_000_000
    pairs = [
        (abs((earlier.t_ns + later.t_ns) / 2 - t_ns), earlier, later)
        for earlier, later in pairwise(views)
        if later.t_ns - earlier.t_ns <= longest_step_ns
    ]
    near_ns = 9_000_000  # around the instant at which a card set off
    most_ns = max(near_ns, min((off_ns for off_ns, _, _ in pairs), default=0))
    return [(earlier, later) for off_ns, earlier, later in pairs if off_ns <= most_ns]


def _beside(slot: Slot, view: View) -> tuple[slice, slice]:
    """Return the part of a view around a card."""
    around_mm = 100.0  # around the card, enough to find fast hands again
    reach = around_mm * slot.px_per_mm
    origin = np.array([view.window[1].start, view.window[0].start])
    low = np.maximum(np.floor(slot.corners_px.min(axis=0) - reach).astype(int) - origin, 0)
    high = np.ceil(slot.corners_px.max(axis=0) + reach).astype(int) - origin
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
