"""Measure how near each player's hand was to a card that moved, picture by picture.

`vision.hands.player_map` divides what lies over the field between the players. Cards that fly over the field
are taken out of it, and an arm that only passes over a card is told from the fingers at its end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.contact.hand_mask import hands_only
from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.hand_cues.shade import SeenPrint, print_in
from vision.hands.frame_map import NEAR, FrameMap
from vision.imaging.outline_distance import outside_px
from vision.launch.flight import Flight
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

_T = TypeVar("_T")

_ARM_MM2 = 6000.0  # mm^2 of an arm past a card: with more of it there, its fingers are elsewhere
_TIP_MM2 = 200.0  # mm^2 of a card: a fingertip covers more


@dataclass(frozen=True, slots=True, eq=False)
class Approach:
    """Distance of a player's hand from a card in each of its views."""

    times_ns: NDArray[np.float64]  # (V,) instants of the views
    # (V,) distance between hand and card; where the hand covers the card, minus the root of that area
    gaps_mm: NDArray[np.float64]
    # (V,) for how long the hand has been one region with the other player's arm; 0 if apart
    met_ns: NDArray[np.float64]
    beyond_mm2: NDArray[np.float64]  # (V,) area of the arm that reaches past the card, away from its player
    # (V,) area of the card that the end of the hand covers, where its fingers are
    fingers_mm2: NDArray[np.float64]

    def is_arm_at(self, t_ns: float) -> bool:
        """Tell whether only the arm passes over the card, with the fingers elsewhere."""
        return float(np.interp(t_ns, self.times_ns, self.beyond_mm2)) > _ARM_MM2

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

    def fingers_at(self, t_ns: float) -> float:
        """Return the area of the card that the hand's end covered then or in the picture before, mm^2."""
        now = float(np.interp(t_ns, self.times_ns, self.fingers_mm2))
        return max(now, float(self.fingers_mm2[self._before(t_ns)]))

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
        # at least the last picture before the instant and the first one after it
        around_steps = 1.5
        around = np.abs(self.times_ns - t_ns) <= max(within_ns, around_steps * step_ns)
        tips = self.fingers_mm2[around] >= _TIP_MM2
        return bool((self.beyond_mm2[around] > _ARM_MM2).all() and not tips.any())

    def nearest_mm(self, t_ns: float, unc_ns: float) -> float:
        """Return the least distance of the hand in the pictures around an instant, negative over the card."""
        around = np.abs(self.times_ns - t_ns) <= max(unc_ns, self.step_at(t_ns))
        return float(self.gaps_mm[around].min()) if around.any() else -np.inf

    def step_at(self, t_ns: float) -> float:
        """Return the time between the pictures around an instant, nanoseconds; infinite outside them."""
        after = int(np.searchsorted(self.times_ns, t_ns))
        inside = 0 < after < len(self.times_ns)
        return float(self.times_ns[after] - self.times_ns[after - 1]) if inside else np.inf

    def _before(self, t_ns: float) -> int:
        return max(0, int(np.searchsorted(self.times_ns, t_ns)) - 1)

    def met_at(self, t_ns: float) -> float:
        """Return for how long the hand had not been seen apart from the other player's arm, nanoseconds."""
        return float(self.met_ns[self._nearest(t_ns)])

    def _nearest(self, t_ns: float) -> int:
        return int(np.argmin(np.abs(self.times_ns - t_ns)))

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


class Hands:
    """The players' maps of a poem without the cards that fly over the field; each map is made once.

    `field`, `scale`, `look_back`, `kept`: see the parameters.

    Parameters
    ----------
    field : the resting field.
    flights : the reliable paths of the cards that were struck.
    scale : size of the players' map relative to the frame.
    kept : returns the maps between two instants, with their instants.
    made : earlier results for the poem's maps; maps with the same content are examined once.
    """

    def __init__(
        self,
        field: FieldModel,
        flights: Collection[Flight],
        scale: float,
        kept: Callable[[float, float], Sequence[tuple[int, FrameMap]]] = lambda *_: (),
        *,
        made: Made | None = None,
    ) -> None:
        self.scale = scale
        self.kept = kept
        fingers_mm = 65.0  # length of the part of a hand that lies on cards; the palm behind it is raised
        self._fingers = fingers_mm * scale * field.px_per_mm
        self.field = field
        self._flights = flights
        self._made: Made = {} if made is None else made
        self._maps: dict[FrameMap, PlayersMap] = {}

    def views(self, departure: Departure, t_ns: float) -> list[View]:
        """Return a departure's views, and the maps around an instant if it has no view there.

        No pictures are kept of cards that are hidden for long; those views have none.
        """
        times_ns = [view.t_ns for view in departure.views]
        after = bisect_right(times_ns, t_ns)
        from_ns = times_ns[after - 1] if after else -np.inf
        to_ns = times_ns[after] if after < len(times_ns) else np.inf
        hole_ns = 60_000_000  # between a card's pictures: in a longer gap hands come and go unseen
        if to_ns - from_ns <= hole_ns:
            return departure.views
        from_ns, to_ns = max(from_ns, t_ns - hole_ns), min(to_ns, t_ns + hole_ns)
        found = self.kept_views(departure, from_ns, to_ns)
        return [*departure.views[:after], *found, *departure.views[after:]]

    def kept_views(self, departure: Departure, from_ns: float, to_ns: float) -> list[View]:
        """Return the maps between two instants as views of a departure, without pictures."""
        none = np.zeros((0, 0), np.uint8)
        return [View(at_ns, none, departure.window, over) for at_ns, over in self.kept(from_ns, to_ns)]

    def players(self, view: View) -> NDArray[np.uint8]:
        """Return the players' map of a view, (h, w); it is cached, do not write to it."""
        return self._map(view).players

    def cells(self, view: View, player: int) -> Cells:
        """Return where a player's hands and arms lie in a view."""
        return self.once(("cells", player), lambda: _cells(self.players(view) == player, view.over), view)

    def ends(self, view: View, player: int) -> NDArray[np.bool_]:
        """Tell which of the `cells` belong to the ends of hands, farthest from where the arm comes in."""
        return self.once(
            ("ends", player),
            lambda: _ends(self.players(view) == player, self.cells(view, player), self._fingers, player),
            view,
        )

    def owners(
        self, view: View, columns_px: NDArray[np.float64], rows_px: NDArray[np.float64]
    ) -> NDArray[np.uint8]:
        """Return whose hand or arm lies at each point of a grid of a view.

        `view`: the view. `columns_px`, `rows_px`: (W,) and (H,), the grid in the frame; the answer is (H, W).
        """
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
            players = hands_only(self.field, view, self._flights, self.scale)
            key = view.over, players.tobytes()
            self._maps[view.over] = self._made.setdefault(key, PlayersMap(players))
        return self._maps[view.over]


@dataclass(frozen=True, slots=True, eq=False)
class PlayersMap:
    """A players' map (h, w) of a view without cards, and the cached results about it."""

    players: NDArray[np.uint8]
    found: dict[Hashable, Any] = field(default_factory=dict)


Made = dict[tuple[FrameMap, bytes], PlayersMap]  # maps of views, by what they show


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells of the players' map: rows and columns (N,), and their centres in the frame (N, 2)."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    points_px: NDArray[np.float64]


def approach_of(
    strike: Strike, departure: Departure, hands: Hands, *, player: int, without_shade: bool = False
) -> Approach:
    """Measure how near a player's hand was to a card that moved.

    Parameters
    ----------
    strike : the card's motion; the distance to a flying card is taken from where it is then.
    departure : the pictures around its beginning.
    hands : the players' maps of the poem.
    player : `NEAR` or `FAR`.
    without_shade : take no part of the card whose own print is seen for covered, see
        `vision.hand_cues.shade`.
    """
    flight = strike.flight if strike.flight is not None and strike.flight.strength >= WEAK else None
    views = hands.views(departure, strike.onset.t_ns)
    prints = [
        print_in(hands.field, strike.number, departure, view, may_fly=view.t_ns > strike.onset.t_ns)
        if without_shade and view.gray.size
        else None
        for view in views
    ]
    seen = [
        hands.once(
            ("gap", strike.number, flight, player, own),
            partial(_gap, strike.number, flight, view, hands, player=player, own=own),
            view,
        )
        for view, own in zip(views, prints, strict=True)
    ]
    return Approach(
        np.array([view.t_ns for view in views], np.float64),
        np.array([gap.mm for gap in seen]),
        np.array([hands.met_ns(view, gap.near) for view, gap in zip(views, seen, strict=True)]),
        np.array([gap.beyond_mm2 for gap in seen]),
        np.array([gap.fingers_mm2 for gap in seen]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Gap:
    """How near a hand was in one view, see `Approach`; `near` holds the cells of its part at the card."""

    mm: float
    beyond_mm2: float
    fingers_mm2: float
    near: tuple[NDArray[np.intp], NDArray[np.intp]]


def _gap(
    number: int, flight: Flight | None, view: View, hands: Hands, *, player: int, own: SeenPrint | None
) -> _Gap:
    slot = hands.field.slots[number]
    if flight is not None:
        corners = flight.seen_corners_at(view.t_ns)
    else:
        corners = slot.corners_px if own is None else own.corners_px
    cells = hands.cells(view, player)
    points = cells.points_px
    nowhere_mm = 1000.0
    outside_mm = outside_px(points, corners) / slot.px_per_mm if len(points) else np.full(1, nowhere_mm)
    cell_mm = 1 / hands.scale / slot.px_per_mm
    if own is not None and len(points):
        shown_share = 0.6  # share of a map cell that shows the card's print: then only shade lies over it
        shown = own.share_at(points, cell_mm) > shown_share
        outside_mm = np.where(shown, nowhere_mm, outside_mm)
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
    return _Gap(gap_mm, beyond_mm2, float(fingers * cell_mm**2), (cells.rows[near], cells.columns[near]))


def _cells(mine: NDArray[np.bool_], over: FrameMap) -> Cells:
    rows, columns = np.divmod(np.flatnonzero(mine), mine.shape[1])
    return Cells(rows, columns, over.middles_px(rows, columns))


def _ends(mine: NDArray[np.bool_], cells: Cells, length: float, player: int) -> NDArray[np.bool_]:
    """Tell which cells of a player's arms lie less than `length` cells from the arm's far end."""
    count, labels = cv2.connectedComponents(mine.astype(np.uint8))
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
        found[own] = reach > end - length
    return found
