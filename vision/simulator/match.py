"""A whole simulated karuta match as a source of frames, with the truth of every poem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from referee.layout import Layout
from referee.sides import Side
from vision.frames import Frame
from vision.simulator.camera import Camera
from vision.simulator.episode import Episode, Timing, stage_episode
from vision.simulator.field import deal
from vision.simulator.physics import corners_m, lying_pose
from vision.simulator.renderer import Renderer, Shutter
from vision.simulator.scenarios import DEAD_WEIGHTS, LIVE_WEIGHTS, can_push_out
from vision.simulator.scene import Scene
from vision.simulator.sensor import Sensor, frame_times
from vision.simulator.sprites import Pixels
from vision.simulator.style import find_style
from vision.simulator.truth import layout_json

FRAME_UNCERTAINTY_NS = 1_000
"""The simulator knows its instants exactly; a rounding of the clock is left."""
MOST_CARDS_PER_SIDE = 25
FEWEST_CARDS_PER_SIDE = 4


@dataclass(frozen=True, slots=True)
class PoemStart:
    """The first sound of a poem, as `reading.jsonl` holds it."""

    t_ms: float
    poem: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How much time a match takes, in seconds.

    Attributes
    ----------
    first_s : from the first frame to the first poem.
    settle_s : from the field at rest to the next poem.
    least_s : from a poem to the next at least; a live demonstration gives the reader room with it.
    """

    first_s: float = 1.2
    settle_s: float = 0.9
    least_s: float = 0.0


class SimulatedMatch:
    """A match from the deal to a winner, frame by frame; the same seed gives the same frames bit for bit.

    Parameters
    ----------
    seed : decides the deal, the players, the camera and every accident.
    fps : nominal frames a second, any positive number.
    size : width and height of the pictures in pixels.
    style : a name of `vision.simulator.style.STYLES`; `holdout` is for benchmarks only.
    cards_per_side : 4..25.
    poems : the order of reading; by default the cards of the field and as many karafuda, shuffled.
    pace : how much time there is between poems.
    in_colour : render blue-green-red too, see `pictures`.
    scenario, gap_s : play this scenario in every poem (clips); `gap_s` is the lead of the first hand of a race.
    restore : False ends after the first poem's action, with the cards where they fell.

    Raises
    ------
    ValueError
        When a parameter is out of its range.
    """

    def __init__(
        self,
        seed: int,
        fps: float = 60,
        size: tuple[int, int] = (1280, 720),
        style: str = "tatami",
        cards_per_side: int = 25,
        poems: Sequence[int] | None = None,
        *,
        pace: Pace | None = None,
        in_colour: bool = False,
        scenario: str | None = None,
        gap_s: float | None = None,
        restore: bool = True,
    ) -> None:
        if not FEWEST_CARDS_PER_SIDE <= cards_per_side <= MOST_CARDS_PER_SIDE:
            raise ValueError(
                f"cards_per_side must be {FEWEST_CARDS_PER_SIDE}..{MOST_CARDS_PER_SIDE}, got {cards_per_side}"
            )
        if fps <= 0:
            raise ValueError(f"fps must be positive, got {fps}")
        if min(size) < 120:
            raise ValueError(f"size must be at least 120 x 120 pixels to show cards, got {size}")
        self.seed, self.fps, self.size, self.style = seed, fps, size, style
        self.width, self.height = size
        self.nominal_fps = float(fps)
        self._hall = find_style(style)
        self._pace = pace or Pace()
        self._in_colour = in_colour
        self._scenario, self._gap_s, self._restore = scenario, gap_s, restore
        hall_rng = self._dice(1)
        self.camera: Camera = self._hall.camera(hall_rng, size)
        self._exposure_s = min(float(hall_rng.uniform(*self._hall.exposure_s)), 0.9 / fps)
        self._readout_s = min(float(hall_rng.uniform(*self._hall.readout_s)), 0.9 / fps)
        deal_rng = self._dice(2)
        cards = [int(card) for card in deal_rng.permutation(np.arange(1, 101))]
        if poems is not None:
            cards = _wanted_first(cards, poems, cards_per_side)
        turn = self._hall.card_turn_deg
        self.start = Layout(
            (
                *deal(cards[:cards_per_side], Side.NEAR, deal_rng, turn),
                *deal(cards[cards_per_side : 2 * cards_per_side], Side.FAR, deal_rng, turn),
            )
        )
        heard = [int(card) for card in deal_rng.permutation(cards[: min(4 * cards_per_side, 100)])]
        self.poems: tuple[int, ...] = tuple(poems) if poems is not None else tuple(heard)
        if bad := [poem for poem in self.poems if not 1 <= poem <= 100]:
            raise ValueError(f"poems are numbered 1..100, got {bad}")
        self._episodes: list[Episode] = []
        self._play_rng = self._dice(3)

    def _dice(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, purpose])

    # --- the script ------------------------------------------------------------------------------------

    def episodes(self) -> Iterator[Episode]:
        """Yield the poems one by one; each is played out when it is first asked for."""
        index = 0
        while True:
            if index == len(self._episodes) and not self._extend():
                return
            yield self._episodes[index]
            index += 1

    def _extend(self) -> bool:
        """Play the next poem; False when the match is over."""
        done = len(self._episodes)
        last = self._episodes[-1] if done else None
        layout = self.start if last is None else last.after
        if done == len(self.poems) or self._winner(layout) or (done and not self._restore):
            return False
        poem = self.poems[done]
        start_s = 0.0 if last is None else last.end_s
        lead_s = self._pace.first_s
        if last is not None:
            lead_s = max(0.05, last.t_s + self._pace.least_s - start_s)
        middle = self.camera.to_floor(
            np.array(
                [
                    [0, self.height / 2],
                    [self.width, self.height / 2],
                    [self.width / 2, 0],
                    [self.width / 2, self.height],
                ]
            )
        )
        visible_m = float(np.abs(middle[:2, 0]).max()), float(np.abs(middle[2:, 1]).max())
        timing = Timing(start_s, lead_s, self._pace.settle_s, self._restore)
        name = self._scenario or self._draw(layout, poem)
        self._episodes.append(
            stage_episode(
                name, poem, layout, timing, self._play_rng, self._hall.card_turn_deg, visible_m, self._gap_s
            )
        )
        return True

    def _draw(self, layout: Layout, poem: int) -> str:
        """Choose what happens, by how often it happens in matches."""
        weights = dict(DEAD_WEIGHTS if layout.find(poem) is None else LIVE_WEIGHTS)
        if not can_push_out(layout, poem):
            weights.pop("pushout", None)
        if len(layout) <= 3 or min(len(layout.of(side)) for side in Side) <= 1:
            # Hardly any card is left to touch by mistake.
            weights = {
                name: weight
                for name, weight in weights.items()
                if name in {"own", "opp", "press", "dead_none"}
            }
        names = list(weights)
        shares = np.array([weights[name] for name in names], float)
        return names[int(self._play_rng.choice(len(names), p=shares / shares.sum()))]

    @staticmethod
    def _winner(layout: Layout) -> Side | None:
        return next((side for side in Side if not layout.of(side)), None)

    @property
    def winner(self) -> Side | None:
        """Who got rid of all cards, or None where the poems ended first. Plays the match to its end."""
        return self._winner([*self.episodes()][-1].after) if self.poems else None

    @property
    def readings(self) -> tuple[PoemStart, ...]:
        """The poems' first sounds. Plays the match to its end."""
        return tuple(PoemStart(round(e.t_s * 1000, 3), e.poem) for e in self.episodes())

    @property
    def truth(self) -> dict[str, Any]:
        """What really happens, in the shape of `truth.json`. Plays the match to its end."""
        episodes = [*self.episodes()]
        winner = self.winner
        return {
            "layout": layout_json(self.start),
            "poems": [{**e.truth, "layout_before": layout_json(e.before)} for e in episodes],
            "meta": {
                "seed": self.seed,
                "style": self.style,
                "scenario": self._scenario or "match",
                "fps": self.fps,
                "width": self.width,
                "height": self.height,
                "duration_ms": round(episodes[-1].end_s * 1000) if episodes else 0,
                "winner": None if winner is None else str(winner),
                "camera": {
                    "mm_across": self.camera.across_m * 1000,
                    "height_mm": self.camera.height_m * 1000,
                    "tilt_deg": float(np.rad2deg(self.camera.tilt_rad)),
                    "k1": self.camera.k1,
                },
                "conditions": {
                    "typeface": self._hall.typeface,
                    "floor": self._hall.floor,
                    "exposure_ms": self._exposure_s * 1000,
                    "readout_ms": self._readout_s * 1000,
                    "flicker": self._hall.flicker,
                },
                "corners_px": self._corners_px(),
            },
        }

    def _corners_px(self) -> dict[str, list[list[float]]]:
        """Corners of the cards of the first layout in the picture: each card's own top left, then clockwise."""
        corners = {}
        for placed in self.start:
            ground = np.column_stack([corners_m(lying_pose(placed)), np.zeros(4)])
            corners[str(placed.card)] = self.camera.to_image(ground).round(2).tolist()
        return corners

    # --- the frames ------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Frame]:
        for index, (t_ns, picture) in enumerate(self.pictures()):
            gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if self._in_colour else picture
            yield Frame(np.asarray(gray, np.uint8), t_ns, FRAME_UNCERTAINTY_NS, index)

    def pictures(self) -> Iterator[tuple[int, Pixels]]:
        """Yield the instant in ns and the picture of each frame: gray, or blue-green-red with `in_colour`."""
        renderer = Renderer(
            self._hall,
            self.camera,
            Shutter(self._exposure_s, self._readout_s),
            self._dice(4),
            in_colour=self._in_colour,
        )
        sensor = Sensor(
            self._hall, self.size, self._readout_s, self._exposure_s, self._dice(5), in_colour=self._in_colour
        )
        times = frame_times(0.5 / self.fps, self.fps, self._hall, self._exposure_s, self._dice(6))
        renderer.lay(self.start)
        t_s = next(times)
        for episode in self.episodes():
            scene = Scene(episode)
            while t_s < episode.end_s:
                yield round(t_s * 1e9), sensor.expose(renderer.draw(scene, t_s), t_s)
                t_s = next(times)
            if episode.gone is not None:
                renderer.remove(episode.gone)


def _wanted_first(cards: list[int], poems: Sequence[int], cards_per_side: int) -> list[int]:
    """Deal so that about half of the poems asked for lie on the field, as in a real match."""
    asked = list(dict.fromkeys(poems))
    lying = asked[: 2 * cards_per_side] if len(asked) <= cards_per_side else asked[::2][: 2 * cards_per_side]
    rest = [card for card in cards if card not in lying]
    unasked = [card for card in rest if card not in asked]
    return [*lying, *unasked, *(card for card in rest if card in asked)]


def single_poem(
    scenario: str,
    seed: int,
    fps: float = 60,
    size: tuple[int, int] = (1280, 720),
    style: str = "tatami",
    *,
    cards_per_side: int = 18,
    gap_ms: float | None = None,
    in_colour: bool = False,
) -> SimulatedMatch:
    """Return a clip of one poem of a given scenario.

    Parameters
    ----------
    scenario : a name of `vision.simulator.scenarios.SCENARIOS`.
    gap_ms : for `race`: how much later the second hand comes; drawn when None.
    """
    rng = np.random.default_rng([seed, 7])
    dead = scenario.startswith("dead") or (scenario in {"both_fault", "hover"} and rng.uniform() < 0.3)
    bare = SimulatedMatch(seed, fps, size, style, cards_per_side)
    on_field = [placed.card for placed in bare.start if placed.card is not None]
    if dead:
        choices = [card for card in range(1, 101) if card not in on_field]
    elif scenario == "pushout":
        choices = [card for card in on_field if can_push_out(bare.start, card)]
    else:
        choices = on_field
    match = SimulatedMatch(
        seed,
        fps,
        size,
        style,
        cards_per_side,
        pace=Pace(first_s=float(rng.uniform(0.9, 1.1)), settle_s=0.35),
        in_colour=in_colour,
        scenario=scenario,
        gap_s=None if gap_ms is None else gap_ms / 1000,
        restore=False,
    )
    match.poems = (int(rng.choice(choices)),)
    return match
