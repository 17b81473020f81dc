"""A small match of four cards as a script of events, for the tests of the desk."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from desk.karuta.engine.engine import Engine, Happened, Origin
from desk.karuta.engine.events import MatchOpened
from desk.karuta.engine.policy import Policies
from desk.log.event_log import EventLog
from desk.tables.source_kind import Source
from referee.facts import FieldSettled, PoemStarted, Touch
from referee.karuta.flow.events import Event, MemoriseEnded, MemoriseStarted, PoemFinished
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI
from referee.layout import Layout
from referee.notation import parse_layout
from referee.sides import Side

MS = 1_000_000
SETTINGS = Settings(rules=replace(KYOGI, joka=False), cards_per_side=2)
OPENED = MatchOpened("test_1", Source.SIMULATOR, SETTINGS, seed=7)
START = parse_layout("near 1 2|/|/| far 3 4|/|/|")
WALL = "2026-01-04T10:00:00.000+09:00"


class ScriptedClock:
    """A clock that advances by one millisecond with every query."""

    def __init__(self) -> None:
        self.t_ns = 0

    def __call__(self) -> int:
        self.t_ns += MS
        return self.t_ns


def begin(path: Path, policies: Policies | None = None) -> Engine:
    log = EventLog.create(path)
    return Engine.begin(
        log, OPENED, policies=policies or Policies(), clock=ScriptedClock(), wall=lambda: WALL
    )


def resume(path: Path) -> Engine:
    return Engine.resume(EventLog.open(path), clock=ScriptedClock(), wall=lambda: WALL)


def settled(layout: Layout, t_ms: int) -> FieldSettled:
    return FieldSettled(layout, t_ms * MS)


def opening(layout: Layout = START) -> list[Event]:
    return [settled(layout, 1), MemoriseStarted(2 * MS), MemoriseEnded()]


def poem(number: int, t_ms: int, *touches: tuple[int, Side, int], t_unc_ms: float = 0.5) -> list[Event]:
    """Return the events of one poem; a touch is (card, player, milliseconds after the first sound)."""
    return [
        PoemStarted(number, t_ms * MS, 1),
        *(
            Touch(card, player, (t_ms + after_ms) * MS, round(t_unc_ms * MS))
            for card, player, after_ms in touches
        ),
        PoemFinished(),
    ]


def play(engine: Engine, events: Iterable[Event], origin: Origin = Origin.EYE) -> list[Happened]:
    return [engine.submit(event, origin) for event in events]


def sent(layout: Layout, card: int) -> Layout:
    """Return the layout after `card` was sent across the middle line."""
    return Layout(tuple(placed.turned() if placed.card == card else placed for placed in layout))


def whole_match() -> list[Event]:
    """Near takes 1 at home, a dead card is not touched, near takes 3 from far and sends 2: near is empty."""
    after_first = START.without(1)
    after_third = after_first.without(3)
    return [
        *opening(),
        *poem(1, 1000, (1, Side.NEAR, 900), (1, Side.FAR, 950)),
        settled(after_first, 3000),
        *poem(50, 4000),
        settled(after_first, 6000),
        *poem(3, 7000, (3, Side.NEAR, 400)),
        settled(after_third, 8000),
        settled(sent(after_third, 2), 9000),
    ]
