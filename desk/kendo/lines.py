"""The Kendo game as JSON: lines of events in, minutes of bouts and of filmed courts out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from desk.log.json_lines import Line
from referee.cards.kendo import parse_card
from referee.kendo.events import Accept, Declare, Draw, Event, Exchange, Open, Pass, Pile, Play, Word
from referee.kendo.minutes import Flag, Minutes

if TYPE_CHECKING:  # the scribe knows the eye, and these commands start fast without it
    from desk.kendo.scribe import CourtFlag, Noted, Scribe
    from desk.tables.card_game import WatchedTable

_SIMPLE: dict[str, type[Open | Pass | Exchange]] = {"open": Open, "pass": Pass, "exchange": Exchange}


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
    bout = minutes.bout
    return {
        "rules": bout.rules.name,
        "score": {"ippon": list(bout.ippon), "hansoku": list(bout.hansoku)},
        "winner": bout.winner,
        "opens_next": bout.to_act if bout.opening and bout.winner is None else None,
        "to_act": bout.to_act if bout.winner is None else None,
        "standing": str(bout.standing),
        "flags": list(map(flag_json, minutes.flags)),
        "log": list(minutes.log),
    }


def minutes_of_court(seen: WatchedTable) -> dict[str, Any]:
    """Return a bout as the JSON object of the format, with the `courts` at rest and `stats`."""
    return {
        **scribe_of(seen.game.scribe),
        "courts": [
            {
                "t_ms": round(look.t_ms),
                "laid": [[laid.face for laid in side] for side in look.laid],
                "marks": list(map(list, look.marks)),
            }
            for look in seen.game.looks
        ],
        "stats": seen.stats.line(seen.failures),
    }


def scribe_of(scribe: Scribe) -> dict[str, Any]:
    """Return a scribe's minutes, flags with their instants, and events, as JSON."""
    minutes = minutes_of(scribe.minutes)
    if scribe.is_uncertain:
        winners = {reading.bout.winner for reading in scribe.readings}
        minutes |= {"certain": False, "winner": winners.pop() if len(winners) == 1 else None}
    return {
        **minutes,
        "flags": [flag_json(flag) for flag in scribe.flags],
        "events": [event_json(noted) for noted in scribe.notes],
    }


def lines_of_bout(judged: Mapping[str, Any]) -> list[str]:
    ippon, hansoku = judged["score"]["ippon"], judged["score"]["hansoku"]
    winner = "not over" if judged["winner"] is None else f"player {judged['winner']} wins"
    certain = "" if judged.get("certain", True) else " (not certain: a part was not seen)"
    return [
        f"{ippon[0]}-{ippon[1]} (HANSOKU {hansoku[0]}-{hansoku[1]}), {winner}{certain}",
        *(
            f"  {flag['t_ms'] / 1000:8.1f} s  {flag['id']} [{flag['row']}]: {flag['text']}"
            for flag in judged["flags"]
        ),
    ]


def flag_json(flag: Flag | CourtFlag) -> dict[str, Any]:
    told = {"event": flag.event, "id": str(flag.id), "row": flag.row, "text": flag.text}
    return told if isinstance(flag, Flag) else {**told, "t_ms": round(flag.t_ms)}


def event_json(noted: Noted) -> dict[str, Any]:
    event = noted.event
    kind = type(event).__name__.lower()
    line: dict[str, Any] = {"t_ms": round(noted.t_ms), "kind": kind, "player": event.player}
    if isinstance(event, Play | Accept):
        line["cards"] = list(map(str, event.cards))
    elif isinstance(event, Declare):
        line["what"] = event.what.value
    elif isinstance(event, Draw):
        line["deck"] = event.pile.value
    if noted.taken_back:
        line["taken_back"] = True
    return line
