"""A filmed bout of the Kendo cards on the page of its film: the score, and its events with their flags."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from desk.kendo.look import SEATS
from desk.kendo.page.view import flag_view, note_view
from desk.panel.films.port import FilmPage, FilmPart
from desk.panel.table.names import seat_name
from desk.panel.words import Words


def film_page(judged: Mapping[str, Any], stories: Sequence[Any], said: Words) -> FilmPage:  # noqa: ARG001 (the minutes say it all)
    """Return the score and the events of a bout."""
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
