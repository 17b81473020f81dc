"""What of a damaged or foreign log of a match can be followed, and what is left out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from desk.errors import DeskError
from desk.karuta.engine.events import kinds_of
from desk.log.damaged_log import LeftOut
from desk.log.event_log import EventLog, LogEntry
from referee.karuta.flow.events import IllegalEventError, Revert
from referee.karuta.flow.follow_ups import FollowUp, MatchEnded, Proposed, Ruled
from referee.sentence import Sentence

if TYPE_CHECKING:
    from desk.karuta.engine.engine import Happened

_ANSWERS: Final = kinds_of(FollowUp)


class Round(NamedTuple):
    """An event and the rules' answers."""

    cause: Happened
    answers: list[Happened]


class Followable:
    """The entries of a log without those that cannot be read or decoded, and what is told of these."""

    def __init__(self, log: EventLog, decode: Callable[[LogEntry], Happened]) -> None:
        self._log, self._decode, self._left_out = log, decode, LeftOut(log)
        self._first_other: int | None = None
        self._sure: int | None = None

    def entries(self, followed: Callable[[], int]) -> Iterator[Happened]:
        """Iterate over the entries that can be read, without the answers to one that cannot.

        `followed` returns how many events of the game have been followed.
        """
        is_lost = False

        def damaged(seq: int, error: Exception) -> None:
            nonlocal is_lost
            is_lost = True
            self.leave_out(seq, error, followed())

        for entry in self._log.entries(damaged=damaged):
            is_answer = entry.kind in _ANSWERS
            try:
                happened = self._decode(entry)
            except DeskError as error:
                self.leave_out(entry.seq, error, followed())
                is_lost = is_lost or not is_answer
                continue
            is_lost = is_lost and is_answer
            if not is_lost:
                yield happened

    def check_number(self, event: object) -> None:
        """Raise IllegalEventError for an undo that counts events of which one is left out."""
        if self._sure is not None and isinstance(event, Revert) and event.seq > self._sure:
            raise IllegalEventError("it takes back an event by its number, and one before that is left out")

    def leave_out(self, seq: int, why: Exception, followed: int) -> None:
        """Note an entry that is left out, after so many events of the game that were followed."""
        self._left_out.note(seq, why)
        self._sure = followed if self._sure is None else self._sure

    def is_left_out(self, seq: int) -> bool:
        return seq in self._left_out

    def answered_otherwise(self, seq: int) -> None:
        """Note an entry to which the rules would answer otherwise today."""
        self._first_other = seq if self._first_other is None else self._first_other

    @property
    def problems(self) -> list[Sentence]:
        told = self._left_out.problems
        if self._first_other is not None:
            told.append(
                Sentence(
                    "The rules do not answer entry {number} of {name} as it says; what it says is shown",
                    number=self._first_other,
                    name=self._left_out.name,
                )
            )
        return told


def grouped(entries: Iterable[Happened]) -> Iterator[Round]:
    """Iterate over events, each with the rules' answers to it; an answer without an event is passed over."""
    latest: Round | None = None
    try:
        for entry in entries:
            if not isinstance(entry.event, FollowUp):
                if latest is not None:
                    yield latest
                latest = Round(entry, [])
            elif latest is not None:
                latest.answers.append(entry)
    except DeskError:
        if latest is not None:
            yield latest  # it stands before an entry that cannot be read
        raise
    if latest is not None:
        yield latest


def decisive(answers: Iterable[object]) -> list[type]:
    """Return the kinds of answers that change what stands in the record, in order."""
    return [type(answer) for answer in answers if isinstance(answer, Proposed | Ruled | MatchEnded)]
