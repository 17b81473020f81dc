"""A filmed game of Koi-Koi on the page of its film: rounds and steps with their flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desk.koikoi.page.story import flag_view, story_view
from desk.panel.films.port import FilmPage, FilmPart
from desk.panel.table.names import seat_name
from desk.panel.words import Words


def film_page(judged: Mapping[str, Any], stories: Sequence[Mapping[str, Any]], said: Words) -> FilmPage:
    """Return the points and the rounds; `stories` has one entry for each round that was not lost."""
    names = [seat_name(seat, None, said) for seat in range(len(judged["totals"]))]
    points = " · ".join(f"{name}: {total}" for name, total in zip(names, judged["totals"], strict=True))
    told = iter(stories)
    parts = [
        _lost(played, said) if played.get("lost") else _round(played, next(told), names, said)
        for played in judged["rounds"]
    ]
    return {"sentence": said("Points: {points}", points=points), "parts": parts}


def _lost(played: Mapping[str, Any], said: Words) -> FilmPart:
    t = f"{played['flags'][0]['t_ms'] / 1e3:.1f}"
    title = said("A round at {t} s was not understood, for its deal was not.", t=t)
    return {"title": title, "more": "", "doubt": "", "late": [], "steps": []}


def _round(played: Mapping[str, Any], story: Mapping[str, Any], names: list[str], said: Words) -> FilmPart:
    view, told = story_view(story, names, said), {step["event"] for step in story["steps"]}
    ended = f"{view['ending']} · {view['formula']}" if view["formula"] else view["ending"]
    is_certain = played.get("certain", True)
    return {
        "title": said("Round {n}", n=view["number"]),
        "more": f"{said('{player} dealt', player=view['dealer'])} · {ended}",
        "doubt": "" if is_certain else said("Not certain: a part was not seen or not understood."),
        "late": [flag_view(flag, names, said) for flag in played["flags"] if flag["event"] not in told],
        "steps": [
            {
                "t_ms": step["t_ms"],
                "text": shown["text"],
                "flags": shown["flags"],
                "reached": shown["reached"],
                "taken_back": False,
            }
            for step, shown in zip(story["steps"], view["steps"], strict=True)
        ],
    }
