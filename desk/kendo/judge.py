"""`shinpan judge` of a filmed court of Kendo cards: the bout's minutes, with the instant of every event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from desk.kendo.lines import minutes_of
from desk.kendo.look import CourtLook
from desk.kendo.scribe import CourtFlag, Noted, Scribe
from desk.tables.card_game import WatchedTable
from referee.kendo.events import Accept, Declare, Draw, Play


def minutes_of_court(seen: WatchedTable) -> dict[str, Any]:
    """Return a bout as the JSON object of the Kendo format.

    Its flags have `t_ms`; in addition it has the inferred `events`, the `courts` at every rest, and `stats`.
    """
    return {
        **scribe_of(seen.game.scribe),
        "courts": [_court(look) for look in seen.game.looks],
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
    lines = [f"{ippon[0]}-{ippon[1]} (HANSOKU {hansoku[0]}-{hansoku[1]}), {winner}{certain}"]
    lines += [
        f"  {flag['t_ms'] / 1000:8.1f} s  {flag['id']} [{flag['row']}]: {flag['text']}"
        for flag in judged["flags"]
    ]
    return lines


def _court(look: CourtLook) -> dict[str, Any]:
    return {
        "t_ms": round(look.t_ms),
        "laid": [[laid.face for laid in side] for side in look.laid],
        "marks": list(map(list, look.marks)),
    }


def flag_json(flag: CourtFlag) -> dict[str, Any]:
    """Return a flag as JSON, as judges, pages and records tell it."""
    return {
        "event": flag.event, "id": flag.id, "row": flag.row, "text": flag.text, "t_ms": round(flag.t_ms)
    }  # fmt: skip


def event_json(noted: Noted) -> dict[str, Any]:
    """Return an event as JSON, as judges, pages and records tell it."""
    event = noted.event
    line: dict[str, Any] = {
        "t_ms": round(noted.t_ms),
        "kind": type(event).__name__.lower(),
        "player": event.player,
    }
    if isinstance(event, Play | Accept):
        line["cards"] = list(map(str, event.cards))
    elif isinstance(event, Declare):
        line["what"] = event.what.value
    elif isinstance(event, Draw):
        line["deck"] = event.pile.value
    if noted.taken_back:
        line["taken_back"] = True
    return line
