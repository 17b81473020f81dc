"""The engine of a karuta match: the one writer.

Every event passes through `Engine.submit`, one at a time: the rules take a pure step, the event and the
rules' answers become durable in one transaction, and only then listeners are informed. Replaying the log
therefore gives the same match, answer for answer; where an earlier edition of the rules ruled, its rulings
are read from the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Any, TypedDict, Unpack

from desk.errors import DeskError
from desk.karuta.engine.events import CODEC, DeskEvent, MatchOpened, PoliciesSet
from desk.karuta.engine.followable import Followable, decisive, grouped
from desk.karuta.engine.policy import Policies
from desk.log.clocks import Clock, WallClock, match_clock, wall_clock
from desk.log.event_codec import EventLostError
from desk.log.event_log import EventLog, LogEntry
from desk.log.fanout import Fanout
from desk.log.log_file import without_events
from referee.complaint import sentence_of
from referee.karuta.flow.events import Event, IllegalEventError, PoemFinished
from referee.karuta.flow.follow_ups import FollowUp, Proposed
from referee.karuta.flow.match import start, step
from referee.karuta.flow.state import MatchState
from referee.karuta.risk import risk_of
from referee.karuta.ruleset import EDITION
from referee.karuta.ruling import Ruling
from referee.sentence import Sentence


class Origin(StrEnum):
    """Who said it."""

    EYE = "eye"
    READER = "reader"
    OPERATOR = "operator"
    NEAR = "near"
    FAR = "far"
    RULES = "rules"  # the answer of the rules
    POLICY = "policy"  # the house's policy decided instead of a person
    DESK = "desk"
    SIMULATED = "simulated"  # the official of a simulated match, who knows the truth; never a person


@dataclass(frozen=True, slots=True)
class Happened:
    """One entry of the log with its decoded event; see `desk.log.event_log.LogEntry` for the fields."""

    seq: int
    t_ns: int
    wall: str
    origin: Origin
    event: Event | FollowUp | DeskEvent


class EngineSettings(TypedDict, total=False):
    """The house's settings of an engine, all optional."""

    policies: Policies
    clock: Clock
    wall: WallClock


class ReplayError(DeskError):
    """Replaying a log does not give the match in it: other rules wrote it, or it was tampered with."""


class Engine:
    """A running match. Make one with `begin` or `resume`.

    It is not thread-safe: other threads must pass their events to the thread that owns the engine.

    `opened`: the first entry of the log. `history`: the log so far, decoded. `problems`: what of the log
    could not be followed (`look_at`), for people. `news`: wakes listeners once `history` has more.
    """

    def __init__(
        self,
        log: EventLog,
        opened: MatchOpened,
        *,
        policies: Policies | None = None,
        clock: Clock = match_clock,
        wall: WallClock = wall_clock,
    ) -> None:
        self.opened = opened
        self.state: MatchState = start(opened.settings)
        self.history: list[Happened] = []
        self.problems: list[Sentence] = []
        self.news = Fanout()
        self._log = log
        self.policies = policies or Policies()
        self._clock = clock
        self._wall = wall
        self._game_seqs: list[int] = []
        self._is_older = opened.settings.edition < EDITION

    @classmethod
    def begin(cls, log: EventLog, opened: MatchOpened, **settings: Unpack[EngineSettings]) -> Engine:
        """Begin a match in an empty log; DeskError if the log holds a match already."""
        if log.last_seq:
            raise DeskError(
                "{path} holds a match already; name a new file, or resume that match", path=log.path
            )
        opened = replace(opened, risk=opened.risk or risk_of(opened.settings.rules))
        engine = cls(log, opened, **settings)
        engine._record([(Origin.DESK, opened)])
        return engine

    @classmethod
    def resume(cls, log: EventLog, *, strict: bool = True, **settings: Unpack[EngineSettings]) -> Engine:
        """Continue the match in a log, or look at it; its events are replayed.

        Raises ReplayError if the rules' answers differ from those in the log, or they refuse an event in it.
        Raises EventCodecError if an entry cannot be decoded. If not `strict`, stop where the rules would
        answer differently today; such a match is only to look at.
        """
        engine, entries = cls._opened(log, (decoded(entry) for entry in log.entries()), settings)
        try:
            engine._replay(entries)
        except ReplayError:
            if strict:
                raise
        return engine

    @classmethod
    def look_at(cls, log: EventLog) -> Engine:
        """Return the match in a log as far as it can be followed, only to look at; `problems` says what not.

        What cannot be read, or is impossible, is left out. Where the rules would answer differently today,
        the log's answers stand. DeskError if the log does not begin with the opening of a match.
        """
        found = Followable(log, decoded)
        followed = list[int]()
        engine, entries = cls._opened(log, found.entries(lambda: len(followed)), {})
        engine._game_seqs = followed
        engine._follow(entries, found)
        engine.problems = found.problems
        return engine

    @classmethod
    def _opened(
        cls, log: EventLog, entries: Iterator[Happened], settings: EngineSettings
    ) -> tuple[Engine, Iterator[Happened]]:
        """Return a match at its opening, and its entries, the opening among them."""
        first = next(entries, None)
        if first is None or not isinstance(first.event, MatchOpened):
            why = f": {without_events(log.path)}" if first is None else ""
            raise ReplayError(
                "{path} does not begin with the opening of a karuta match{why}", path=log.path, why=why
            )
        return cls(log, first.event, **settings), chain([first], entries)

    def submit(self, event: Event, origin: Origin) -> Happened:
        """Apply `event` and return its entry in the log, once it is durable.

        Raises IllegalEventError if a command is not allowed now, EventLogError if the event could not be made
        durable. Then the match is unchanged, and nothing is logged.
        """
        state, recorded, places = self.state, list[tuple[Origin, Any]](), list[int]()
        following: Event | None = event
        while following is not None:
            state, answers = step(state, following)
            places.append(len(recorded))
            said_by = origin if following is event else Origin.POLICY
            recorded += [(said_by, following), *((Origin.RULES, answer) for answer in answers)]
            following = self._decision(state, answers)
        # proposal and policy's decision are one transaction, so that a killed desk leaves no ruling open that
        # needs no person
        happened = self._record(recorded)
        self.state = state
        self._game_seqs += [happened[place].seq for place in places]
        self.news.tell()
        if isinstance(event, PoemFinished):
            self._log.checkpoint()
        return happened[0]

    def _decision(self, state: MatchState, answers: Sequence[FollowUp]) -> Event | None:
        if state.paused or not any(isinstance(answer, Proposed) for answer in answers):
            return None
        return self.policies.answer(state)

    def note(self, event: DeskEvent, origin: Origin) -> Happened:
        """Log an event of the desk; it does not change the match."""
        (happened,) = self._record([(origin, event)])
        self._take_policies(event)
        self.news.tell()
        return happened

    @property
    def last_seq(self) -> int:
        return self._log.last_seq

    def game_number(self, seq: int) -> int | None:
        """Return the number of log entry `seq` for `Revert`; None if the entry is no event of the game."""
        return self._game_seqs.index(seq) + 1 if seq in self._game_seqs else None

    def _record(self, events: list[tuple[Origin, Any]]) -> list[Happened]:
        t_ns, wall = self._clock(), self._wall()
        happened = [
            Happened(seq, t_ns, wall, origin, event)
            for seq, (origin, event) in enumerate(events, start=self._log.last_seq + 1)
        ]
        self._log.append([_encode(each) for each in happened])
        self.history.extend(happened)
        return happened

    def _take_policies(self, event: object) -> None:
        if isinstance(event, PoliciesSet):
            self.policies = event.policies

    def _replay(self, entries: Iterator[Happened]) -> None:
        owed: Sequence[FollowUp] = ()
        for entry, answers in grouped(entries):
            self.history.append(entry)
            if owed:
                raise ReplayError(
                    "before entry {number} of the log the rules would answer {expected}, which is missing",
                    number=entry.seq,
                    expected=owed[0],
                )
            event: Any = entry.event
            given: Sequence[FollowUp] = ()
            if isinstance(event, DeskEvent):
                self._take_policies(event)
            else:
                try:
                    self.state, given = step(self.state, event, _ruled(answers) if self._is_older else ())
                except IllegalEventError as error:
                    raise ReplayError(
                        "entry {number} of the log is refused by the rules: {why}",
                        number=entry.seq,
                        why=sentence_of(error),
                    ) from error
                self._game_seqs.append(entry.seq)
            for place, answer in enumerate(answers):
                self.history.append(answer)
                expected = given[place] if place < len(given) else None
                if answer.event != expected:
                    raise ReplayError(
                        "entry {number} of the log says that the rules answered {event}, but they answer "
                        "{expected}",
                        number=answer.seq,
                        event=answer.event,
                        expected=expected,
                    )
            owed = given[len(answers) :]
        if owed:
            raise ReplayError(
                "the log ends before the answer of the rules, which is {expected}", expected=owed[0]
            )

    def _follow(self, entries: Iterator[Happened], log: Followable) -> None:
        for entry, answers in grouped(entries):
            if isinstance(entry.event, DeskEvent):
                self.history.append(entry)
                self._take_policies(entry.event)
                continue
            try:
                log.check_number(entry.event)
                state, told = self._answered(entry, answers, log)
            except Exception as error:  # noqa: BLE001 (told to people)
                log.leave_out(entry.seq, error, len(self._game_seqs))
                continue
            self.state = state
            self._game_seqs.append(entry.seq)
            self.history += [entry, *told]

    def _answered(
        self, entry: Happened, answers: Sequence[Happened], log: Followable
    ) -> tuple[MatchState, list[Happened]]:
        """Take a step of the rules as the log answers it, and return the answers that stand.

        IllegalEventError if the rules answer something else altogether.
        """
        event: Any = entry.event
        logged: list[Any] = [answer.event for answer in answers]
        state, given = step(self.state, event, _ruled(answers) if self._is_older else ())
        if list(given) == logged:
            return state, [*answers]
        told = {answer.seq: answer for answer in answers}
        for seq, answer in enumerate(given, entry.seq + 1):  # answers stand directly after their event
            if log.is_left_out(seq):
                told[seq] = replace(entry, seq=seq, origin=Origin.RULES, event=answer)
        stand = [told[seq] for seq in sorted(told)]
        if [each.event for each in stand] != list(given):
            state, given = step(self.state, event, _ruled(answers))
            if decisive(each.event for each in stand) != decisive(given):
                raise IllegalEventError("the rules do not answer it as the log says")
            log.answered_otherwise(entry.seq)
        return state, stand


def _ruled(answers: Iterable[Happened]) -> list[Ruling]:
    return [answer.event.ruling for answer in answers if isinstance(answer.event, Proposed)]


def _encode(happened: Happened) -> LogEntry:
    kind, version, payload = CODEC.encode(happened.event)
    return LogEntry(happened.seq, happened.t_ns, happened.wall, happened.origin, kind, version, payload)


def decoded(entry: LogEntry) -> Happened:
    """Return an entry of a log with its event; ReplayError if its origin or its event is not known."""
    if entry.origin not in tuple(Origin):
        raise ReplayError(
            "entry {number} of the log comes from {origin!r}, an origin this shinpan does not know",
            number=entry.seq,
            origin=entry.origin,
        )
    try:
        event = CODEC.decode(entry.kind, entry.version, entry.payload)
    except EventLostError as error:
        raise ReplayError(
            "entry {number} of the log: {why}", number=entry.seq, why=sentence_of(error)
        ) from error
    return Happened(entry.seq, entry.t_ns, entry.wall, Origin(entry.origin), event)
