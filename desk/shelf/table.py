"""The game on a film's card table in the panel's format, and the instant of each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desk.panel.films.port import RoundOfFilm, TableOfFilm
from desk.panel.kendo.port import KendoFlagShown, NoteShown
from desk.panel.koikoi.port import FlagShown, StoryShown
from desk.shelf.verdicts import Verdicts


def table_of(verdicts: Verdicts) -> TableOfFilm | None:
    """Return the game on a card table, None if no table was judged."""
    judged = verdicts.judged
    nothing: TableOfFilm = {
        "totals": [],
        "rounds": [],
        "ippon": [],
        "hansoku": [],
        "winner": None,
        "is_certain": judged.get("certain", True),
        "notes": [],
        "flags": [],
        "dealer_assumed": judged.get("dealer_assumed") if judged.get("rounds") else None,
        "hint": verdicts.hint.to_json(),
    }
    match verdicts.game:
        case "koikoi" if judged:
            return {**nothing, "totals": judged["totals"], "rounds": _rounds(judged, verdicts.stories)}
        case "kendo" if judged:
            return {
                **nothing,
                "ippon": judged["score"]["ippon"],
                "hansoku": judged["score"]["hansoku"],
                "winner": judged["winner"],
                "notes": [_note(event) for event in judged["events"]],
                "flags": [_flag(flag) for flag in judged["flags"]],
            }
        case _:
            return None


def instants_ms(table: TableOfFilm) -> list[float]:
    """Return the instant of each step of a card table, in the order of their numbers."""
    stories = [each["story"] for each in table["rounds"] if each["story"] is not None]
    return [step["t_ms"] for story in stories for step in story["steps"]] + [
        note["t_ms"] for note in table["notes"]
    ]


def doubted(table: TableOfFilm) -> int:
    """Return the number of uncertain rounds or bouts."""
    uncertain = sum(not each["is_certain"] for each in table["rounds"])
    return uncertain or int(not table["is_certain"])


def flagged(table: TableOfFilm) -> int:
    """Return the number of flags on a card table."""
    stories = [each["story"] for each in table["rounds"] if each["story"] is not None]
    of_steps = sum(len(step["flags"]) for story in stories for step in story["steps"])
    return of_steps + sum(len(each["late"]) for each in table["rounds"]) + len(table["flags"])


def _rounds(judged: Mapping[str, Any], stories: Sequence[StoryShown]) -> list[RoundOfFilm]:
    told = iter(stories)
    return [_round(played, None if played.get("lost") else next(told)) for played in judged["rounds"]]


def _round(played: Mapping[str, Any], story: StoryShown | None) -> RoundOfFilm:
    if story is None:
        return {"lost_ms": played["flags"][0]["t_ms"], "is_certain": False, "story": None, "late": []}
    steps = {step["event"] for step in story["steps"]}
    late: list[FlagShown] = [
        {"event": flag["event"], "id": flag["id"], "text": flag["text"], "cards": [], "player": None}
        for flag in played["flags"]
        if flag["event"] not in steps
    ]
    return {"lost_ms": None, "is_certain": played.get("certain", True), "story": story, "late": late}


def _note(event: Mapping[str, Any]) -> NoteShown:
    return {
        "kind": event["kind"],
        "player": event["player"],
        "cards": event.get("cards", []),
        "what": event.get("what"),
        "t_ms": event["t_ms"],
        "taken_back": event.get("taken_back", False),
        "evidence": None,
    }


def _flag(flag: Mapping[str, Any]) -> KendoFlagShown:
    return {
        "event": flag["event"],
        "id": flag["id"],
        "row": flag["row"],
        "text": flag["text"],
        "t_ms": flag["t_ms"],
        "lies": False,
    }
