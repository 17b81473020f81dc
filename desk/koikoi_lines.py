"""Koi-Koi as JSON lines: events in, minutes out (the headless contract of the Koi-Koi rules, section 3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from desk.errors import DeskError
from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Play
from referee.koikoi.match import Match, RoundRecord
from referee.koikoi.piles import DECK_SIZE
from referee.koikoi.score import Score


class Line:
    """One JSON object of the input, which names itself in every complaint.

    Parameters
    ----------
    number : of the line, from 0.
    text : the line.
    """

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        try:
            self._value: Any = json.loads(text)
        except json.JSONDecodeError as error:
            raise self.error(f"not valid JSON: {error}") from error
        if not isinstance(self._value, dict):
            raise self.error(f"expected an object, got {text.strip()}")

    def error(self, text: str) -> DeskError:
        """Return a complaint that names the line."""
        return DeskError(f"line {self.number}: {text}")

    def has(self, key: str) -> bool:
        """Tell whether the key is there and not null."""
        return self._value.get(key) is not None

    def number_of(self, key: str, default: int | None = None) -> int:
        """Return the whole number at `key`, or `default` where it is left out."""
        value = self._value.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.error(f"{key!r} must be a whole number from 0 on, got {value!r}")
        return value

    def word(self, key: str, choices: Iterable[str]) -> str:
        """Return the word at `key`, one of `choices`."""
        value = self._value.get(key)
        if value not in choices:
            raise self.error(f"{key!r} must be one of {', '.join(choices)}, got {value!r}")
        return str(value)

    def card(self, key: str) -> int:
        """Return the card id at `key`."""
        return self._checked_card(self._value.get(key))

    def cards(self, key: str) -> tuple[int, ...]:
        """Return the list of card ids at `key`; a list that is left out is empty."""
        return self._checked_cards(key, self._value.get(key, []))

    def card_lists(self, key: str) -> tuple[tuple[int, ...], ...]:
        """Return the lists of card ids at `key`, one for each seat."""
        value = self._value[key]
        if not isinstance(value, list):
            raise self.error(f"{key!r} must be a list for each seat, got {value!r}")
        return tuple(self._checked_cards(key, cards) for cards in value)

    def _checked_cards(self, key: str, value: object) -> tuple[int, ...]:
        if not isinstance(value, list):
            raise self.error(f"{key!r} must be a list of card ids, got {value!r}")
        return tuple(self._checked_card(card) for card in value)

    def _checked_card(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < DECK_SIZE:
            raise self.error(f"a card is a number 0..{DECK_SIZE - 1}, got {value!r}")
        return value


def lines_of(stream: Iterable[str]) -> Iterator[Line]:
    """Iterate over the JSON objects of a text stream; empty lines are skipped and not counted."""
    texts = (text for text in stream if text.strip())
    for number, text in enumerate(texts):
        yield Line(number, text)


def event_of(line: Line) -> Event:
    """Return the event that a line describes."""
    kind = line.word("kind", ("deal", "play", "draw", "declare", "end"))
    if kind == "end":
        return End()
    if kind == "deal":
        hands = line.card_lists("hands") if line.has("hands") else None
        return Deal(
            number=line.number_of("round", 1),
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


def minutes_of(match: Match) -> dict[str, Any]:
    """Return a match as the JSON object of the contract."""
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
        "round": record.table.number,
        "dealer": record.table.dealer,
        "end": None if result is None else result.ending.value,
        "winner": None if result is None else result.winner,
        "points": list(record.points),
        "calls": list(record.table.calls),
        "yaku": [yaku_of(score) for score in record.scores],
        "base": [score.base for score in record.scores],
        "formula": "" if result is None else result.formula,
        "flags": [{"event": flag.event, "id": flag.id.value, "text": flag.text} for flag in record.flags],
    }
