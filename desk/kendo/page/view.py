"""The data of the Kendo page in one language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from desk.kendo.look import SEATS
from desk.kendo.page.phrases import FLAGS, NOTES, STANDINGS
from desk.panel.films.port import FilmPage, FilmPart
from desk.panel.phrases import phrase
from desk.panel.table.names import by_names, seat_name
from desk.panel.words import Words
from referee.cards.kendo import Brown, Red, face


def kendo_view(bout: Mapping[str, Any], said: Words) -> dict[str, Any]:
    names = [seat_name(seat, name, said) for seat, name in enumerate(bout["names"])]
    return {
        **bout,
        "names": names,
        "sentence": _sentence(bout, names, said),
        "flags": [flag_view(flag, names, said) for flag in reversed(bout["flags"])],
        "notes": [note_view(note, names, said) for note in reversed(bout["notes"])],
    }


def face_label(name: str) -> str:
    """Return the label of a face: `MEN UCHI 3`, `KOTE → DO`, `SEME`; the same in every language."""
    shown = face(name)
    if isinstance(shown.card, Red):
        return f"{shown.card.receives} → {shown.card.attacks}".upper()
    number = f" {shown.number}" if isinstance(shown.card, Brown) else ""
    return (str(shown.card or name).replace("_", " ") + number).upper()


def _sentence(bout: Mapping[str, Any], names: list[str], said: Words) -> str:
    winner, standing = bout["winner"], bout["standing"]
    if winner is not None:
        own, other = bout["ippon"][winner], bout["ippon"][1 - winner]
        return phrase(said, STANDINGS, "over", player=names[winner], own=own, other=other)
    if bout["to_act"] is None:
        return phrase(said, STANDINGS, "unopened")
    technique = (standing["technique"] or "").upper()
    return phrase(said, STANDINGS, standing["kind"], player=names[bout["to_act"]], technique=technique)


def flag_view(flag: Mapping[str, Any], names: list[str], said: Words) -> dict[str, Any]:
    told = FLAGS[flag["id"]]
    text = by_names(flag["text"], names, said)
    return {**flag, "text": text, "what": said(told.what), "mend": said(told.mend)}


def note_view(note: Mapping[str, Any], names: list[str], said: Words) -> dict[str, Any]:
    cards = " + ".join(card.replace("_", " ").replace(">", " → ").upper() for card in note.get("cards", ()))
    text = phrase(said, NOTES, note.get("what") or note["kind"], player=names[note["player"]], cards=cards)
    return {**note, "text": text}


def film_page(judged: Mapping[str, Any], stories: Sequence[Any], said: Words) -> FilmPage:  # noqa: ARG001 (the minutes say it all)
    names = [seat_name(seat, None, said) for seat in range(SEATS)]
    events, flags = judged["events"], defaultdict[int, list[dict[str, Any]]](list)
    for flag in judged["flags"]:
        flags[min(flag["event"], len(events) - 1)].append(flag_view(flag, names, said))
    steps = [
        {
            "t_ms": event["t_ms"],
            "text": note_view(event, names, said)["text"],
            "flags": flags[at],
            "reached": [],
            "taken_back": event.get("taken_back", False),
        }
        for at, event in enumerate(events)
    ]
    part: FilmPart = {"title": "", "more": "", "doubt": "", "late": flags[-1], "steps": steps}
    return {"sentence": _score(judged, names, said), "parts": [part]}


def _score(judged: Mapping[str, Any], names: list[str], said: Words) -> str:
    (own, other), hansoku = judged["score"]["ippon"], judged["score"]["hansoku"]
    score = said("IPPON {own} to {other}", own=own, other=other)
    if any(hansoku):
        score = f"{score}, HANSOKU {hansoku[0]} – {hansoku[1]}"
    if judged["winner"] is None:
        return said("{score}; the bout is not over", score=score)
    return said("{player} wins: {score}", player=names[judged["winner"]], score=score)
