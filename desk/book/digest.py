"""The book's extract of one match or practice, read from its log without refereeing it again.

A season has a thousand logs, and replaying one takes half a second. So only the rulings that stand, the
contacts of their poems and the fields seen before them are decoded. As for the minutes,
`desk.karuta.engine.minutes.still_counting` tells which events still count after an undo.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from desk.errors import DeskError
from desk.karuta.engine.engine import Origin
from desk.karuta.engine.events import CODEC, DeskEvent, MatchOpened, kinds_of
from desk.karuta.engine.minutes import still_counting
from desk.log.event_log import EventLog, RawEntry
from desk.practice.events import CODEC as PRACTICE_CODEC
from desk.practice.events import Attempt, PracticeOpened
from desk.tables.source_kind import Source
from referee.cards.poems import POEMS
from referee.facts import Contact, KimarijiCompleted, PoemStarted, Touch
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp, MatchEnded, Ruled
from referee.karuta.order import proven_before
from referee.karuta.rulebook import reasons
from referee.karuta.ruling import Ruling
from referee.sides import BySide, Side

_CAUSES, _ANSWERS, _NOTES = kinds_of(Event), kinds_of(FollowUp), kinds_of(DeskEvent)
_DECODED = frozenset({"match_opened", "poem_started", "kimariji_completed", "touch", "ruled", "match_ended"})
_FIELDS = frozenset({"field_settled", "field_accepted"})
_READ = _DECODED | _FIELDS | {"revert"}
_OF_PRACTICE = frozenset({"practice_opened", "attempt"})
_SKIPPED = (_ANSWERS | _NOTES) - _DECODED - {"proposed"}
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
    """A ruling that counts.

    Attributes
    ----------
    order : place among the rulings of the match, 1, 2, ...
    poem : 1..100.
    standing : `decided`, `confirmed` or `overruled`.
    taken_by : the player who took the card.
    territory, row, x_m : place of the card, all None if it was not on the field (a dead card).
    reaction_ns : from the end of the kimariji to the contact that took the card, negative if the contact
        came first; None if one of them is not known.
    sends : number of cards that each player sends.
    faults : one entry for each fault.
    """

    order: int
    poem: int
    standing: str
    taken_by: Side | None
    territory: Side | None
    row: int | None
    x_m: float | None
    reaction_ns: int | None
    sends: BySide[int]
    faults: tuple[FaultTold, ...]


@dataclass(frozen=True, slots=True)
class MatchDigest:
    """The extract of a match.

    Attributes
    ----------
    id : id of the match, the same in every copy of its log.
    wall : when the log was opened, ISO 8601 with the offset from UTC.
    source : the kind of source of the pictures.
    events : number of events in the log.
    names : of the players, None if not given.
    winner, over : who won, and whether the match was finished.
    poems : the rulings that count.
    in_doubt : number of rulings that stand although they were in doubt and no official looked; they do not
        count.
    """

    id: str
    wall: str
    source: Source
    events: int
    names: BySide[str | None]
    winner: Side | None
    over: bool
    poems: tuple[PoemTold, ...]
    in_doubt: int


@dataclass(slots=True)
class _Reading:
    """One reading of a poem with its undecoded events; few of them need to be decoded."""

    start: PoemStarted
    fields: int
    """Number of fields that were seen before its first sound."""
    kimariji: RawEntry | None = None
    touches: list[RawEntry] = field(default_factory=list)
    ruled: Ruling | None = None
    standing: str | None = None


_Round = tuple[RawEntry, list[RawEntry]]
"""An event and its follow-ups."""


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


def read_digest(path: Path) -> MatchDigest | PracticeDigest | None:
    """Return the extract of a log, None if it contains no karuta.

    Raises
    ------
    DeskError
        If the log is damaged, lacks events, or a newer shinpan wrote it.
    """
    try:
        with EventLog.read(path) as log:
            entries = log.raw(_READ | _OF_PRACTICE, without=_SKIPPED)
            first = next(entries, None)
            if first is not None and first.kind == "practice_opened":
                return _practice_digest(first, entries, log.last_seq)
            if first is None or first.kind != "match_opened":
                return None
            opened: MatchOpened = _decoded(first)
            rounds = _rounds(entries)
            events = log.last_seq
        digest = _digest(opened, first.wall, events, _counting(rounds))
        if unknown := {poem.poem for poem in digest.poems} - POEMS.keys():
            raise ValueError(f"there is no poem {min(unknown)}")  # noqa: TRY301
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise DeskError(f"{path} is damaged: {error}") from error
    return digest


def _practice_digest(first: RawEntry, entries: Iterator[RawEntry], events: int) -> PracticeDigest:
    opened: PracticeOpened = PRACTICE_CODEC.decode(first.kind, first.version, first.text or "{}")
    attempts = [
        PRACTICE_CODEC.decode(entry.kind, entry.version, entry.text or "{}")
        for entry in entries
        if entry.kind == "attempt"
    ]
    named = {card for each in attempts for card in (each.poem, each.lure) if card is not None}
    if unknown := named - POEMS.keys():
        raise ValueError(f"there is no poem {min(unknown)}")
    return PracticeDigest(opened.id, first.wall, opened.source, events, opened.player, tuple(attempts))


def _rounds(entries: Iterator[RawEntry]) -> list[_Round]:
    rounds: list[_Round] = []
    for entry in entries:
        if entry.kind in _CAUSES:
            rounds.append((entry, []))
        elif entry.kind not in _ANSWERS:
            CODEC.decode(entry.kind, entry.version, {})  # raises an error that says what is wrong
        elif rounds:
            rounds[-1][1].append(entry)
        else:
            raise ValueError(f"entry {entry.seq} answers nothing")
    return rounds


def _counting(rounds: Sequence[_Round]) -> list[_Round]:
    return still_counting(rounds, lambda each: _decoded(each[0]).seq if each[0].kind == "revert" else None)


def _decoded(entry: RawEntry) -> Any:
    return CODEC.decode(entry.kind, entry.version, entry.text or "{}")


def _digest(opened: MatchOpened, wall: str, events: int, rounds: Sequence[_Round]) -> MatchDigest:
    """Follow the rounds that count, and gather each poem's reading until its ruling.

    A touch without an open reading belongs to the next poem (somebody was too early). A misread poem is
    dropped, one that is proposed anew waits again, and of a field only its text and place in time are kept.
    """
    fields: list[str] = []
    readings: list[_Reading] = []
    early: list[RawEntry] = []
    ended: MatchEnded | None = None
    for cause, answers in rounds:
        for answer in answers:
            if answer.kind == "ruled" and readings:
                ruled: Ruled = _decoded(answer)
                readings[-1].ruled = ruled.ruling
                readings[-1].standing = _standing(cause, ruled.ruling)
                early = []
            elif answer.kind == "proposed" and readings:
                readings[-1].ruled = readings[-1].standing = None  # reopened: waits for a ruling again
            elif answer.kind == "match_ended":
                ended = _decoded(answer)
        now = readings[-1] if readings and readings[-1].ruled is None else None
        match cause.kind:
            case "field_settled" | "field_accepted" if cause.text is not None:
                fields.append(cause.text)
            case "poem_started":
                start: PoemStarted = _decoded(cause)
                if start.poem and (now is None or now.start.poem != start.poem):
                    readings.append(_Reading(start, len(fields), touches=early))
                    early = []
            case "kimariji_completed" if now is not None and now.kimariji is None:
                now.kimariji = cause
            case "touch":
                (early if now is None else now.touches).append(cause)
            case "misread" if now is not None:
                readings.pop()
                early = []
    standing = [each for each in readings if each.ruled is not None]
    return MatchDigest(
        opened.id,
        wall,
        opened.source,
        events,
        opened.names,
        None if ended is None else ended.winner,
        ended is not None,
        tuple(_poems(standing, _Fields(fields))),
        sum(each.standing is None for each in standing),
    )


def _standing(cause: RawEntry, ruling: Ruling) -> str | None:
    """Return why a ruling counts, None if it stands although it was in doubt."""
    if cause.origin != Origin.POLICY and cause.kind in {"confirm", "overrule"}:
        return "confirmed" if cause.kind == "confirm" else "overruled"
    return None if ruling.doubts else "decided"


def _poems(readings: Sequence[_Reading], fields: _Fields) -> Iterator[PoemTold]:
    taken: set[int] = set()
    for order, reading in enumerate(readings, 1):
        ruling = reading.ruled
        assert ruling is not None, "only readings with a ruling are told"
        if reading.standing is not None:
            is_dead = ruling.poem in taken or "dead_card" in ruling.reasons
            place = None if is_dead else fields.place(ruling.poem, reading.fields)
            territory = None if place is None else Side(place["side"])
            yield PoemTold(
                order=order,
                poem=ruling.poem,
                standing=reading.standing,
                taken_by=ruling.taken_by,
                territory=territory,
                row=None if place is None else int(place["row"]),
                x_m=None if place is None else float(place["x_m"]),
                reaction_ns=_reaction_ns(reading, ruling),
                sends=ruling.sends,
                faults=tuple(_faults(reading, ruling, territory, fields)),
            )
        if ruling.taken_by is not None:
            taken.add(ruling.poem)


def _reaction_ns(reading: _Reading, ruling: Ruling) -> int | None:
    take = ruling.take
    if take is None or reading.kimariji is None or take.player != ruling.taken_by:
        return None
    kimariji: KimarijiCompleted = _decoded(reading.kimariji)
    return take.t_ns - kimariji.t_ns if kimariji.poem == ruling.poem else None


def _faults(reading: _Reading, ruling: Ruling, target: Side | None, fields: _Fields) -> Iterator[FaultTold]:
    if not (ruling.faults.near or ruling.faults.far):
        return
    touches: list[Touch] = sorted(map(_decoded, reading.touches), key=lambda touch: touch.t_ns)
    declared = next((reason for reason in _UNTOUCHED_FAULTS if reason in ruling.reasons), "official_fault")
    for player in (side for side in Side if ruling.faults[side]):
        lures: dict[Side, FaultTold] = {}
        for touch in touches:
            if touch.player is not player or touch.contact is not Contact.TOUCH:
                continue
            place = fields.place(touch.card, reading.fields)
            territory = touch.territory if place is None else Side(place["side"])
            kind = _kind(reading, ruling, touch, territory, target)
            if kind is not None and territory is not None:
                # one fault per territory, for the first card touched there
                lures.setdefault(territory, FaultTold(player, kind, touch.card))
        seen = list(lures.values())[: ruling.faults[player]]
        yield from seen
        for _ in range(ruling.faults[player] - len(seen)):
            yield FaultTold(player, declared.removesuffix("_fault"), None)


def _kind(
    reading: _Reading, ruling: Ruling, touch: Touch, territory: Side | None, target: Side | None
) -> str | None:
    """Return the kind of fault of a touch, None if it is allowed."""
    if proven_before(touch, reading.start):
        return "early_touch" if "early_touch_fault" in ruling.reasons else None
    if touch.card == ruling.poem or territory is target:
        return None
    return "dead_card" if target is None else "wrong_territory"
