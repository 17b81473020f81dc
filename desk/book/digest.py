"""The book's extract of one match or practice, read from its log without refereeing it again.

A season has a thousand logs, and replaying one takes half a second. So an extract is what
`desk.karuta.engine.minutes` reads, of a log whose fields stay undecoded: to decode fifty cards again and
again would take longer than all the rest.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from desk.errors import DeskError
from desk.karuta.engine.engine import Happened, Origin
from desk.karuta.engine.events import CODEC, DeskEvent, MatchOpened, kinds_of
from desk.karuta.engine.followable import Round
from desk.karuta.engine.minutes import Minute, Standing, counting_rounds, minutes_of
from desk.log.event_codec import EventCodec, EventCodecError, EventLostError, NewerEventError
from desk.log.event_log import EventLog, RawEntry
from desk.practice.events import CODEC as PRACTICE_CODEC
from desk.practice.events import Attempt, PracticeOpened
from desk.tables.source_kind import Source
from referee.cards.poems import POEMS
from referee.complaint import sentence_of
from referee.facts import Contact, KimarijiCompleted, PoemStarted, Touch
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp, MatchEnded, Proposed, Ruled
from referee.karuta.order import proven_before
from referee.karuta.rulebook import reasons
from referee.sentence import Sentence
from referee.sides import BySide, Side

_ANSWERS, _NOTES = kinds_of(FollowUp), kinds_of(DeskEvent)
_KNOWN = kinds_of(Event) | _ANSWERS | _NOTES
_FIELDS = frozenset({"field_settled", "field_accepted"})
_ANSWERED = frozenset({"proposed", "ruled", "read_poem", "match_ended"})
_DECODED = _ANSWERED | {
    "match_opened", "poem_started", "kimariji_completed", "touch", "revert", "misread", "confirm", "overrule",
}  # fmt: skip
_READ = _DECODED | _FIELDS
_OF_PRACTICE = frozenset({"practice_opened", "attempt"})
_SKIPPED = (_ANSWERS | _NOTES) - _DECODED
_STAND = {Standing.RULED: "decided", Standing.CONFIRMED: "confirmed", Standing.OVERRULED: "overruled"}
_UNTOUCHED_FAULTS = tuple(id_ for id_ in reasons() if id_.endswith("_fault") and id_ != "early_touch_fault")
"""Reasons for faults without a touch of a wrong card; the first that a ruling names is used."""


@dataclass(frozen=True, slots=True)
class FaultTold:
    """A fault: the player, the kind, and the card that was touched by mistake, None without a touch.

    `kind` is `wrong_territory`, `dead_card`, `early_touch`, `wrong_hand`, `shared`, `misconduct` or
    `official` (given by an official, and not explained by anything that was seen).
    """

    player: Side
    kind: str
    card: int | None


@dataclass(frozen=True, slots=True)
class PoemTold:
    """A ruling that counts."""

    order: int  # place among the rulings of the match, 1, 2, ...
    poem: int  # 1..100
    standing: str  # `decided`, `confirmed` or `overruled`
    taken_by: Side | None  # the player who took the card
    # territory, row, x_m: place of the card, all None if it was not on the field (a dead card)
    territory: Side | None
    row: int | None
    x_m: float | None
    # from the end of the kimariji to the contact that took the card, negative if the contact came first; None
    # if one of them is not known
    reaction_ns: int | None
    sends: BySide[int]  # number of cards that each player sends
    faults: tuple[FaultTold, ...]  # one entry for each fault


@dataclass(frozen=True, slots=True)
class MatchDigest:
    """The extract of a match."""

    id: str  # id of the match, the same in every copy of its log
    wall: str  # when the log was opened, ISO 8601 with the offset from UTC
    source: Source
    events: int  # number of events in the log
    names: BySide[str | None]  # of the players, None if not given
    winner: Side | None
    over: bool
    poems: tuple[PoemTold, ...]
    # number of rulings that stand although they were in doubt and no official looked; they do not count
    in_doubt: int
    left_out: Sentence | None  # the first entry that could not be read, and why; its poem does not count


@dataclass(frozen=True, slots=True)
class _Unread:
    """An event whose payload the book does not need decoded; of a field, it is searched as text."""

    text: str | None


class _Fields:
    """The fields that were seen, in order, to look up the place of a card.

    The JSON text is searched, and only the card's object is parsed: parsing every field would take longer
    than all the rest. This is safe, as logs write JSON in one form (`desk.log.event_log.to_json`).
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._text = "".join(texts)
        self._ends = list(accumulate(map(len, texts), initial=0))

    def place(self, card: int | None, seen: int) -> dict[str, Any] | None:
        """Return the last known place of a card in the first `seen` fields, None if it was not seen."""
        found = self._text.rfind(f'"card":{card},', 0, self._ends[seen])
        if found < 0:
            return None
        begin, end = self._text.rindex("{", 0, found), self._text.index("}", found)
        placed: dict[str, Any] = json.loads(self._text[begin : end + 1])
        return placed


@dataclass(frozen=True, slots=True)
class PracticeDigest:
    """The extract of a practice alone; as `MatchDigest`, with the outcome of each poem."""

    id: str
    wall: str
    source: Source
    events: int
    player: str | None
    attempts: tuple[Attempt, ...]
    left_out: Sentence | None


class _Decoder:
    """Decodes the entries of a log, and keeps what is wrong with those that cannot be read."""

    def __init__(self, path: Path, codec: EventCodec) -> None:
        self._path, self._codec = path, codec
        self.wrong: dict[int, Sentence] = {}

    def decoded(self, entry: RawEntry) -> Any:
        """Return the event of an entry, None if it cannot be read.

        Raises EventCodecError if that is no matter of one entry: it is a newer shinpan's, says that others
        were lost, or took back others.
        """
        try:
            event = self._codec.decode(entry.kind, entry.version, entry.text or "{}")
            _check_poems(event)
        except (EventCodecError, ValueError) as error:
            if isinstance(error, NewerEventError | EventLostError) or entry.kind == "revert":
                raise
            self.wrong[entry.seq] = sentence_of(error)
            return None
        return event

    @property
    def left_out(self) -> Sentence | None:
        for seq, why in self.wrong.items():
            return Sentence(
                "Entry {number} of {name} is left out: {why}", number=seq, name=self._path.name, why=why
            )
        return None


def _check_poems(event: Any) -> None:
    """Raise ValueError if an attempt of a practice, or a ruling, names a poem that there is not."""
    named: set[int | None] = set()
    if isinstance(event, Proposed | Ruled):
        named = {event.ruling.poem}
    elif isinstance(event, Attempt):
        named = {event.poem, event.lure} - {None, 0}
    if unknown := named - POEMS.keys():
        raise ValueError(f"there is no poem {unknown.pop()}")


def read_digest(path: Path) -> MatchDigest | PracticeDigest | None:
    """Return the extract of a log, None if it contains no karuta.

    An entry that cannot be read takes its poem along, and no other. Raises DeskError if the log is damaged
    as a whole, lacks events, or a newer shinpan wrote it.
    """
    with (
        DeskError.wrapping(
            "{path} is damaged: {why}", ValueError, KeyError, TypeError, IndexError, path=path
        ),
        EventLog.read(path) as log,
    ):
        entries = log.raw(_READ | _OF_PRACTICE, without=_SKIPPED)
        first = next(entries, None)
        if first is not None and first.kind == "practice_opened":
            return _practice_digest(path, first, entries, log.last_seq)
        if first is None or first.kind != "match_opened":
            return None
        opened: MatchOpened = CODEC.decode(first.kind, first.version, first.text or "{}")
        decoder = _Decoder(path, CODEC)
        history = [each for entry in entries if (each := _happened(entry, decoder)) is not None]
        rounds = counting_rounds(_without_poems_of(decoder.wrong, history))
        return _digest(opened, first.wall, log.last_seq, rounds, decoder.left_out)


def _practice_digest(path: Path, first: RawEntry, entries: Iterator[RawEntry], events: int) -> PracticeDigest:
    opened: PracticeOpened = PRACTICE_CODEC.decode(first.kind, first.version, first.text or "{}")
    decoder = _Decoder(path, PRACTICE_CODEC)
    read = (decoder.decoded(entry) for entry in entries if entry.kind == "attempt")
    attempts = tuple(each for each in read if each is not None)
    return PracticeDigest(
        opened.id, first.wall, opened.source, events, opened.player, attempts, decoder.left_out
    )


def _happened(entry: RawEntry, decoder: _Decoder) -> Happened | None:
    """Return what an entry says; None for an answer of the rules that cannot be read."""
    event: Any = _Unread(entry.text)
    if entry.kind in _DECODED or entry.kind not in _KNOWN:  # an unknown kind raises an error that says so
        event = decoder.decoded(entry)
        if event is None and entry.kind in _ANSWERED:
            return None
        if event is None:  # it still counts where events are taken back by their numbers
            event = _Unread(None)
    return Happened(entry.seq, 0, entry.wall, Origin(entry.origin), event)


def _without_poems_of(wrong: Collection[int], history: Sequence[Happened]) -> list[Happened]:
    """Return what happened without the contacts and rulings of the poems that some entries belong to.

    A poem lasts from its first sound to the next one's, whose answers may still rule on it.
    """
    if not wrong:
        return list(history)
    begins = [each.seq for each in history if isinstance(each.event, PoemStarted) and each.event.poem]
    poems = {bisect_right(begins, seq) for seq in wrong}
    kept = []
    is_beginning = False  # whether the latest event is a poem's first sound
    for each in history:
        poem = bisect_right(begins, each.seq)
        if isinstance(each.event, Proposed | Ruled):
            if poem in poems or (is_beginning and poem - 1 in poems):
                continue
        elif not isinstance(each.event, FollowUp):
            is_beginning = isinstance(each.event, PoemStarted)
        if poem in poems and isinstance(each.event, Touch | PoemStarted | KimarijiCompleted):
            nothing: Any = _Unread(None)
            kept.append(replace(each, event=nothing))
        else:
            kept.append(each)
    return kept


def _digest(
    opened: MatchOpened, wall: str, events: int, rounds: Sequence[Round], left_out: Sentence | None
) -> MatchDigest:
    """Project the minutes of a match onto what the book counts; of a field only its text is kept."""
    fields: list[str] = []
    seen: dict[int, int] = {}  # how many fields were seen before a poem's first sound
    ended: MatchEnded | None = None
    for each in rounds:
        event: Any = each.cause.event
        if isinstance(event, _Unread) and event.text is not None:
            fields.append(event.text)
        elif isinstance(event, PoemStarted):
            seen[id(event)] = len(fields)
        for answer in each.answers:
            ended = answer.event if isinstance(answer.event, MatchEnded) else ended
    standing = [each for each in minutes_of(rounds) if each.start is not None and each.standing in _STAND]
    return MatchDigest(
        opened.id,
        wall,
        opened.source,
        events,
        opened.names,
        None if ended is None else ended.winner,
        ended is not None,
        tuple(_poems(standing, _Fields(fields), seen)),
        sum(_is_in_doubt(each) for each in standing),
        left_out,
    )


def _is_in_doubt(minute: Minute) -> bool:
    """Tell whether a ruling stands although it was in doubt and no official looked."""
    return minute.standing is Standing.RULED and bool(minute.ruling.doubts)


def _poems(minutes: Sequence[Minute], fields: _Fields, seen: Mapping[int, int]) -> Iterator[PoemTold]:
    taken: set[int] = set()
    for order, minute in enumerate(minutes, 1):
        ruling = minute.ruling
        if not _is_in_doubt(minute):
            place_of = partial(fields.place, seen=seen[id(minute.start)])
            is_dead = ruling.poem in taken or "dead_card" in ruling.reasons
            place = None if is_dead else place_of(ruling.poem)
            territory = None if place is None else Side(place["side"])
            take, decided, reaction_ns = ruling.take, minute.decided, None
            if take is not None and decided is not None and take.player == ruling.taken_by:
                reaction_ns = take.t_ns - decided.t_ns if decided.poem == ruling.poem else None
            yield PoemTold(
                order=order,
                poem=ruling.poem,
                standing=_STAND[minute.standing],
                taken_by=ruling.taken_by,
                territory=territory,
                row=None if place is None else int(place["row"]),
                x_m=None if place is None else float(place["x_m"]),
                reaction_ns=reaction_ns,
                sends=ruling.sends,
                faults=tuple(_faults(minute, territory, place_of)),
            )
        if ruling.taken_by is not None:
            taken.add(ruling.poem)


def _faults(
    minute: Minute, target: Side | None, place_of: Callable[[int | None], dict[str, Any] | None]
) -> Iterator[FaultTold]:
    ruling = minute.ruling
    declared = next((reason for reason in _UNTOUCHED_FAULTS if reason in ruling.reasons), "official_fault")
    for player in (side for side in Side if ruling.faults[side]):
        lures: dict[Side, FaultTold] = {}
        for touch in minute.contacts:
            if not isinstance(touch, Touch) or touch.player is not player:
                continue
            if touch.contact is not Contact.TOUCH:
                continue
            place = place_of(touch.card)
            territory = touch.territory if place is None else Side(place["side"])
            kind = _kind(minute, touch, territory, target)
            if kind is not None and territory is not None:
                # one fault per territory, for the first card touched there
                lures.setdefault(territory, FaultTold(player, kind, touch.card))
        seen = list(lures.values())[: ruling.faults[player]]
        yield from seen
        for _ in range(ruling.faults[player] - len(seen)):
            yield FaultTold(player, declared.removesuffix("_fault"), None)


def _kind(minute: Minute, touch: Touch, territory: Side | None, target: Side | None) -> str | None:
    """Return the kind of fault of a touch, None if it is allowed."""
    if minute.start is not None and proven_before(touch, minute.start):
        return "early_touch" if "early_touch_fault" in minute.ruling.reasons else None
    if touch.card == minute.ruling.poem or territory is target:
        return None
    return "dead_card" if target is None else "wrong_territory"
