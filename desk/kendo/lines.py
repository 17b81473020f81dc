"""The Kendo game as JSON lines: events in, minutes out (the headless format in the Kendo rules)."""

from __future__ import annotations

from typing import Any

from desk.log.json_lines import Line
from referee.cards.kendo import parse_card
from referee.kendo.events import Accept, Declare, Draw, Event, Exchange, Open, Pass, Pile, Play, Word
from referee.kendo.minutes import Minutes

_SIMPLE: dict[str, type[Open] | type[Pass] | type[Exchange]] = {
    "open": Open,
    "pass": Pass,
    "exchange": Exchange,
}


def event_of(line: Line) -> Event:
    kind = line.word("kind", (*_SIMPLE, "play", "accept", "draw", "declare"))
    player = line.number_of("player")
    if kind in {"play", "accept"}:
        cards = tuple(parse_card(str(card)) for card in line.items("cards", "card names"))
        return Play(player, cards) if kind == "play" else Accept(player, cards)
    if kind == "draw":
        return Draw(player, Pile(line.word("deck", tuple(Pile))))
    if kind == "declare":
        return Declare(player, Word(line.word("what", tuple(Word))))
    return _SIMPLE[kind](player)


def minutes_of(minutes: Minutes) -> dict[str, Any]:
    """Return a bout's minutes as the JSON object of the format."""
    bout = minutes.bout
    return {
        "rules": bout.rules.name,
        "score": {"ippon": list(bout.ippon), "hansoku": list(bout.hansoku)},
        "winner": bout.winner,
        "opens_next": bout.to_act if bout.opening and bout.winner is None else None,
        "to_act": bout.to_act if bout.winner is None else None,
        "standing": str(bout.standing),
        "flags": [
            {"event": flag.event, "id": flag.id.value, "row": flag.row, "text": flag.text}
            for flag in minutes.flags
        ],
        "log": list(minutes.log),
    }
