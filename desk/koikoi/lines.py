"""Koi-Koi as JSON lines: events in, minutes out (the headless format in the Koi-Koi rules, section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desk.log.json_lines import Line
from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Missed, Play
from referee.koikoi.flags import Flag
from referee.koikoi.match import Match, RoundRecord
from referee.koikoi.piles import DECK_SIZE
from referee.koikoi.score import Score

if TYPE_CHECKING:  # the scribe knows the eye, and these commands start fast without it
    from desk.koikoi.scribe.notes import TableFlag


class CardLine(Line):
    """A line that names hanafuda by their number 0..47."""

    def card(self, key: str) -> int:
        """Return the card id at `key`."""
        return self._checked(self._value.get(key))

    def cards(self, key: str) -> tuple[int, ...]:
        """Return the list of card ids at `key`; an omitted list is empty."""
        return tuple(self._checked(card) for card in self.items(key, "card ids"))

    def hands(self, key: str) -> tuple[tuple[int, ...], ...]:
        """Return the lists of card ids at `key`, one for each seat."""
        hands = self.items(key, "hands")
        if not all(isinstance(hand, list) for hand in hands):
            raise self.refusal(
                "{key!r} must hold a list of card ids for each seat, got {hands!r}", key=key, hands=hands
            )
        return tuple(tuple(self._checked(card) for card in hand) for hand in hands)

    def _checked(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < DECK_SIZE:
            raise self.refusal("a card is a number 0..{last}, got {value!r}", last=DECK_SIZE - 1, value=value)
        return value


def event_of(line: CardLine) -> Event:
    kind = line.word("kind", ("deal", "play", "draw", "declare", "end"))
    if kind == "end":
        return End()
    if kind == "deal":
        hands = line.hands("hands") if line.has("hands") else None
        return Deal(
            number=line.number_of("round") if line.has("round") else None,
            players=line.number_of("players"),
            dealer=line.number_of("dealer"),
            field=line.cards("field"),
            hands=hands,
        )
    player = line.number_of("player")
    if kind == "declare":
        return Declare(player, Call(line.word("what", tuple(Call))))
    move = Play if kind == "play" else Draw
    return move(player, line.card("card"), line.cards("taken"))


def event_json(event: Event) -> dict[str, Any]:
    """Return an event as JSON, as judges, pages and records tell it."""
    match event:
        case Deal():
            return {"kind": "deal", "player": event.dealer, "field": list(event.field)}
        case Play() | Draw():
            kind = "play" if isinstance(event, Play) else "draw"
            return {"kind": kind, "player": event.player, "card": event.card, "taken": list(event.taken)}
        case Declare():
            return {"kind": "declare", "player": event.player, "what": event.what.value}
        case Missed():
            return {"kind": "missed"}
        case End():
            return {"kind": "end"}


def flag_json(flag: Flag | TableFlag) -> dict[str, Any]:
    """Return a flag of the referee, or one that only the table shows, as JSON."""
    return {"event": flag.event, "id": flag.id.value, "text": flag.text}


def minutes_of(match: Match) -> dict[str, Any]:
    """Return a match as the JSON object of the format."""
    return {
        "rules": match.rules.name,
        "rounds": [_round(record) for record in match.rounds],
        "totals": list(match.totals),
        "next_dealer": match.next_dealer,
        "ranking": [list(place) for place in match.ranking],
        "over": match.is_over,
    }


def yaku_of(score: Score) -> dict[str, int]:
    """Return a pile's yaku and their points."""
    return {row.name: row.points for row in score.yaku}


def _round(record: RoundRecord) -> dict[str, Any]:
    result = record.result
    return {
        **({"certain": False} if record.table.missed else {}),
        "round": record.table.number,
        "dealer": record.table.dealer,
        "end": None if result is None else result.ending.value,
        "winner": None if result is None else result.winner,
        "points": list(record.points),
        "calls": list(record.table.calls),
        "yaku": [yaku_of(score) for score in record.scores],
        "base": [score.base for score in record.scores],
        "formula": "" if result is None else result.formula,
        "flags": list(map(flag_json, record.flags)),
    }
