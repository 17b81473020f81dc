"""The minutes of a match: what became of each poem, read from the log, and rulings in a few words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from desk.karuta.engine.engine import Happened, Origin
from desk.karuta.engine.events import DeskEvent, EvidenceKept, Remark
from desk.karuta.engine.followable import Round, grouped
from referee.cards.poems import POEMS
from referee.facts import KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import Appeal, Confirm, Overrule, Revert
from referee.karuta.flow.follow_ups import Proposed, ReadPoem, Ruled
from referee.karuta.ruling import Ruling
from referee.sides import Side

_LONGEST_KU = 7


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


def read_minutes(history: Sequence[Happened]) -> tuple[Minute, ...]:
    """Read the minutes from a log; a reverted ruling stays visible until the next poem begins."""
    rounds = _rounds(history)
    minutes = minutes_of(_counting(rounds))
    reverts = [place for place, each in enumerate(rounds) if isinstance(each.cause.event, Revert)]
    if reverts and not any(isinstance(each.cause.event, PoemStarted) for each in rounds[reverts[-1] :]):
        before = minutes_of(_counting(rounds[: reverts[-1]]))
        minutes += [replace(each, standing=Standing.REVERTED) for each in before[len(minutes) :]]
    return tuple(_with_notes(minutes, history))


def counting_rounds(history: Sequence[Happened]) -> list[Round]:
    """Return the events that nobody took back, with the rules' answers."""
    return _counting(_rounds(history))


def _rounds(history: Sequence[Happened]) -> list[Round]:
    return list(grouped(each for each in history if not isinstance(each.event, DeskEvent)))


def _counting(rounds: Sequence[Round]) -> list[Round]:
    """Return the rounds that still count, by the rule of `referee.karuta.flow.state`."""
    latest = -1
    before: list[int] = []  # for each round, the latest one that counted before it
    for index, each in enumerate(rounds):
        before.append(latest)
        event = each.cause.event
        latest = before[event.seq - 1] if isinstance(event, Revert) else index
    counting: list[Round] = []
    while latest >= 0:
        counting.append(rounds[latest])
        latest = before[latest]
    return counting[::-1]


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
                is_open = True
                again = bool(minutes) and minutes[-1].start is start
                if again and minutes[-1].standing is not Standing.VOID:
                    minute = minutes.pop()
                else:
                    minute = Minute(len(minutes) + 1, (), answer.event.ruling, Standing.PROPOSED, start)
                minutes.append(
                    replace(
                        minute,
                        seqs=(*minute.seqs, answer.seq),
                        ruling=answer.event.ruling,
                        standing=Standing.PROPOSED,
                        decided=decided,
                        contacts=tuple(sorted(contacts, key=lambda contact: contact.t_ns)),
                    )
                )
            elif isinstance(answer.event, Ruled):
                is_open = False
                minutes[-1] = replace(
                    minutes[-1],
                    seqs=(*minutes[-1].seqs, answer.seq),
                    ruling=answer.event.ruling,
                    standing=_standing(event, each.cause.origin),
                    simulated=each.cause.origin is Origin.SIMULATED,
                )
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


def _standing(cause: object, origin: Origin) -> Standing:
    if origin is not Origin.POLICY and isinstance(cause, Overrule | Confirm):
        return Standing.OVERRULED if isinstance(cause, Overrule) else Standing.CONFIRMED
    return Standing.RULED


def _with_notes(minutes: Sequence[Minute], history: Sequence[Happened]) -> Iterator[Minute]:
    notes = {each.event.about: each.event.text for each in history if isinstance(each.event, Remark)}
    files = {each.event.ruling: each.event.file for each in history if isinstance(each.event, EvidenceKept)}
    for minute in minutes:
        yield replace(
            minute,
            note=notes.get(minute.seq),
            evidence=next((files[seq] for seq in reversed(minute.seqs) if seq in files), None),
        )


def describe(ruling: Ruling) -> str:
    words = [f"{ruling.taken_by} takes" if ruling.taken_by else "nobody takes"]
    words += [f"{side} {count} fault{'s' * (count > 1)}" for side, count in ruling.faults.items() if count]
    words += [f"{side} sends {count}" for side, count in ruling.sends.items() if count]
    return ", ".join(words)


def first_words(poem: int) -> str:
    """Return the first ku of a poem, padded to a column width."""
    return POEMS[poem].kami.split(" ")[0].ljust(_LONGEST_KU, "\u3000")
