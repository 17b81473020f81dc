"""Short clips of one poem, for trying a single situation."""

import numpy as np

from vision.simulator.drawing.sensor import Flash
from vision.simulator.drawing.style import Style
from vision.simulator.hall.match import Pace, SimulatedMatch
from vision.simulator.play.moving_cards import CALM, USUAL, Friction, Temper
from vision.simulator.play.script import can_push_out

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
