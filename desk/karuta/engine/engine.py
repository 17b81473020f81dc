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

    Attributes
    ----------
    opened : the first entry of the log.
    state : the match as it stands, immutable.
    history : the log so far, decoded.
    problems : what of the log could not be followed (`resume`), for people.
    news : passes each `Happened` to listeners once it is durable.
    policies : what happens to each kind of ruling without a person.
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
        self.news: Fanout[Happened] = Fanout()
        self._log = log
        self.policies = policies or Policies()
        self._clock = clock
        self._wall = wall
        self._game_seqs: list[int] = []

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
        Raises EventCodecError if an entry cannot be decoded.

        `strict`: if False, stop where the rules would answer differently today; such a match is only to look
        at.
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
        the log's answers stand.

        Raises
        ------
        DeskError
            If the log does not begin with the opening of a match.
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
        """Return a match of which only the opening was followed, and what comes after it."""
        first = next(entries, None)
        if first is None or not isinstance(first.event, MatchOpened):
            why = f": {without_events(log.path)}" if first is None else ""
            raise ReplayError(
                "{path} does not begin with the opening of a karuta match{why}", path=log.path, why=why
            )
        engine = cls(log, first.event, **settings)
        engine.history.append(first)
        return engine, entries

    def submit(self, event: Event, origin: Origin) -> Happened:
        """Apply `event` and return its entry in the log, once it is durable.

        Raises IllegalEventError if a command is not allowed now. Nothing is logged, and the match is
        unchanged. Raises EventLogError if the event could not be made durable. The match is unchanged.
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
        for each in happened:
            self.news.tell(each)
        if isinstance(event, PoemFinished):
            self._log.checkpoint()
        return happened[0]

    def _decision(self, state: MatchState, answers: Sequence[FollowUp]) -> Event | None:
        """Return the policy's decision on a ruling just proposed, None if a person decides."""
        if state.paused or not any(isinstance(answer, Proposed) for answer in answers):
            return None
        return self.policies.answer(state)

    def note(self, event: DeskEvent, origin: Origin) -> Happened:
        """Log an event of the desk; it does not change the match."""
        (happened,) = self._record([(origin, event)])
        if isinstance(event, PoliciesSet):
            self.policies = event.policies
        self.news.tell(happened)
        return happened

    @property
    def last_seq(self) -> int:
        """Number of the latest entry in the log."""
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

    def _replay(self, entries: Iterator[Happened]) -> None:
        is_older = self.opened.settings.edition < EDITION
        expected: list[FollowUp] = []
        for entry, answered in _with_answers(entries):
            self.history.append(entry)
            if isinstance(entry.event, FollowUp):
                _check(entry, expected.pop(0) if expected else None)
                continue
            _check_none_left(entry, expected)
            if isinstance(entry.event, DeskEvent):
                if isinstance(entry.event, PoliciesSet):
                    self.policies = entry.event.policies
                continue
            ruled = [answer.ruling for answer in answered if isinstance(answer, Proposed)]
            try:
                self.state, answers = step(self.state, entry.event, ruled if is_older else ())
            except IllegalEventError as error:
                raise ReplayError(
                    "entry {number} of the log is refused by the rules: {why}",
                    number=entry.seq,
                    why=sentence_of(error),
                ) from error
            self._game_seqs.append(entry.seq)
            expected = list(answers)
        if expected:
            raise ReplayError(
                "the log ends before the answer of the rules, which is {expected}", expected=expected[0]
            )

    def _follow(self, entries: Iterator[Happened], log: Followable) -> None:
        """Follow what can be followed of the entries after the opening."""
        for entry, answers in grouped(entries):
            if isinstance(entry.event, DeskEvent):
                self.history.append(entry)
                if isinstance(entry.event, PoliciesSet):
                    self.policies = entry.event.policies
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
        ruled = [answer.ruling for answer in logged if isinstance(answer, Proposed)]
        is_older = self.opened.settings.edition < EDITION
        state, given = step(self.state, event, ruled if is_older else ())
        if list(given) == logged:
            return state, [*answers]
        told = {answer.seq: answer for answer in answers}
        for seq, answer in enumerate(given, entry.seq + 1):  # answers stand directly after their event
            if log.is_left_out(seq):
                told[seq] = replace(entry, seq=seq, origin=Origin.RULES, event=answer)
        stand = [told[seq] for seq in sorted(told)]
        if [each.event for each in stand] != list(given):
            state, given = step(self.state, event, ruled)
            if decisive(each.event for each in stand) != decisive(given):
                raise IllegalEventError("the rules do not answer it as the log says")
            log.answered_otherwise(entry.seq)
        return state, stand


def _with_answers(entries: Iterable[Happened]) -> Iterator[tuple[Happened, list[FollowUp]]]:
    """Iterate over a log's entries, each with the rules' answers that stand directly after it."""
    waiting: list[Happened] = []
    try:
        for entry in entries:
            if not isinstance(entry.event, FollowUp):
                yield from _beside_answers(waiting)
                waiting = []
            waiting.append(entry)
    except DeskError:
        yield from _beside_answers(waiting)  # what stands before an entry that cannot be read
        raise
    yield from _beside_answers(waiting)


def _beside_answers(entries: Sequence[Happened]) -> Iterator[tuple[Happened, list[FollowUp]]]:
    answers = [entry.event for entry in entries if isinstance(entry.event, FollowUp)]
    return ((entry, answers) for entry in entries)


def _encode(happened: Happened) -> LogEntry:
    kind, version, payload = CODEC.encode(happened.event)
    return LogEntry(happened.seq, happened.t_ns, happened.wall, happened.origin, kind, version, payload)


def decoded(entry: LogEntry) -> Happened:
    """Return an entry of a log with its event.

    Raises ReplayError if this shinpan does not know its origin or its event.
    """
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


def _check(entry: Happened, expected: FollowUp | None) -> None:
    if entry.event != expected:
        raise ReplayError(
            "entry {number} of the log says that the rules answered {event}, but they answer {expected}",
            number=entry.seq,
            event=entry.event,
            expected=expected,
        )


def _check_none_left(entry: Happened, expected: list[FollowUp]) -> None:
    if expected:
        raise ReplayError(
            "before entry {number} of the log the rules would answer {expected}, which is missing",
            number=entry.seq,
            expected=expected[0],
        )
