"""A simulated match as a source: it follows from a seed and is rendered as it is played."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from calibration.files import typed_numbers as typed
from desk.errors import DeskError
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.simulated.simulator_words import simulator_words
from desk.tables.source_kind import Source
from recitation.reading.order import Order, reading_order
from recitation.reading.rhythm import DEFAULT
from referee.complaint import sentence_of
from vision.simulator.hall.match import Pace, SimulatedMatch


@dataclass(frozen=True, slots=True)
class SimulatorWish:
    """The parameters of a simulation."""

    seed: int = 7  # the same seed gives the same match
    cards: int = 25  # cards per side, 4..25
    # fps, size: pictures per second; width and height in pixels
    fps: float = 60.0
    size: tuple[int, int] = (1280, 720)
    speed: float = 1.0  # factor of real time
    # whether the players memorise, and hear the joka, before the first poem, as in a real match
    rehearse: bool = False

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> SimulatorWish:
        return cls(arguments.seed, arguments.cards, arguments.fps, arguments.size, arguments.speed)

    @classmethod
    def parse(cls, text: str) -> SimulatorWish:
        """Read a text such as `seed=7 cards=25 fps=60 size=1280x720 speed=1`; omitted words take defaults.

        Raises DeskError if a word is none of these, or its value cannot be simulated.
        """
        numbers: dict[str, Callable[[str], Any]] = {"seed": int, "cards": int, "fps": float, "speed": float}
        return cls(**simulator_words(text, {**numbers, "size": typed.size, "rehearse": _yes}))

    def __str__(self) -> str:
        width, height = self.size
        return f"seed={self.seed} cards={self.cards} fps={self.fps:g} size={width}x{height}"

    def match(self, pace: Pace | None = None) -> SimulatedMatch:
        """Return the match, with as many karafuda as cards, in a shuffled order; else DeskError."""
        try:
            match = SimulatedMatch(self.seed, self.fps, self.size, cards_per_side=self.cards, pace=pace)
        except ValueError as error:
            raise DeskError("the simulator cannot do this: {error}", error=sentence_of(error)) from error
        match.poems = reading_order(Order.SHUFFLE, self.seed, match.poems)
        return match


def live_pace() -> Pace:
    """Return the pace of a real reader: the times before the first poem and after each take."""
    return Pace(first_s=3.0, settle_s=(DEFAULT.shimo_s or 0.0) + (DEFAULT.linger_s or 0.0) + DEFAULT.pause_s)


def simulated_table(wish: SimulatorWish, match: SimulatedMatch | None = None) -> ScriptedTable:
    """Return a table at which the match is played in real time, times `wish.speed`."""
    from desk.karuta.simulated_hall.table import happenings  # loads the log's events: drawing begins before

    played = match or wish.match(live_pace())
    if not wish.rehearse:
        return ScriptedTable(lambda: happenings(played), Source.SIMULATOR, str(wish), wish.fps, wish.speed)
    return RehearsalTable(wish, played)


class RehearsalTable(ScriptedTable):
    """A simulated table whose field rests before the first poem until `is_read` is set."""

    def __init__(self, wish: SimulatorWish, match: SimulatedMatch) -> None:
        from desk.karuta.simulated_hall.table import happenings, rested  # as in `simulated_table`

        self.is_read = threading.Event()
        super().__init__(
            lambda: rested(happenings(match), self.is_read.is_set, round(1e9 / wish.fps)),
            Source.SIMULATOR,
            str(wish),
            wish.fps,
            wish.speed,
        )


def _yes(word: str) -> bool:
    if word not in {"yes", "no"}:
        raise ValueError(f"expected yes or no, got {word!r}")
    return word == "yes"
