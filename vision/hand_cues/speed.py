"""Speed of the hands at a card as it leaves its place; a struck card flies off about as fast.

Between two pictures a fast hand moves by more than the width of its fingers, so its whole shape is searched
for in the earlier picture: at the place where it looks most alike and where as much of the field was covered.
"""

from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.peak import beside_summit
from vision.departures.departure import Departure, View
from vision.field.slots import Slot


def hand_velocity(slot: Slot, departure: Departure) -> NDArray[np.float64] | None:
    """Return the mean velocity of any hands at a card when it left, pixels per millisecond.

    `departure`: the pictures around the moment it was last seen there.

    Returns: shape (2,); None if no hand was seen at it in two pictures.
    """
    found: list[NDArray[np.float64]] = []
    views = departure.views
    least_step_ns, longest_step_ns = 12_000_000, 60_000_000  # in less time slow hands move too little
    before_ns, after_ns = 10_000_000, 20_000_000  # middle of the two pictures, from the card's last sight on
    latest_ns = 45_000_000  # the same for a hand from outside, which is seen to move only then
    for number, later in enumerate(views):
        earlier = next((one for one in views[number::-1] if later.t_ns - one.t_ns >= least_step_ns), None)
        if earlier is None or later.t_ns - earlier.t_ns > longest_step_ns:
            continue
        step_ns = later.t_ns - earlier.t_ns
        since_ns = (earlier.t_ns + later.t_ns) / 2 - departure.still_ns
        at_once = since_ns <= max(after_ns, 1.1 * step_ns)
        if since_ns < -before_ns or not (at_once or (since_ns < latest_ns and not found)):
            continue
        pair = "moved", earlier.t_ns, later.t_ns  # asked again when more is known of other cards
        moved = departure.once(pair, partial(_moved, slot, earlier, later))
        if moved is not None:
            found.append(moved / later.over.scale / (step_ns / 1e6))
            if not at_once:
                break
    return np.asarray(np.mean(found, axis=0)) if found else None


def player_moved(
    slot: Slot, earlier: View, later: View, owners: tuple[NDArray[np.uint8], NDArray[np.uint8]], player: int
) -> NDArray[np.float64] | None:
    """Return how far one player's hand at a card has moved, (2,) pixels; None if it was not seen before.

    `earlier`, `later`: two pictures. `owners`: the players' maps of both, in this order. `player`: whose
    hand, `NEAR` or `FAR`.
    """
    was, now = (one == player for one in owners)
    moved = _found_again(slot, (earlier, later), was, now)
    return None if moved is None else moved / later.over.scale


def _moved(slot: Slot, earlier: View, later: View) -> NDArray[np.float64] | None:
    """Return how far the hands at a card have moved, (2,) pixels of the players' map."""
    return _found_again(slot, (earlier, later), earlier.over.players > 0, later.over.players > 0)


def _found_again(
    slot: Slot, views: tuple[View, View], was: NDArray[np.bool_], now: NDArray[np.bool_]
) -> NDArray[np.float64] | None:
    """Return how far the hand `now` at a card has moved since the earlier view, when hands were at `was`."""
    earlier, later = views
    reach_mm = 85.0  # around the card's centre: the part of a hand whose motion counts
    part = later.map_around(slot, reach_mm)
    rows, columns = np.nonzero(now[part])
    fewest_cells = 3
    if len(rows) < fewest_cells:
        return None
    tall, wide = now.shape
    margin_cells = 2  # around the hand, so that an arm is not found farther up itself
    top, left = (
        part[0].start + int(rows.min()) - margin_cells,
        part[1].start + int(columns.min()) - margin_cells,
    )
    bottom, right = (
        part[0].start + int(rows.max()) + margin_cells,
        part[1].start + int(columns.max()) + margin_cells,
    )
    top, left, bottom, right = max(0, top), max(0, left), min(tall, bottom + 1), min(wide, right + 1)
    inside = slice(top, bottom), slice(left, right)
    step_ms = (later.t_ns - earlier.t_ns) / 1e6
    fastest_mm_per_ms = 7.0
    reach = int(np.ceil(fastest_mm_per_ms * slot.px_per_mm * later.over.scale * step_ms))
    around = slice(max(0, top - reach), bottom + reach), slice(max(0, left - reach), right + reach)
    hand, hands = (cells[window].astype(np.float32) for cells, window in ((now, inside), (was, around)))
    unlike = cv2.matchTemplate(earlier.over.unlit[around], later.over.unlit[inside], cv2.TM_SQDIFF, mask=hand)
    # cells where one picture shows a hand and the other the field, whatever their gray levels
    changed = hand.sum() + cv2.matchTemplate(hands, 1 - 2 * hand, cv2.TM_CCORR)
    # difference in gray that counts for a cell that changed between hand and field
    changed_gray = 20.0
    alike = np.asarray(-(unlike + changed_gray**2 * changed), np.float32)
    row, column = (int(index) for index in np.unravel_index(int(alike.argmax()), alike.shape))
    tall, wide = hand.shape
    found = float((hands[row : row + tall, column : column + wide] * hand).sum())
    found_share = 0.3  # of its cells, a hand at the earlier place: 0.4 and more if it was there
    if found < found_share * hand.sum():  # it was farther away, or came in from outside
        return None
    beside = beside_summit(alike, column, row)
    x = around[1].start + column + beside[0]
    y = around[0].start + row + beside[1]
    return np.array([left - x, top - y])
