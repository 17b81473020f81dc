"""The minutes of a match: what became of each poem, read from the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from desk.karuta.engine.engine import Happened, Origin
from desk.karuta.engine.events import DeskEvent, EvidenceKept, Remark
from referee.facts import KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import Appeal, Confirm, Overrule, Revert
from referee.karuta.flow.follow_ups import FollowUp, Proposed, ReadPoem, Ruled
from referee.karuta.ruling import Ruling
from referee.sides import Side

T = TypeVar("T")


class Standing(StrEnum):
    """What became of a ruling."""

    PROPOSED = "proposed"  # it waits for a person
    RULED = "ruled"  # the house's policy accepted it, or the reader read on
    CONFIRMED = "confirmed"  # a person confirmed it
    OVERRULED = "overruled"  # a person decided otherwise
    REVERTED = "reverted"  # it was taken back, and there is no new one yet
    VOID = "void"  # the poem was misread and is read again


@dataclass(frozen=True, slots=True)
class Minute:
    """One poem in the minutes."""

    order: int  # 1 for the first poem of the match, 2, 3, ...
    seqs: tuple[int, ...]  # numbers of the log entries with a ruling on it, the one that stands last
    ruling: Ruling
    standing: Standing
    start: PoemStarted | None = None  # first sound, None if it is not known
    decided: KimarijiCompleted | None = None  # end of the kimariji, None if it is not known
    contacts: tuple[Touch | Unprovable, ...] = ()  # what was seen, in order of time
    note: str | None = None  # an official's remark
    appealed_by: Side | None = None  # who asked for the replay last
    evidence: str | None = None  # file name of the replay
    simulated: bool = False

    @property
    def seq(self) -> int:
        """Number of the log entry with the ruling that stands."""
        return self.seqs[-1]


@dataclass(slots=True)
class Round:
    """An event and the rules' answers."""

    cause: Happened
    answers: list[Happened] = field(default_factory=list)


def read_minutes(history: Sequence[Happened]) -> tuple[Minute, ...]:
    """Read the minutes from a log; a reverted ruling stays visible until the next poem begins."""
    rounds = list(_rounds(history))
    minutes = minutes_of(_counting(rounds))
    reverts = [place for place, each in enumerate(rounds) if isinstance(each.cause.event, Revert)]
    if reverts and not any(isinstance(each.cause.event, PoemStarted) for each in rounds[reverts[-1] :]):
        before = minutes_of(_counting(rounds[: reverts[-1]]))
        minutes += [replace(each, standing=Standing.REVERTED) for each in before[len(minutes) :]]
    return tuple(_with_notes(minutes, history))


def counting_rounds(history: Sequence[Happened]) -> list[Round]:
    """Return the events that nobody took back, with the rules' answers."""
    return _counting(list(_rounds(history)))


def _rounds(history: Sequence[Happened]) -> Iterator[Round]:
    current: Round | None = None
    for each in history:
        if isinstance(each.event, DeskEvent):
            continue
        if isinstance(each.event, FollowUp):
            assert current is not None, "an answer follows its event"
            current.answers.append(each)
            continue
        if current is not None:
            yield current
        current = Round(each)
    if current is not None:
        yield current


def still_counting(events: Sequence[T], taken_back: Callable[[T], int | None]) -> list[T]:
    """Return the events that still count, by the rule of `referee.karuta.flow.undo`.

    `events`: every event of a game, in order; the first has the number 1. `taken_back`: function that returns
    the number a `Revert` names, None for any other event.
    """
    latest = -1
    before: list[int] = []  # for each event, the latest one that counted before it
    for index, each in enumerate(events):
        before.append(latest)
        number = taken_back(each)
        latest = index if number is None else before[number - 1]
    counting: list[T] = []
    while latest >= 0:
        counting.append(events[latest])
        latest = before[latest]
    return counting[::-1]


def _counting(rounds: Sequence[Round]) -> list[Round]:
    return still_counting(
        rounds, lambda each: each.cause.event.seq if isinstance(each.cause.event, Revert) else None
    )


def minutes_of(rounds: Sequence[Round]) -> list[Minute]:
    """Return the minutes of rounds that count, without what officials noted."""
    minutes: list[Minute] = []
    asked_for = is_open = False
    start: PoemStarted | None = None
    decided: KimarijiCompleted | None = None
    contacts: list[Touch | Unprovable] = []
    for each in rounds:
        event = each.cause.event
        if isinstance(event, Touch | Unprovable):  # told late, it is part of the ruling that answers it
            contacts.append(event)
        elif isinstance(event, KimarijiCompleted):
            decided = decided or event
        for answer in each.answers:
            if isinstance(answer.event, Proposed):
                ruling, is_open = answer.event.ruling, True
                seen = tuple(sorted(contacts, key=lambda contact: contact.t_ns))
                if minutes and minutes[-1].start is start and minutes[-1].standing is not Standing.VOID:
                    minutes[-1] = _ruled(minutes[-1], answer.seq, ruling, Standing.PROPOSED)
                    minutes[-1] = replace(minutes[-1], decided=decided, contacts=seen)
                else:
                    order = len(minutes) + 1
                    proposed = Standing.PROPOSED
                    minutes.append(Minute(order, (answer.seq,), ruling, proposed, start, decided, seen))
            elif isinstance(answer.event, Ruled):
                is_open = False
                standing = _standing(event, each.cause.origin)
                minutes[-1] = _ruled(minutes[-1], answer.seq, answer.event.ruling, standing)
                minutes[-1] = replace(minutes[-1], simulated=each.cause.origin is Origin.SIMULATED)
            elif isinstance(answer.event, ReadPoem):
                asked_for, contacts = True, []
        match event:
            case PoemStarted() if event.poem and not (is_open and start and start.poem == event.poem):
                # who touches a card once a poem is asked for is too early for that poem
                start, decided, contacts = event, None, contacts if asked_for else []
                asked_for, is_open = False, True
            case Misread():
                is_open = False
                if minutes and minutes[-1].start is start:
                    minutes[-1] = replace(minutes[-1], standing=Standing.VOID)
            case Appeal() if minutes:
                minutes[-1] = replace(minutes[-1], appealed_by=event.player)
            case _:
                pass
    return minutes


def _ruled(minute: Minute, seq: int, ruling: Ruling, standing: Standing) -> Minute:
    return replace(minute, seqs=(*minute.seqs, seq), ruling=ruling, standing=standing)


def _standing(cause: object, origin: Origin) -> Standing:
    if origin is Origin.POLICY:
        return Standing.RULED
    if isinstance(cause, Overrule):
        return Standing.OVERRULED
    return Standing.CONFIRMED if isinstance(cause, Confirm) else Standing.RULED


def _with_notes(minutes: Sequence[Minute], history: Sequence[Happened]) -> Iterator[Minute]:
    notes = {each.event.about: each.event.text for each in history if isinstance(each.event, Remark)}
    files = {each.event.ruling: each.event.file for each in history if isinstance(each.event, EvidenceKept)}
    for minute in minutes:
        yield replace(
            minute,
            note=notes.get(minute.seq),
            evidence=next((files[seq] for seq in reversed(minute.seqs) if seq in files), None),
        )
