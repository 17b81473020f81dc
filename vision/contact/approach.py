"""Measure how near each player's hand was to a card that moved, picture by picture.

`vision.hands.player_map` divides what lies over the field between the players. Cards that fly over the field
are taken out of it, and an arm that only passes over a card is told from the fingers at its end.
"""

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import Departure, View, Window
from vision.field.model import FieldModel
from vision.hand_cues.shade import SeenPrint, print_in
from vision.hands.frame_map import NEAR, FrameMap
from vision.imaging.outline_distance import outside_px
from vision.launch.flight import HAND_SHADE, Flight
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

_T = TypeVar("_T")

_ARM_MM2 = 6000.0  # mm^2 of an arm past a card: with more of it there, its fingers are elsewhere
TIP_MM2 = 200.0  # mm^2 of a card below the hand's end: a fingertip covers more


@dataclass(frozen=True, slots=True, eq=False)
class Approach:
    """Distance of a player's hand from a card in each of its views, (V,) each."""

    times_ns: NDArray[np.float64]  # instants of the views
    gaps_mm: NDArray[np.float64]  # from hand to card; where it covers the card, minus the root of that area
    met_ns: NDArray[np.float64]  # for how long it was one region with the other player's arm; 0 if apart
    beyond_mm2: NDArray[np.float64]  # area of the arm that reaches past the card, away from its player
    fingers_mm2: NDArray[np.float64]  # area of the card that the hand's end covers, where its fingers are

    def gap_at(self, t_ns: float) -> float:
        """Return the distance between hand and card, millimetres, negative if the hand covers it."""
        return float(np.interp(t_ns, self.times_ns, self.gaps_mm))

    def gap_before(self, t_ns: float) -> float:
        """Return the distance in the last picture before an instant, as `gap_at` does."""
        return float(self.gaps_mm[self._before(t_ns)])

    def pace_before(self, t_ns: float) -> float:
        """Return how fast the hand approached between the last two pictures before an instant, mm per ms."""
        before = self._before(t_ns)
        if before == 0:
            return 0.0
        nearer_mm = max(self.gaps_mm[before - 1], 0.0) - max(self.gaps_mm[before], 0.0)
        return max(0.0, float(nearer_mm / (self.times_ns[before] - self.times_ns[before - 1])) * 1e6)

    def lain_ns(self, t_ns: float) -> float:
        """Return for how long the hand had lain over the card without a break, nanoseconds."""
        off = np.flatnonzero(self.gaps_mm[: int(np.searchsorted(self.times_ns, t_ns, "right"))] > 0)
        since_ns = self.times_ns[off[-1]] if len(off) else self.times_ns[0]
        return float(max(0.0, t_ns - since_ns))

    def is_past(self, t_ns: float, within_ns: float) -> bool:
        """Tell whether in all pictures around an instant the hand lies beyond the card, no finger on it."""
        step_ns = self.step_at(t_ns)
        if not np.isfinite(step_ns):
            return False
        around_steps = 1.5  # at least the last picture before the instant and the first one after it
        around = np.abs(self.times_ns - t_ns) <= max(within_ns, around_steps * step_ns)
        tips = self.fingers_mm2[around] >= TIP_MM2
        return bool((self.beyond_mm2[around] > _ARM_MM2).all() and not tips.any())

    def nearest_mm(self, t_ns: float, unc_ns: float) -> float:
        """Return the least distance of the hand in the pictures around an instant, negative over the card."""
        around = np.abs(self.times_ns - t_ns) <= max(unc_ns, self.step_at(t_ns))
        return float(self.gaps_mm[around].min()) if around.any() else -np.inf

    def may_have_come(self, t_ns: float, within_ns: float) -> bool:
        """Tell whether the hand, as fast as it was seen, may have come to the card between two pictures.

        The pictures are those around an instant.
        """
        fast_mps = 2.0  # a hand that was not in view before seems faster
        ways_mm, steps_ms = self.gaps_mm.clip(0), np.diff(self.times_ns) / 1e6
        paces_mps = np.minimum(np.abs(np.diff(ways_mm)) / steps_ms, fast_mps)
        for step in range(self._before(t_ns - within_ns), len(steps_ms)):
            if self.times_ns[step] >= t_ns + within_ns:
                return False
            seen_mps = paces_mps[max(step - 1, 0) : step + 2].max()
            if ways_mm[step] + ways_mm[step + 1] <= seen_mps * steps_ms[step]:
                return True
        return False

    def step_at(self, t_ns: float) -> float:
        """Return the time between the pictures around an instant, nanoseconds; infinite outside them."""
        after = int(np.searchsorted(self.times_ns, t_ns))
        inside = 0 < after < len(self.times_ns)
        return float(self.times_ns[after] - self.times_ns[after - 1]) if inside else np.inf

    def _before(self, t_ns: float) -> int:
        return max(0, int(np.searchsorted(self.times_ns, t_ns)) - 1)

    def met_at(self, t_ns: float) -> float:
        """Return for how long the hand had not been seen apart from the other player's arm, nanoseconds."""
        return float(self.met_ns[np.argmin(np.abs(self.times_ns - t_ns))])

    def arrival(self, from_ns: float) -> tuple[float, float] | None:
        """Return when the hand reaches the card after `from_ns`, and the half width of that instant.

        An arm that passes over the card on its way elsewhere does not reach it.
        """
        for index in range(1, len(self.gaps_mm)):
            before, after = self.times_ns[index - 1], self.times_ns[index]
            if after < from_ns or self.gaps_mm[index] > 0 or self.beyond_mm2[index] > _ARM_MM2:
                continue
            fall = max(self.gaps_mm[index - 1], 0.0) - self.gaps_mm[index]
            share = 0.0 if fall <= 0 else max(self.gaps_mm[index - 1], 0.0) / fall
            return max(from_ns, before + share * (after - before)), (after - before) / 2
        return None


class Cells(NamedTuple):
    """Cells of the players' map: rows and columns (N,), and their centres in the frame (N, 2)."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    points_px: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PlayersMap:
    """A players' map (h, w) of a view without cards, and the cached results about it."""

    players: NDArray[np.uint8]
    found: dict[Hashable, Any] = field(default_factory=dict)


Made = dict[tuple[FrameMap, bytes], PlayersMap]  # maps of views, by what they show


class Hands:
    """The players' maps of a poem without the cards that fly over the field; each map is made once.

    Parameters
    ----------
    field : the resting field.
    flights : the reliable paths of the cards that were struck.
    scale : size of the players' map relative to the frame.
    made : earlier results for the poem's maps; maps with the same content are examined once.
    """

    def __init__(
        self,
        field: FieldModel,
        flights: Collection[Flight],
        scale: float,
        *,
        made: Made | None = None,
    ) -> None:
        self.scale, self.field = scale, field
        fingers_mm = 65.0  # length of the part of a hand that lies on cards; the palm behind it is raised
        self._fingers = fingers_mm * scale * field.px_per_mm
        self._flights = flights
        self._made: Made = {} if made is None else made
        self._maps: dict[FrameMap, PlayersMap] = {}

    def players(self, view: View) -> NDArray[np.uint8]:
        """Return the players' map of a view, (h, w); it is cached, do not write to it."""
        return self._map(view).players

    def cells(self, view: View, player: int) -> Cells:
        """Return where a player's hands and arms lie in a view."""

        def find() -> Cells:
            mine = self.players(view) == player
            rows, columns = np.divmod(np.flatnonzero(mine), mine.shape[1])
            return Cells(rows, columns, view.over.middles_px(rows, columns))

        return self.once(("cells", player), find, view)

    def ends(self, view: View, player: int) -> NDArray[np.bool_]:
        """Tell which of the `cells` belong to the ends of hands, farthest from where the arm comes in."""
        return self.once(("ends", player), partial(self._ends, view, player), view)

    def _ends(self, view: View, player: int) -> NDArray[np.bool_]:
        cells = self.cells(view, player)
        count, labels = cv2.connectedComponents((self.players(view) == player).astype(np.uint8))
        arms = labels[cells.rows, cells.columns]
        found = np.zeros(len(arms), np.bool_)
        root_cells = 2  # rows of the map, next to the player, over which an arm comes in
        stray_cells = 3  # cells beyond a hand's end to ignore, e.g. of its shadow
        for arm in range(1, count):
            own = np.flatnonzero(arms == arm)
            rows, columns = cells.rows[own], cells.columns[own]
            edge = rows.max() if player == NEAR else rows.min()
            root = columns[np.abs(rows - edge) <= root_cells].mean()
            reach = np.hypot(columns - root, rows - edge)
            end = np.sort(reach)[-min(len(own), stray_cells + 1)]
            found[own] = reach > end - self._fingers
        return found

    def owners(
        self, view: View, columns_px: NDArray[np.float64], rows_px: NDArray[np.float64]
    ) -> NDArray[np.uint8]:
        """Return whose hand or arm lies at each point (H, W) of a grid: columns (W,), rows (H,) in frame."""
        players = self.players(view)
        row, column = (
            np.clip((places * self.scale).astype(np.intp), 0, size - 1)
            for places, size in zip((rows_px, columns_px), players.shape, strict=True)
        )
        return np.asarray(players[row[:, None], column])

    def met_ns(self, view: View, near: tuple[NDArray[np.intp], NDArray[np.intp]]) -> float:
        """Return for how long most of a hand has been one region with the other player's arm, 0 if apart.

        `near` holds the cells of the part of the hand to consider, rows and columns.
        """
        if not self.once("met", lambda: bool(view.over.met_ns.any()), view):
            return 0.0
        since_ns = view.over.met_ns[near]
        doubted = since_ns > 0
        return float(view.t_ns - since_ns[doubted].min()) if 2 * doubted.sum() > len(since_ns) else 0.0

    def once(self, key: Hashable, find: Callable[[], _T], *views: View) -> _T:
        """Return what `find` finds in the maps of some views, or the cached result for the same maps."""
        *others, last = (self._map(view) for view in views)
        whole = key, *others  # without the map that keeps it, which would be a cycle
        if whole not in last.found:
            last.found[whole] = find()
        found: _T = last.found[whole]
        return found

    def _map(self, view: View) -> PlayersMap:
        if view.over not in self._maps:
            players = _hands_only(self.field, view, self._flights, self.scale)
            self._maps[view.over] = self._made.setdefault((view.over, players.tobytes()), PlayersMap(players))
        return self._maps[view.over]


def approach_of(
    strike: Strike, departure: Departure, hands: Hands, *, player: int, without_shade: bool = False
) -> Approach:
    """Measure how near a player's hand was to a card that moved.

    The distance to a flying card is taken from where it is then. `without_shade`: take no part of the card
    whose own print is seen for covered, see `vision.hand_cues.shade`.
    """
    flight = strike.flight if strike.flight is not None and strike.flight.strength >= WEAK else None
    seen = []
    for view in departure.views:
        own = None
        if without_shade and view.gray.size:
            after = view.t_ns > strike.onset.t_ns
            own = print_in(hands.field, strike.number, departure, view, may_fly=after)
        key = "gap", strike.number, flight, player, own
        find = partial(_gap, strike.number, flight, view, hands, player=player, own=own)
        gap_mm, beyond_mm2, fingers_mm2, near = hands.once(key, find, view)
        seen.append((view.t_ns, gap_mm, hands.met_ns(view, near), beyond_mm2, fingers_mm2))
    return Approach(*np.array(seen, np.float64).T)


def _gap(
    number: int, flight: Flight | None, view: View, hands: Hands, *, player: int, own: SeenPrint | None
) -> tuple[float, float, float, tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return `gaps_mm`, `beyond_mm2` and `fingers_mm2` of one view, and the cells of the hand at the card."""
    slot = hands.field.slots[number]
    if flight is not None:
        corners = flight.seen_corners_at(view.t_ns)
    else:
        corners = slot.corners_px if own is None else own.corners_px
    cells = hands.cells(view, player)
    points, nowhere_mm = cells.points_px, 1000.0
    outside_mm = outside_px(points, corners) / slot.px_per_mm if len(points) else np.full(1, nowhere_mm)
    cell_mm = 1 / hands.scale / slot.px_per_mm
    if own is not None and len(points):
        shown_share = 0.6  # share of a map cell that shows the card's print: then only shade lies over it
        outside_mm = np.where(own.share_at(points, cell_mm) > shown_share, nowhere_mm, outside_mm)
    over = outside_mm < cell_mm / 2
    covered = int(np.count_nonzero(over))
    # a cell's edge is half a cell nearer than its centre
    gap_mm = -cell_mm * covered**0.5 if covered else float(outside_mm.min()) - cell_mm / 2
    aside_mm, down_mm = (points.T - slot.centre_px[:, None]) / slot.px_per_mm
    past_mm = -down_mm if player == NEAR else down_mm
    hand_mm = (100.0, 250.0)  # distances from the card's centre at which an arm reaches past the card
    beyond_mm = 150.0
    past = (np.abs(aside_mm) < beyond_mm) & (past_mm > hand_mm[0]) & (past_mm < hand_mm[1])
    met_mm = 60.0  # around the card: the part of a hand that must have been seen apart from the other arm
    near = outside_mm < met_mm if len(points) else np.zeros(0, np.bool_)
    beyond_mm2 = float(np.count_nonzero(past) * cell_mm**2)
    fingers = np.count_nonzero(hands.ends(view, player)[over]) if covered else 0
    return gap_mm, beyond_mm2, float(fingers * cell_mm**2), (cells.rows[near], cells.columns[near])


def _hands_only(
    field: FieldModel, view: View, flights: Collection[Flight], scale: float
) -> NDArray[np.uint8]:
    """Return the players' map of a view without the cards that fly over it, (h, w).

    They are found as paper, or by their print, where a card is expected.
    """
    hands = view.over.players.copy()
    map_unlit: NDArray[np.float32] | None = None
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
        map_unlit = view.over.unlit if map_unlit is None else map_unlit
        unlit = map_unlit[window]
        bright = unlit > HAND_SHADE * field.paper(flight.number)
        part[inside & (bright | _looks_like(field, flight, view, unlit, window))] = 0
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
