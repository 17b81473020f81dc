"""Judge whole matches in which the hall does not hold still, in a style that the eye was never tuned on.

`uv run python -m benchmarks.matches [--matches N] [--poems N] [--keep FOLDER] [--json OUT]`: short matches of
the product's simulator at 60 fps with sent cards and restoring, in which players rearrange their cards, a
camera is knocked between poems and during one, a lamp is switched on in the same two ways, somebody walks
by, cards are set straight (also while a poem that nobody played is still open), and a reader does not wait
until the hands have left. A layout before a poem is right when every card is there with its name and side and
nothing else is; a count is right when the next poem begins with as many cards on each side as the ruling
leaves.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command import read_options, table, write_json
from benchmarks.judging import JudgedRecording, judge, sums
from benchmarks.touches.scoring import PoemScore
from referee.layout import Layout
from vision.simulator.drawing.disturbances import Disturbance, Knock, Lamp, Passer, disturbed
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.hall.match import Pace, PoemStart, SimulatedMatch
from vision.simulator.hall.recorder import write_recording
from vision.simulator.play.episode import Episode, Timing
from vision.simulator.play.field_restoration import DELIBERATE

STYLE = "holdout"
FIRST_SEED = 7_000
PACE = Pace(settle_s=1.6)
"""Between the last tidying hand and the next poem there is time for somebody to walk by."""
LAMP_GAIN = 1.3
REARRANGED = 2
"""Cards that each player puts elsewhere, or sets straight."""
HASTE_S = 0.3
"""A reader who does not wait begins so long before the last hand is home; so little time is left after it."""
HAPPENINGS = (
    "nothing",
    "rearranged",
    "straightened",
    "haste",
    "knock",
    "knock in the poem",
    "lamp",
    "lamp in the poem",
    "passer",
)
"""What happens around a poem, before it where nothing else is said."""
TIDYING = frozenset({"rearranged", "straightened", "haste"})


class RestlessMatch(SimulatedMatch):
    """A match around whose poems things happen, each of `HAPPENINGS` in turn, shuffled by the seed."""

    def __init__(self, seed: int, poems: int, cards_per_side: int) -> None:
        super().__init__(seed, 60, (1280, 720), STYLE, cards_per_side, pace=PACE)
        self.poems = self.poems[:poems]
        dice = np.random.default_rng([seed, 20])
        turns = [
            str(name) for _ in range(-(-poems // len(HAPPENINGS))) for name in dice.permutation(HAPPENINGS)
        ]
        # before the first poem nobody tidies
        if turns[0] in TIDYING:
            other = next(number for number, turn in enumerate(turns) if turn not in TIDYING)
            turns[0], turns[other] = turns[other], turns[0]
        self.happenings = tuple(turns[:poems])
        self._staged = 0
        self._fuss_dice = np.random.default_rng([seed, 22])

    def _stage(self, poem: int, layout: Layout, timing: Timing) -> Episode:
        self._staged += 1
        dice = self._play_rng.bit_generator.state
        episode = super()._stage(poem, layout, timing)
        following = self.happenings[self._staged : self._staged + 1]
        if not following or following[0] not in TIDYING:
            return episode
        self._play_rng.bit_generator.state = dice
        match following[0]:
            case "rearranged":
                changed = replace(timing, rearranged=REARRANGED)
            case "straightened":
                changed = replace(timing, straightened=REARRANGED)
            case _:
                changed = replace(timing, settle_s=HASTE_S, rearranged=1)
        if not episode.truth["touches"]:  # nobody hurries after a poem that nobody played
            changed = replace(changed, manner=DELIBERATE, wait_s=float(self._fuss_dice.uniform(0.0, 1.0)))
        return super()._stage(poem, layout, changed)

    @property
    def readings(self) -> tuple[PoemStart, ...]:
        """The poems' first sounds, some of them before the field is tidy."""
        return tuple(
            replace(reading, t_ms=round(reading.t_ms - 1e3 * self._early_s(number), 3))
            for number, reading in enumerate(super().readings)
        )

    @property
    def truth(self) -> dict[str, Any]:
        """What really happens; see `readings`."""
        told = super().truth
        early_ms = [1e3 * self._early_s(number) for number in range(len(told["poems"]))]
        poems = [
            poem | {"t_ms": round(poem["t_ms"] - early, 3)}
            for poem, early in zip(told["poems"], early_ms, strict=True)
        ]
        return told | {"poems": poems}

    def _early_s(self, number: int) -> float:
        """Return how much earlier than it was staged a poem is read."""
        if self.happenings[number] != "haste":
            return 0.0
        episode = next(islice(self.episodes(), number, None))
        return episode.t_s - (episode.start_s - HASTE_S) + HASTE_S

    def disturbances(self) -> list[Disturbance]:
        """Return what happens to the pictures."""
        dice, made, is_lit = np.random.default_rng([self.seed, 21]), list[Disturbance](), False
        for name, episode in zip(self.happenings, self.episodes(), strict=False):
            if name.startswith("lamp"):
                # what was switched on is switched off the next time
                made.append(Lamp(_instant(name, episode, dice), 1 / LAMP_GAIN if is_lit else LAMP_GAIN))
                is_lit = not is_lit
            elif name.startswith("knock"):
                made.append(_knock(_instant(name, episode, dice), dice))
            elif name == "passer":
                span_s = float(dice.uniform(1.4, 2.2))
                made.append(Passer(episode.t_s - 1.3, span_s, left=bool(dice.integers(2))))
        return made

    def pictures(self) -> Iterator[tuple[int, Pixels]]:
        """Yield the pictures as the hall leaves them."""
        return disturbed(super().pictures(), self.disturbances())


def _instant(name: str, episode: Episode, dice: np.random.Generator) -> float:
    # hands are still from the end of the last episode's movements to the poem
    into_s = dice.uniform(0.1, 0.5) if name.endswith("in the poem") else -dice.uniform(0.7, 1.0)
    return episode.t_s + float(into_s)


def _knock(t_s: float, dice: np.random.Generator) -> Knock:
    x, y = (float(part) for part in dice.uniform(0.004, 0.012, 2) * dice.choice([-1, 1], 2))
    return Knock(t_s, (x, y), float(dice.uniform(-0.8, 0.8)), float(dice.uniform(0.99, 1.01)))


def counts(layout: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Return how many cards lie on each side."""
    return {side: sum(placed["side"] == side for placed in layout) for side in ("near", "far")}


def counts_after(layout: Sequence[dict[str, Any]], poem: int, ruling: dict[str, Any]) -> dict[str, int]:
    """Return how many cards each side has once a ruling is carried out."""
    left = [placed for placed in layout if placed["card"] != poem or ruling["taken_by"] is None]
    after = counts(left)
    for side, other in (("near", "far"), ("far", "near")):
        after[side] -= ruling["sends"][side]
        after[other] += ruling["sends"][side]
    return after


def score_match(happenings: Sequence[str], match: JudgedRecording) -> dict[str, Any]:
    """Count layouts and counts of cards that are right, and print a line for each poem."""
    layouts_right = counts_right = 0
    poems = zip(match.scores, match.judged["poems"], match.truth["poems"], happenings, strict=True)
    for poem, ruled, real, happening in poems:
        layout_right = poem.layout.right == poem.layout.expected and not poem.layout.wrong + poem.layout.extra
        # the official puts a poem under review right; what was decided must add up by itself
        ruling = ruled["ruling"] if poem.verdict != "review" else real["ruling"]
        truly = counts_after(real["layout_before"], real["poem"], real["ruling"])
        count_right = counts_after(ruled["layout_before"], real["poem"], ruling) == truly
        layouts_right += layout_right
        counts_right += count_right
        print(_line(happening, poem, layout_right, count_right), flush=True)
    return {"layouts right": layouts_right, "counts right": counts_right}


def _line(happening: str, poem: PoemScore, layout_right: bool, count_right: bool) -> str:
    found = f"{poem.layout.right}/{poem.layout.expected}"
    wrong = f" {poem.layout.wrong} wrong {poem.layout.extra} extra" if not layout_right else ""
    return (
        f"  {happening:18s} poem {poem.poem:>3} {poem.scenario:<13s} layout {found}{wrong}"
        f"  {poem.judged} (truth {poem.truth}) {poem.verdict}"
        f"{'' if count_right else ', counts differ'} {','.join(poem.doubts)}"
    )


def main() -> int:
    """Play the matches, print a table and a summary."""
    options = read_options(__doc__, matches=2, poems=10, cards=10, seed=FIRST_SEED, keep=Path)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.matches):
            match = RestlessMatch(seed, options.poems, options.cards)
            place = (options.keep or Path(folder)) / f"match-{seed}-{options.poems}-{options.cards}"
            if not (place / "truth.json").is_file():
                write_recording(match, place)
            print(f"match {seed}", flush=True)
            judged = judge(place)
            counted = score_match(match.happenings, judged)
            rows.append({"match": seed, **sums(judged.scores), **counted})
    table(rows)
    write_json(options.json, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
