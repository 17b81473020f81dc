"""Find how a struck card flies off: instant and velocity of its launch, from the pictures just after it.

For a few hundredths of a second a struck card moves evenly, pushed by the hand or free, once it has taken on
the hand's speed. Its launch has six numbers: the instant, the time in which the card takes on its speed, the
velocity in x and y, and the rate of turning. For each picture after the last sight in place
`vision.sightings.traces` tells how well the card fits at each place and angle; the launch whose path has the
least total energy in all these maps is the answer. The probability of each instant comes from how much worse
it explains the same pictures and, if the card's print is seen (`vision.sightings.spots`), from the places of
the print.
"""

from collections.abc import Hashable, MutableMapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.field.slots import Sight, Slot
from vision.hand_cues.speed import hand_velocity
from vision.launch.path_search import (
    GRIPS_MS,
    HORIZON_MS,
    TEMPERATURE,
    LaunchSearch,
    launch_likelihood,
    reach_deg,
)
from vision.sightings.path import EXPOSED_MS, follow_print
from vision.sightings.spots import Place, Spot, find_spots
from vision.sightings.traces import Bare, Painted, gone_by, traces_of

_VIEWS = 8
_LATER = 0.15  # weight of instants after the first picture: a card mostly leaves as a hand first hides it
HAND_SHADE = 0.62  # darker than this share of the card's paper, and unlike the field: not card


@dataclass(frozen=True, slots=True)
class Launch:
    """When a card set off: the median, and the ends of the 95 % interval, nanoseconds."""

    t_ns: float
    early_ns: float
    late_ns: float

    @property
    def half_ns(self) -> float:
        """Longer half of the interval, nanoseconds."""
        return max(self.late_ns - self.t_ns, self.t_ns - self.early_ns)


@dataclass(frozen=True, slots=True, eq=False)
class Flight:
    """The flight of a card."""

    number: int
    slot: Slot
    t_ns: float  # instant at which its even flight begins, extrapolated back
    launch: Launch
    even_px: NDArray[np.float64]  # (2,), velocity of the even flight, pixels per millisecond
    turn_deg: float  # degrees per millisecond, clockwise in the picture
    # how strongly the pictures support it: mean log likelihood ratio over the card's pixels while it is in
    # sight; 0 if it was not seen at all
    strength: float
    spots: tuple[Spot, ...] = ()  # where its print was seen on its way
    # edges (N + 1,) of bins of time, nanoseconds, and the probability of a launch in each bin, (N,)
    chances: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
    borrowed: bool = False  # its instant is a neighbour's, since its own pictures told hardly anything of it

    @property
    def velocity_px(self) -> NDArray[np.float64]:
        """(2,), its velocity as it was struck, pixels per millisecond.

        This is the velocity of its print if that was seen: a fit to a mostly hidden card is vague.
        """
        soon = self._soon()
        if not soon:
            return self.even_px
        since_ms = np.array([(spot.t_ns - self.launch.t_ns) / 1e6 for spot in soon])
        shifts = np.array([spot.shift_px for spot in soon])
        return np.asarray(since_ms @ shifts / (since_ms @ since_ms))

    @property
    def is_clocked(self) -> bool:
        """Whether its print was seen soon after it was struck, which gives its velocity."""
        return bool(self._soon())

    def _soon(self) -> list[Spot]:
        # this long after the launch, a card's place tells how it was struck
        shortest_ms, driven_ms = 3.0, 45.0
        return [spot for spot in self.spots if shortest_ms < (spot.t_ns - self.launch.t_ns) / 1e6 < driven_ms]

    def place_at(self, t_ns: float) -> tuple[NDArray[np.float64], float]:
        """Return how far the card has come, (2,) pixels, and how far it has turned, degrees."""
        flown_ms = max(0.0, (t_ns - self.t_ns) / 1e6)
        return self.even_px * flown_ms, self.turn_deg * flown_ms

    def corners_at(self, t_ns: float) -> NDArray[np.float64]:
        """Return the card's corners, shape (4, 2), pixels."""
        return self._corners(*self.place_at(t_ns))

    def seen_corners_at(self, t_ns: float) -> NDArray[np.float64]:
        """Return the card's corners, shape (4, 2), pixels, along the places where its print was seen.

        Hands speed up, and cards get stuck and bump into one another, so an even path soon leads elsewhere.
        """
        if not self.spots:
            return self.corners_at(t_ns)
        times = np.array([self.launch.t_ns, *(spot.t_ns for spot in self.spots)])
        shifts = np.array([np.zeros(2), *(spot.shift_px for spot in self.spots)])
        turns = np.array([0.0, *(spot.turn_deg for spot in self.spots)])
        later = times > np.concatenate([[-np.inf], times[:-1]])  # leaves out places seen before the launch
        if t_ns >= times[-1]:
            shift, angle_deg = self.place_at(t_ns)
            flown, turned = self.place_at(float(times[-1]))
            return self._corners(shifts[-1] + shift - flown, turns[-1] + angle_deg - turned)
        x, y, angle = (np.interp(t_ns, times[later], one[later]) for one in (*shifts.T, turns))
        return self._corners(np.array([x, y]), float(angle))

    def _corners(self, shift: NDArray[np.float64], angle_deg: float) -> NDArray[np.float64]:
        cos, sin = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
        centre = self.slot.centre_px
        turned = (self.slot.corners_px - centre) @ np.array([[cos, sin], [-sin, cos]])
        return np.asarray(centre + shift + turned)


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """The flight of a card, from its own pictures alone."""

    flight: Flight
    promising: Sequence[NDArray[np.int32]]  # where it was searched for, see `LaunchSearch.promising`


def find_trail(
    field: FieldModel,
    number: int,
    departure: Departure,
    *,
    sights: Sequence[Sight] = (),
    others: Sequence[Flight] = (),
    alone: Trail | None = None,
    bare: MutableMapping[Hashable, Bare] | None = None,
) -> Trail | None:
    """Find the trail of a card that flew off.

    Returns: None if there is no picture to judge by.

    Parameters
    ----------
    number : index of the card's slot.
    departure : the pictures around the beginning of its motion.
    sights : where its face was seen, in order of time, e.g. shifts of up to a pixel after it set off.
    others : known flights of other cards, whose print must not be taken for this card's.
    alone : the trail that the same pictures gave without the others; the card is seen and searched for at the
        same places.
    bare : see `vision.sightings.traces.traces_of`.
    """
    still_ns, latest_ns = departure.bracket_ns
    views = views_of(departure)
    if not views:
        return None
    bare = {} if bare is None else bare
    edges = _edges((latest_ns - still_ns) / 1e6)
    traces = []
    for view in views:
        painted = [Painted(other.number, *other.place_at(view.t_ns)) for other in others]
        most_deg = reach_deg((view.t_ns - still_ns) / 1e6 - float(edges[0]))
        traces.append(traces_of(field, number, view, still_ns, painted, turned_deg=most_deg, known=bare))
    near = [sight for sight in sights if sight.seen and still_ns <= sight.t_ns <= views[-1].t_ns]
    hand_px = hand_velocity(field.slots[number], departure)
    search = LaunchSearch(field, traces, near, still_ns, hand_px)
    instants = (edges[1:] + edges[:-1]) / 2
    promising = search.promising(instants) if alone is None else alone.promising
    energies, ways = search.over(instants, promising)
    best = float(energies.min())
    # energy difference that counts for little, as a share of the whole: an even flight is only a model
    misfit_share = 0.03
    temperature = max(TEMPERATURE, -misfit_share * best)
    likelihood = np.exp((best - energies) / temperature).sum(axis=1)
    index, grip = np.unravel_index(int(np.argmin(energies)), energies.shape)
    even_ms = float(instants[index]) + GRIPS_MS[grip]
    velocity, turn = ways[index, grip, :2], float(ways[index, grip, 2])
    if alone is not None:
        seen = alone.flight.spots
    else:

        def guess(t_ns: float) -> Place:
            flown_ms = max(0.0, (t_ns - still_ns) / 1e6 - even_ms)
            return velocity * flown_ms, turn * flown_ms

        most_pictures, seen_ms = 4, 70.0  # pictures in which the card is looked for: two even at 30 fps
        pictures = zip(views[:most_pictures], traces, strict=False)
        soon = [one for one in pictures if one[0].t_ns - still_ns < seen_ms * 1e6]
        gone = frozenset().union(*(gone_by(field, number, view)[0] for view, _ in soon))
        seen = tuple(find_spots(field, number, soon, guess, gone))
        if len(seen) < 2:
            seen = tuple(follow_print(field, number, views, still_ns, gone)) or seen
    edges, coarse = _finer(edges), instants
    instants = (edges[1:] + edges[:-1]) / 2
    alone_ms = 35.0  # a single sight later than this tells less of the launch than the traces
    if len(seen) > 1 or (seen and seen[0].t_ns - still_ns < alone_ms * 1e6):
        still_px = 0.3  # the card may have moved this far at its last sight in place
        spots = [Spot(still_ns, np.zeros(2), still_px), *seen]
        scale = field.slots[number].px_per_mm
        likelihood = launch_likelihood(spots, still_ns + instants * 1e6, hand_px, scale)
    else:
        likelihood = np.interp(instants, coarse, likelihood)
    chance = likelihood * np.diff(edges)
    chance *= np.where(instants < traces[0].t_ms, 1.0, _LATER)
    edges_ns = still_ns + edges * 1e6
    gone_mm = 120.0  # farther from its place a card is outside its views
    in_sight_ms = gone_mm * field.px_per_mm / max(float(np.hypot(*velocity)), 1e-6)
    shown = sum(one.t_ms - even_ms < in_sight_ms for one in traces)
    flight = Flight(
        number=number,
        slot=field.slots[number],
        t_ns=still_ns + even_ms * 1e6,
        launch=quantiles(edges_ns, chance),
        even_px=velocity,
        turn_deg=turn,
        strength=max(0.0, float(search.unlike_hand(velocity[None])[0]) - best) / max(1, shown),
        spots=seen,
        chances=(edges_ns, chance),
    )
    return Trail(flight, promising)


def quantiles(edges_ns: NDArray[np.float64], chance: NDArray[np.float64]) -> Launch:
    """Return the median and the 95 % interval of an instant.

    `edges_ns`: edges (N + 1,) of bins of time, nanoseconds. `chance`: probability of each bin, (N,), up to a
    factor.
    """
    reached = np.concatenate([[0.0], np.cumsum(chance) / chance.sum()])
    early, middle, late = np.interp([0.025, 0.5, 0.975], reached, edges_ns)
    return Launch(float(middle), float(early), float(late))


def views_of(departure: Departure) -> list[View]:
    """Return the pictures to which a flight is fitted."""
    return departure.after()[:_VIEWS]


def _finer(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of bins of time with finer ones up to the horizon."""
    near = edges[edges <= HORIZON_MS]
    fine_ms = 0.25  # width of the bins that are weighed by where the card is seen
    return np.concatenate([np.arange(near[0], near[-1], fine_ms), edges[edges >= near[-1]]])


def _edges(latest_ms: float) -> NDArray[np.float64]:
    """Return the edges of the bins of time to try, longer ones if a card was hidden for long.

    They reach half an exposure beyond the bracket: a launch within an exposure may look like one just
    outside.
    """
    start, end = -EXPOSED_MS / 2, latest_ms + EXPOSED_MS / 2
    near = min(end, HORIZON_MS)
    instant_ms = 0.5
    # numbers of instants to try: at least and at most up to the horizon, and beyond it
    fewest_instants, most_instants, hidden_instants = 12, 40, 10
    count = int(np.clip((near - start) / instant_ms, fewest_instants, most_instants))
    edges = np.linspace(start, near, count + 1)
    return np.asarray(
        np.concatenate([edges, np.geomspace(near, end, hidden_instants + 1)[1:]]) if end > near else edges
    )
