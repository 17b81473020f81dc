"""Matches of a club as scripts of events: real rules judge them, dice decide who is quick."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import MatchOpened
from desk.log.event_log import EventLog, LogEntry
from desk.tables.source_kind import Source
from referee.facts import FieldSettled, KimarijiCompleted, PoemStarted, Touch
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import (
    Confirm,
    FieldAccepted,
    MemoriseEnded,
    MemoriseStarted,
    Overrule,
    PoemFinished,
    Resume,
    Revert,
)
from referee.karuta.flow.state import Phase, Settings
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Ruling
from referee.layout import CARD_WIDTH_M, TERRITORY_WIDTH_M, Layout, PlacedCard, row_centre_y_m
from referee.sides import BySide, Side

MS = 1_000_000
FIRST_SOUND_MS = 400  # from the first sound to the end of the kimariji in these scripts
READ_NS = 12_000 * MS
_UNC_NS = 500_000


class HeldLog(EventLog):
    """A log that is written to its file at once when the match is over: a script need not wait for disks."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.held: list[LogEntry] = []

    @property
    def last_seq(self) -> int:
        """Number of the latest event."""
        return len(self.held)

    def append(self, entries: Sequence[LogEntry]) -> None:
        """Keep events in memory."""
        self.held.extend(entries)

    def checkpoint(self) -> None:
        """Do nothing: all is in memory."""

    def write(self) -> None:
        """Write the file."""
        with EventLog.create(self.path) as log:
            log.append(self.held)


def dealt(dice: random.Random, cards_per_side: int) -> Layout:
    """Deal cards into three rows a side, evenly over the width of the territory."""
    cards = iter(dice.sample(range(1, 101), 2 * cards_per_side))
    placed = []
    for side in Side:
        for place in range(cards_per_side):
            row, column = place % 3, place // 3
            columns = (cards_per_side - row + 2) // 3
            left_m = -(TERRITORY_WIDTH_M - CARD_WIDTH_M) / 2 + 0.001  # no card lies just in the middle
            step_m = (TERRITORY_WIDTH_M - CARD_WIDTH_M) / max(1, columns - 1)
            placed.append(
                PlacedCard(next(cards), side, row, left_m + column * step_m, row_centre_y_m(side, row))
            )
    return Layout(tuple(placed))


class ClubMatch:
    """A match between two players, poem by poem.

    Parameters
    ----------
    path : the log's file; its name is the match's id.
    names : of the near and of the far player.
    seed : dice.
    cards_per_side : cards each player lays out.
    day : of the match, `2026-01-04`.
    layout : the field; dealt by the dice if omitted.
    source : what the match says of its pictures; the book counts none of the simulator.
    """

    def __init__(
        self,
        path: Path,
        names: BySide[str | None],
        *,
        seed: int = 1,
        cards_per_side: int = 25,
        day: str = "2026-01-04",
        layout: Layout | None = None,
        source: Source = Source.CAMERA,
    ) -> None:
        self.dice = random.Random(seed)
        self.t_ns = 0
        self.log = HeldLog(path)
        settings = Settings(rules=replace(KYOGI, joka=False), cards_per_side=cards_per_side)
        opened = MatchOpened(path.stem, source, settings, names, seed=seed)
        wall = f"{day}T19:00:00.000+09:00"
        self.engine = Engine.begin(self.log, opened, clock=lambda: self.t_ns, wall=lambda: wall)
        self._settle(layout or dealt(self.dice, cards_per_side))
        self._submit(MemoriseStarted(self.t_ns))
        self._submit(MemoriseEnded())

    @property
    def home(self) -> Layout:
        """Where the cards belong."""
        return self.engine.state.home

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self.engine.state.phase is Phase.ENDED

    def _submit(self, *events: object, origin: Origin = Origin.EYE) -> None:
        for event in events:
            self.engine.submit(event, origin)  # type: ignore[arg-type]

    def _settle(self, layout: Layout) -> None:
        self.t_ns += MS
        self._submit(FieldSettled(layout, self.t_ns))

    def read(
        self, poem: int, *touches: tuple[int, Side, float], settle: bool = True, kimariji: bool = True
    ) -> Ruling | None:
        """Read a poem and let contacts happen: (card, player, ms after the end of the kimariji)."""
        self.t_ns += READ_NS
        start_ns = self.t_ns
        self._submit(PoemStarted(poem, start_ns, MS))
        decided_ns = start_ns + FIRST_SOUND_MS * MS
        if kimariji:
            self._submit(KimarijiCompleted(poem, decided_ns, MS), origin=Origin.READER)
        for card, player, after_ms in sorted(touches, key=lambda touch: touch[2]):
            self._submit(Touch(card, player, decided_ns + round(after_ms * MS), _UNC_NS, confidence=0.99))
        self.t_ns += READ_NS // 4
        self._submit(PoemFinished())
        ruling = self.engine.state.ruling or (self.engine.state.records[-1].ruling)
        if settle:
            self.put_in_order()
        return ruling

    def put_in_order(self) -> None:
        """Send what is owed, the cards that lie furthest back, and let the field settle."""
        state = self.engine.state
        if state.phase is not Phase.RESTORE:
            return
        layout = state.home
        if any(count for _, count in state.owed.items()):
            self._settle(layout)  # the hands rest before a card is sent
        for side, count in state.owed.items():
            for placed in sorted(layout.of(side), key=lambda each: (-each.row, each.x_m))[:count]:
                layout = Layout(tuple(each.turned() if each == placed else each for each in layout))
        self._settle(layout)

    def official(self, event: object) -> None:
        """Let an official say something."""
        self._submit(event, origin=Origin.OPERATOR)

    def take_back(self, steps: int) -> None:
        """Take back the latest events and go on."""
        self._submit(Revert(len(self.engine.state.log) - steps + 1), Resume(), origin=Origin.OPERATOR)

    def finish(self, winner: Side) -> None:
        """Let a player take the own cards, without a time, until the match is won."""
        while not self.over:
            card = next(placed.card for placed in self.home.of(winner) if placed.card is not None)
            self.read(card, (card, winner, 200), kimariji=False)

    def write(self) -> Path:
        """Write the log and return its file."""
        self.log.write()
        return self.log.path


def play(match: ClubMatch, quickness: Mapping[Side, float], *, trouble: float = 0.05, dead: int = 50) -> None:
    """Play a match to its end.

    Parameters
    ----------
    match : just begun.
    quickness : median reaction of each player in milliseconds.
    trouble : share of poems that are misread, doubtful, overruled or taken back.
    dead : how many poems are read whose cards are not in the match.
    """
    dice = match.dice
    live = [placed.card for placed in match.home if placed.card is not None]
    others = [poem for poem in range(1, 101) if poem not in live]
    order = [*live, *dice.sample(others, min(dead, len(others)))]
    dice.shuffle(order)
    for poem in order:
        if match.over:
            break
        match.read(poem, *_touches(match, poem, quickness))
        _trouble(match, poem, quickness, trouble)
        if match.engine.state.phase is Phase.RULING and dice.random() < 0.7:
            match.official(Confirm())
            match.put_in_order()


def _touches(
    match: ClubMatch, poem: int, quickness: Mapping[Side, float]
) -> Iterator[tuple[int, Side, float]]:
    dice, home = match.dice, match.home
    reaction = {side: dice.lognormvariate(0.0, 0.35) * quickness[side] - 60 for side in Side}
    target = home.side_of(poem)
    if target is not None and dice.random() < 0.97:
        first = min(Side, key=lambda side: reaction[side])
        yield poem, first, reaction[first]
        if dice.random() < 0.5:
            yield poem, first.opponent, max(reaction[first.opponent], reaction[first] + 8)
    for side in Side:
        others = [placed for placed in home if placed.side is not target and placed.card is not None]
        if others and dice.random() < 0.04:
            card = dice.choice(others).card
            assert card is not None
            yield card, side, reaction[side] + 30


def _trouble(match: ClubMatch, poem: int, quickness: Mapping[Side, float], share: float) -> None:
    dice = match.dice
    if match.over or dice.random() >= share:
        return
    kind = dice.choice(("overrule", "take_back", "misread", "accept", "doubt"))
    state = match.engine.state
    if kind == "overrule" and state.phase is Phase.RESTORE and state.records:
        ruling = state.records[-1].ruling
        nothing = BySide.both(0)
        match.official(Overrule(replace(ruling, taken_by=None, faults=nothing, sends=nothing, take=None)))
        match.put_in_order()
    elif kind == "take_back":
        match.take_back(3)
        match.put_in_order()
    elif kind == "misread" and state.phase is Phase.RULING:
        match.official(Misread())
        match.read(poem, *_touches(match, poem, quickness))
    elif kind == "accept" and state.phase is Phase.RESTORE:
        match.official(FieldAccepted())
    elif kind == "doubt" and len(state.home):
        card = dice.choice([placed.card for placed in state.home])
        assert card is not None
        match.read(card, (card, Side.NEAR, 200.0), (card, Side.FAR, 200.3))
