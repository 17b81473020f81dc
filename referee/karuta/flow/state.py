"""The state of a match: one immutable value."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from referee.cards.poems import POEMS
from referee.facts import Hand
from referee.karuta.contacts import PoemFact
from referee.karuta.flow.events import Event, Happening, IllegalEventError, Pause, Revert, StopReason
from referee.karuta.flow.follow_ups import FollowUp, Notice
from referee.karuta.ruleset import EDITION, KYOGI, RuleSet
from referee.karuta.ruling import Ruling
from referee.layout import Layout, PlacedCard
from referee.sides import BySide, Side


@dataclass(frozen=True, slots=True)
class Logged:
    """An event of a match and the rulings that were proposed on it; an undo makes none of them anew."""

    event: Event
    proposed: tuple[Ruling, ...] = ()


Counting = tuple[Happening, tuple[Ruling, ...]]
"""An event that still counts, and the rulings that were proposed on it."""


def effective(log: Sequence[Logged]) -> tuple[Counting, ...]:
    """Return the events that still count, in their order; each Revert is replaced by a Pause.

    A `Revert(seq)` restores what counted just before event number `seq`, so a Revert of a Revert restores
    what the first one undid. After an undo the match is paused.
    """
    before: list[tuple[Counting, ...]] = []
    counting: tuple[Counting, ...] = ()
    for logged in log:
        before.append(counting)
        if isinstance(logged.event, Revert):
            counting = (*before[logged.event.seq - 1], (Pause(), ()))
        else:
            counting = (*counting, (logged.event, logged.proposed))
    return counting


MINUTE_NS = 60_000_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """What is agreed before a match."""

    rules: RuleSet = KYOGI
    cards_per_side: int = 25  # cards each player lays out
    memorise_ns: int = 15 * MINUTE_NS  # time to memorise them; both seeds say 15 minutes
    # how long before its end practice swings are allowed; seed-001 says 2 minutes
    practice_swings_ns: int = 2 * MINUTE_NS
    appeals: int | None = None  # how often each player may appeal in a match; None for any number of times
    # the rules' edition under which the match was opened, see `referee.karuta.ruleset.EDITION`
    edition: int = EDITION

    def __post_init__(self) -> None:
        if not 1 <= self.cards_per_side <= 50:
            raise ValueError(f"cards_per_side must be 1..50, got {self.cards_per_side}")
        if not 0 <= self.practice_swings_ns <= self.memorise_ns:
            raise ValueError(
                "practice swings belong to the time to memorise: expected 0 <= practice_swings_ns <= "
                f"memorise_ns, got {self.practice_swings_ns} and {self.memorise_ns}"
            )
        if self.appeals is not None and self.appeals < 0:
            raise ValueError(f"appeals must be None or at least 0, got {self.appeals}")


class Phase(StrEnum):
    """The phase of a match."""

    SET_UP = "set_up"
    MEMORISE = "memorise"
    JOKA = "joka"
    RESTORE = "restore"  # before the first poem and between two poems: the players restore the field
    READING = "reading"
    RULING = "ruling"  # a proposed ruling waits to be confirmed or overruled
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class PoemRecord:
    """The record of one poem."""

    # ruling, proposed: the ruling that stands, and the one that followed from the facts
    ruling: Ruling
    proposed: Ruling
    # layout_before, owed_before: the layout, and the cards still to be sent, before the poem
    layout_before: Layout
    owed_before: BySide[int]
    facts: tuple[PoemFact, ...]  # what was seen, heard and declared

    @property
    def poem(self) -> int:
        return self.ruling.poem


@dataclass(frozen=True, slots=True)
class MatchState:
    """The state of a match."""

    settings: Settings
    phase: Phase = Phase.SET_UP
    # where the cards belong; empty until the field is first seen
    home: Layout = field(default_factory=lambda: Layout(()))
    # the latest view of the field since the last poem began, None if there is none
    observed: Layout | None = None
    problems: tuple[Notice, ...] = ()  # what the layout check found, or what is missing before the next poem
    poem: int | None = None
    again: int | None = None  # a misread poem that has to be read again
    asked: bool = False  # whether the reader was asked for the next poem
    # what was seen, heard and declared about the poem; early touches once the next one is asked for
    facts: tuple[PoemFact, ...] = ()
    ruling: Ruling | None = None
    # rulings that an earlier edition of the rules proposed on the event that is being replayed
    ruled: tuple[Ruling, ...] = ()
    owed: BySide[int] = field(default_factory=lambda: BySide.both(0))  # cards each player still has to send
    sent: frozenset[int] = frozenset()  # cards sent since the last poem
    # where those of them belonged that lay across before anybody saw them in place after the poem: they may
    # have been swept there, so they may still go home
    loose: tuple[PlacedCard, ...] = ()
    # where each card was last seen since the play of the last poem was over, None before a look
    rested: Layout | None = None
    in_place: frozenset[int] = frozenset()  # cards seen on their own side since then
    # cards that moved between two looks at the field at rest since then: a hand laid them
    laid: frozenset[int] = frozenset()
    accepted: bool = False  # whether an official accepted the field since the last poem
    # rearranging, holding: players who announced that they move their cards; players who ask to wait
    rearranging: frozenset[Side] = frozenset()
    holding: frozenset[Side] = frozenset()
    hands: BySide[Hand | None] = field(default_factory=lambda: BySide.both(None))
    read: tuple[int, ...] = ()  # the poems read so far, in their order
    records: tuple[PoemRecord, ...] = ()
    appeals: BySide[int] = field(default_factory=lambda: BySide.both(0))
    memorise_until_ns: int | None = None
    swings: bool = False
    paused: bool = False  # whether reading waits for the officials
    winner: Side | None = None  # who emptied the own territory, or whom an official named
    # why an official ended the match, None if it ended by itself or goes on
    stopped: StopReason | None = None
    log: tuple[Logged, ...] = ()  # every event of the match; the first has the number 1

    @property
    def unread(self) -> frozenset[int]:
        """The poems that can still be read."""
        return frozenset(POEMS.keys() - set(self.read))

    @property
    def karafuda(self) -> frozenset[int]:
        """The poems whose cards are not in the match."""
        return frozenset(POEMS.keys() - {placed.card for placed in self.home} - self.taken)

    @property
    def taken(self) -> frozenset[int]:
        """The cards that have left the field."""
        return frozenset(record.poem for record in self.records if record.ruling.taken_by is not None)

    @property
    def faults(self) -> BySide[int]:
        """How many faults each player made."""
        return BySide.of(lambda side: sum(record.ruling.faults[side] for record in self.records))

    @property
    def is_first_edition(self) -> bool:
        """Whether the match was opened under the rules of 0.2.0."""
        return self.settings.edition < 2

    def first_hand(self, player: Side) -> Hand | None:
        """Return the hand of the player's first take, None if the eye has not told one."""
        takes = (record.ruling.take for record in self.records)
        return next((take.hand for take in takes if take and take.player is player and take.hand), None)

    @property
    def ready(self) -> bool:
        """Whether the next poem may be read."""
        waiting = self.problems or self.rearranging or self.holding or self.paused
        return self.phase is Phase.RESTORE and not waiting


Step = tuple[MatchState, tuple[FollowUp, ...]]  # the next state and its follow-ups


def expect(state: MatchState, event: Event, *phases: Phase) -> None:
    """Refuse a command outside its phases.

    Raises IllegalEventError if the match is in another phase; the message names both.
    """
    if state.phase not in phases:
        wanted = " or ".join(phases)
        raise IllegalEventError(
            "{event} belongs to {wanted}, but the match is in {phase}",
            event=type(event).__name__,
            wanted=wanted,
            phase=state.phase,
        )
