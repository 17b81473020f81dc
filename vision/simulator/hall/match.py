"""A whole simulated karuta match as a source of frames, with the truth of every poem."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from referee.layout import Layout, PlacedCard
from referee.sentence import Sentence
from referee.sides import Side
from vision.frames.frame import Frame
from vision.recordings.recording import RecordedReading
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sensor import Flash, Sensor, Shutter, frame_times
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.drawing.style import STYLES, Style, chosen
from vision.simulator.hall.renderer import Renderer
from vision.simulator.hall.scene import Scene
from vision.simulator.hall.second_camera import SecondCamera
from vision.simulator.play.episode import Episode, Timing, stage_episode
from vision.simulator.play.field import corners_m, deal, lying_pose
from vision.simulator.play.field_restoration import Room
from vision.simulator.play.moving_cards import CALM, USUAL, Friction, Temper
from vision.simulator.play.physics import layout_json
from vision.simulator.play.scenarios import ALONE_DEAD_WEIGHTS, ALONE_LIVE_WEIGHTS, DEAD_WEIGHTS, LIVE_WEIGHTS
from vision.simulator.play.script import NoRoomError, can_push_out

MOST_CARDS_PER_SIDE = 25
FEWEST_CARDS_PER_SIDE = 4
_SMALLEST_PX = 120


@dataclass(frozen=True, slots=True)
class Pace:
    """Durations in a match, in seconds."""

    first_s: float = 1.2
    settle_s: float = 0.9  # from the field at rest to the next poem
    least_s: float = 0.0  # least time between two poems; gives a reader time in a live demonstration


class SimulatedMatch:
    """A match from the deal to a winner, frame by frame; the same seed gives the same frames bit for bit.

    Raises ValueError if a parameter is out of its range.

    Parameters
    ----------
    seed : determines the deal, the players, the camera and every accident.
    fps : nominal frames a second.
    size : width and height of the pictures in pixels.
    style : a hall, or a name of `vision.simulator.drawing.style.STYLES`; `holdout` is for benchmarks only.
    cards_per_side : 4..25.
    poems : the order of reading; by default the cards of the field and as many karafuda, shuffled.
    in_colour : render blue-green-red, see `pictures`; frames stay gray.
    scenario : play this one in every poem instead of drawing by the frequencies of real matches.
    gap_s : for races: how much later the second hand comes.
    restore : False ends after the first poem's action, with the cards where they fell.
    flash : a light that every camera of the hall sees.
    friction, temper : the mechanics of cards and hands, and the players' temper.
    alone : whether only the near player is there, with cards in the near territory only; a quarter as many
        karafuda are read. The match ends when none of these cards is left.

    Attributes
    ----------
    camera : the camera, for tests of geometry.
    start : the layout before the first poem.
    poems : the order of reading; may be replaced before the first poem is played.
    known_s : time after which each poem can be known, by its number, where that is not at once; hands act
        some half a second later. May be replaced before the first poem is played.
    width, height : size of its pictures, pixels.
    """

    def __init__(
        self,
        seed: int,
        fps: float = 60,
        size: tuple[int, int] = (1280, 720),
        style: str | Style = "tatami",
        cards_per_side: int = 25,
        *,
        poems: Sequence[int] | None = None,
        pace: Pace | None = None,
        in_colour: bool = False,
        scenario: str | None = None,
        gap_s: float | None = None,
        restore: bool = True,
        flash: Flash | None = None,
        friction: Friction = USUAL,
        temper: Temper = CALM,
        alone: bool = False,
    ) -> None:
        if not FEWEST_CARDS_PER_SIDE <= cards_per_side <= MOST_CARDS_PER_SIDE:
            raise ValueError(
                Sentence(
                    "cards_per_side must be {fewest}..{most}, got {cards}",
                    fewest=FEWEST_CARDS_PER_SIDE,
                    most=MOST_CARDS_PER_SIDE,
                    cards=cards_per_side,
                )
            )
        if fps <= 0:
            raise ValueError(f"fps must be positive, got {fps}")
        if min(size) < _SMALLEST_PX:
            raise ValueError(f"size must be at least {_SMALLEST_PX} pixels each way, got {size}")
        if poems is not None and (wrong := [poem for poem in poems if not 1 <= poem <= 100]):
            raise ValueError(f"poems are numbered 1..100, got {wrong}")
        self.seed, self.fps, self.size = seed, fps, size
        self.style = style if isinstance(style, str) else "drawn"
        self.width, self.height = size
        self._hall = chosen("style", style, STYLES) if isinstance(style, str) else style
        self._pace = pace or Pace()
        self._in_colour = in_colour
        self._scenario, self._gap_s, self._restore = scenario, gap_s, restore
        self._flash = flash
        self._friction, self._temper, self._alone = friction, temper, alone
        self.known_s: Mapping[int, float] = {}
        dice = self._dice(1)
        self.camera = self._hall.camera(dice, size)
        self._shutter = _draw_shutter(self._hall, fps, dice)
        right, bottom = size
        edges = np.array([[0, bottom / 2], [right, bottom / 2], [right / 2, 0], [right / 2, bottom]])
        seen_m = np.abs(self.camera.to_floor(edges))
        visible_m = float(seen_m[:2, 0].max()), float(seen_m[2:, 1].max())
        self._room = Room(self._hall.card_turn_deg, visible_m)
        self.start, self.poems = self._deal(cards_per_side, poems)
        self._episodes: list[Episode] = []
        self._play_rng = self._dice(3)

    def _dice(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, purpose])

    def _deal(self, per_side: int, poems: Sequence[int] | None) -> tuple[Layout, tuple[int, ...]]:
        dice = self._dice(2)
        cards = [int(card) for card in dice.permutation(np.arange(1, 101))]
        if poems is None:
            # As in a match, half of the poems read lie on the field.
            read = per_side + per_side // 4 if self._alone else 4 * per_side
            heard = tuple(int(card) for card in dice.permutation(cards[:read]))
        else:
            heard = tuple(poems)
            asked = [*dict.fromkeys(heard)]
            live = asked if len(asked) <= per_side or self._alone else asked[::2]
            cards.sort(key=lambda card: 0 if card in live else 2 if card in asked else 1)
        lying = [cards[:per_side], cards[per_side : 2 * per_side]]
        if self._alone:
            lying = [cards[:per_side], []]
        elif poems is not None:  # those asked for belong to both players
            both = cards[: 2 * per_side]
            lying = [both[::2], both[1::2]]
        turn = self._hall.card_turn_deg
        near, far = (deal(own, side, dice, turn) for own, side in zip(lying, Side, strict=True))
        return Layout((*near, *far)), heard

    # --- the script ------------------------------------------------------------------------------------

    def episodes(self) -> Iterator[Episode]:
        """Yield the poems one by one; each is played out at its first use."""
        index = 0
        while index < len(self._episodes) or self._extend():
            yield self._episodes[index]
            index += 1

    def _extend(self) -> bool:
        """Play the next poem; return False when the match is over."""
        done = len(self._episodes)
        last = self._episodes[-1] if done else None
        layout = self.start if last is None else last.after
        is_over = not layout.of(Side.NEAR) if self._alone else _winner(layout) is not None
        if done == len(self.poems) or is_over or (last is not None and not self._restore):
            return False
        poem = self.poems[done]
        if last is None:
            timing = Timing(0.0, self._pace.first_s, self._pace.settle_s, self._restore)
        else:
            lead_s = max(0.05, last.t_s + self._pace.least_s - last.end_s)
            timing = Timing(last.end_s, lead_s, self._pace.settle_s, self._restore)
        self._episodes.append(self._stage(poem, layout, timing))
        return True

    def _stage(self, poem: int, layout: Layout, timing: Timing) -> Episode:
        """Play the requested scenario, or one drawn by its frequency in matches."""
        live, dead = (ALONE_LIVE_WEIGHTS, ALONE_DEAD_WEIGHTS) if self._alone else (LIVE_WEIGHTS, DEAD_WEIGHTS)
        weights = dict(live if layout.find(poem) else dead)
        while True:
            shares = np.array([*weights.values()], np.float64)
            drawn = [*weights][int(self._play_rng.choice(len(shares), p=shares / shares.sum()))]
            name = self._scenario or drawn
            try:
                return stage_episode(
                    name,
                    poem,
                    layout,
                    timing,
                    self._play_rng,
                    room=self._room,
                    gap_s=self._gap_s,
                    friction=self._friction,
                    temper=self._temper,
                    alone=self._alone,
                    known_s=self.known_s.get(poem, 0.0),
                )
            except NoRoomError:
                if self._scenario is not None:
                    raise
                del weights[name]  # `own` and `dead_none` always find room

    @property
    def winner(self) -> Side | None:
        """The player who got rid of all cards; None if the poems ran out first. Plays the match to its end.

        A player alone does not win against anybody.
        """
        episodes = [*self.episodes()]
        return _winner(episodes[-1].after) if episodes and not self._alone else None

    @property
    def readings(self) -> tuple[RecordedReading, ...]:
        """The poems' first sounds. Plays the match to its end."""
        return tuple(RecordedReading(round(e.t_s * 1000, 3), e.poem) for e in self.episodes())

    @property
    def truth(self) -> dict[str, Any]:
        """The truth of the match, in the shape of `truth.json`. Plays the match to its end."""
        episodes, winner = [*self.episodes()], self.winner
        return {
            "layout": layout_json(self.start),
            "poems": [episode.truth for episode in episodes],
            "meta": {
                "seed": self.seed,
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
                    "style": self.style,
                    "typeface": self._hall.typeface,
                    "floor": self._hall.floor,
                    "exposure_ms": self._shutter.exposure_s * 1000,
                    "readout_ms": self._shutter.readout_s * 1000,
                    "flicker": self._hall.flicker,
                },
                "corners_px": {
                    str(placed.card): self.camera.to_image(_flat(placed)).round(2).tolist()
                    for placed in self.start
                },
            },
        }

    # --- the frames ------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Frame]:
        for index, (t_ns, picture) in enumerate(self.pictures()):
            gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if self._in_colour else picture
            # The simulator knows its instants exactly, up to rounding.
            frame_uncertainty_ns = 1_000
            yield Frame(np.asarray(gray, np.uint8), t_ns, frame_uncertainty_ns, index)

    def pictures(self) -> Iterator[tuple[int, Pixels]]:
        """Yield instant, ns, and picture of each frame: gray, or blue-green-red with `in_colour`."""
        yield from self._filmed(self.camera, self._shutter, self.fps, noise=5, rhythm=6)

    def filmed_by(self, second: SecondCamera) -> Iterator[tuple[int, Pixels]]:
        """Yield another camera's pictures of the same match, on its own clock; see `pictures`."""
        dice = self._dice(7)
        camera, shutter = second.draw(self._hall, dice), _draw_shutter(self._hall, second.fps, dice)
        yield from self._filmed(camera, shutter, second.fps, noise=8, rhythm=9, clock_s=second.clock_s)

    def _filmed(
        self, camera: Camera, shutter: Shutter, fps: float, *, noise: int, rhythm: int, clock_s: float = 0.0
    ) -> Iterator[tuple[int, Pixels]]:
        """Yield one camera's pictures.

        `noise`, `rhythm`: what the dice of its sensor and of its frames' times are for. `clock_s`: time on
        its clock when the match begins.
        """
        size, in_colour = (camera.width_px, camera.height_px), self._in_colour
        floor = self._dice(4)  # the same pattern for all cameras of a hall
        renderer = Renderer(self._hall, camera, shutter, floor, in_colour=in_colour)
        sensor = Sensor(self._hall, size, shutter, self._dice(noise), in_colour=in_colour, flash=self._flash)
        times = frame_times(fps, self._hall, shutter, self._dice(rhythm))
        renderer.table.lay(self.start)
        t_s = next(times)
        for episode in self.episodes():
            scene = Scene(episode, self._hall.sway_m)
            while t_s < episode.end_s:
                shown_ns = round((t_s + clock_s) * 1e9)
                if shown_ns >= 0:  # before that the camera was not running yet
                    yield shown_ns, sensor.expose(renderer.draw(scene, t_s), t_s)
                t_s = next(times)
            if episode.gone is not None:
                renderer.table.remove(episode.gone)


def _draw_shutter(hall: Style, fps: float, dice: np.random.Generator) -> Shutter:
    """Draw a random shutter that a camera with this frame rate can have."""
    longest_s = 0.9 / fps  # exposure and read-out
    exposure_s, readout_s = (float(dice.uniform(*each)) for each in (hall.exposure_s, hall.readout_s))
    return Shutter(min(exposure_s, longest_s), min(readout_s, longest_s))


def _flat(placed: PlacedCard) -> Floats:
    """Return the corners (4, 3) of a card on the floor: its own top left, then clockwise."""
    return np.column_stack([corners_m(lying_pose(placed)), np.zeros(4)])


def _winner(layout: Layout) -> Side | None:
    return next((side for side in Side if not layout.of(side)), None)


_OPEN_TO_BOTH = frozenset({"both_fault", "hover", "still_touch"})  # scenarios for live and for dead poems


def single_poem(
    scenario: str,
    seed: int,
    fps: float = 60,
    size: tuple[int, int] = (1280, 720),
    style: str | Style = "tatami",
    *,
    cards_per_side: int = 18,
    gap_ms: float | None = None,
    in_colour: bool = False,
    flash: Flash | None = None,
    friction: Friction = USUAL,
    temper: Temper = CALM,
) -> SimulatedMatch:
    """Return a clip of one poem with a given scenario; the cards stay where they fell.

    Raises ValueError if there is no such scenario, or the cards of this seed have no room for it.

    `scenario`: a name of `vision.simulator.play.scenarios.SCENARIOS`. `gap_ms`: for `race`: how much later
    the second hand comes; random if None. `flash`: a light that every camera of the hall sees, see
    `SimulatedMatch.filmed_by`. `friction`, `temper`: see `SimulatedMatch`.
    """
    dice = np.random.default_rng([seed, 7])
    pace = Pace(first_s=float(dice.uniform(0.9, 1.1)), settle_s=0.35)

    def clip(poem: int | None = None) -> SimulatedMatch:
        match = SimulatedMatch(
            seed,
            fps,
            size,
            style,
            cards_per_side,
            pace=pace,
            in_colour=in_colour,
            scenario=scenario,
            gap_s=None if gap_ms is None else gap_ms / 1000,
            restore=False,
            flash=flash,
            friction=friction,
            temper=temper,
        )
        if poem is not None:
            match.poems = (poem,)
        return match

    start = clip().start
    lying = [placed.card for placed in start if placed.card is not None]
    if scenario.startswith("dead") or (scenario in _OPEN_TO_BOTH and dice.uniform() < 0.3):
        choices = [card for card in range(1, 101) if card not in lying]
    elif scenario == "pushout":
        choices = [card for card in lying if can_push_out(start, card)]
    else:
        choices = lying
    if not choices:
        raise ValueError(f"no card of seed {seed} suits {scenario}: take another seed or more cards")
    most_candidates = 6  # number of cards tried as the target before a clip is accepted as it is
    tried = [clip(int(poem)) for poem in dice.permutation(choices)[:most_candidates]]
    # If the cards lie badly for every candidate, the last one's truth still tells what happens in it.
    return next((match for match in tried if next(match.episodes()).as_scripted), tried[-1])
