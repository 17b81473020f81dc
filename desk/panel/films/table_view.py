"""The game on a film's card table, in one language: rounds and steps with their flags."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from desk.panel.films.port import RoundOfFilm, TableOfFilm
from desk.panel.films.sentence import told_text
from desk.panel.kendo import view as kendo
from desk.panel.koikoi.story_view import flag_view, story_view
from desk.panel.match.port import Caption
from desk.panel.table.names import seat_name
from desk.panel.words import SOURCE_LANGUAGE, Words, words


def table_view(table: TableOfFilm, said: Words) -> dict[str, Any]:
    """Return a film's card table: the result, and the rounds with their numbered steps."""
    numbers = count(1)
    if table["rounds"] or table["totals"]:
        names = [seat_name(seat, None, said) for seat in range(len(table["totals"]))]
        points = " · ".join(f"{name}: {total}" for name, total in zip(names, table["totals"], strict=True))
        parts = [_round(each, names, numbers, said) for each in table["rounds"]]
        sentence = said("Points: {points}", points=points)
    else:
        parts, sentence = [_bout(table, numbers, said)], _score(table, said)
    doubt = "" if table["is_certain"] else said("Not certain: a part was not seen or not understood.")
    dealer, assumed = table["dealer_assumed"], ""
    if dealer is not None:
        player = seat_name(dealer, None, said)
        assumed = said(
            "Nobody said who dealt first: {player} played first and is taken for the dealer.", player=player
        )
    return {
        "sentence": sentence,
        "doubt": doubt,
        "dealer": assumed,
        "hint": told_text(table["hint"], said),
        "parts": parts,
    }


def step_caption(table: TableOfFilm, number: int, said: Words) -> Caption | None:
    """Return the caption of a step's clip, None if there is no such step."""
    view = table_view(table, said)
    for part in view["parts"]:
        for step in part["steps"]:
            if step["number"] == number:
                flags = [f"{flag['what']}: {flag['text']}" for flag in step["flags"]]
                reached = [f"{yaku['kanji']} {yaku['meaning']}".strip() for yaku in step["reached"]]
                lines = [line for line in (part["title"], step["text"], *reached, *flags) if line]
                is_source = said.language == SOURCE_LANGUAGE
                return Caption(
                    lines, plain=None if is_source else step_caption(table, number, words(SOURCE_LANGUAGE))
                )
    return None


def _round(played: RoundOfFilm, names: list[str], numbers: Iterator[int], said: Words) -> dict[str, Any]:
    story = played["story"]
    if story is None:
        t = f"{(played['lost_ms'] or 0) / 1e3:.1f}"
        title = said("A round at {t} s was not understood, for its deal was not.", t=t)
        return {"title": title, "more": "", "doubt": "", "late": [], "steps": []}
    view = story_view(story, names, said)
    steps = [
        {**_step(number, told["t_ms"], step["text"], step["flags"]), "reached": step["reached"]}
        for number, told, step in zip(numbers, story["steps"], view["steps"], strict=False)
    ]
    ended = f"{view['ending']} · {view['formula']}" if view["formula"] else view["ending"]
    return {
        "title": said("Round {n}", n=view["number"]),
        "more": f"{said('{player} dealt', player=view['dealer'])} · {ended}",
        "doubt": "" if played["is_certain"] else said("Not certain: a part was not seen or not understood."),
        "late": [flag_view(flag, names, said) for flag in played["late"]],
        "steps": steps,
    }


def _bout(table: TableOfFilm, numbers: Iterator[int], said: Words) -> dict[str, Any]:
    names = [seat_name(seat, None, said) for seat in range(2)]
    flags, notes = defaultdict[int, list[dict[str, Any]]](list), table["notes"]
    for flag in table["flags"]:
        flags[min(flag["event"], len(notes) - 1)].append(kendo.flag_view(flag, names, said))
    steps = [
        _step(number, note["t_ms"], kendo.note_view(note, names, said)["text"], flags[at])
        | {"reached": [], "taken_back": note["taken_back"]}
        for at, (number, note) in enumerate(zip(numbers, notes, strict=False))
    ]
    return {"title": "", "more": "", "doubt": "", "late": flags[-1], "steps": steps}


def _score(table: TableOfFilm, said: Words) -> str:
    names = [seat_name(seat, None, said) for seat in range(2)]
    (own, other), hansoku = table["ippon"], table["hansoku"]
    score = said("IPPON {own} to {other}", own=own, other=other)
    if any(hansoku):
        score = f"{score}, HANSOKU {hansoku[0]} – {hansoku[1]}"
    if table["winner"] is None:
        return said("{score}; the bout is not over", score=score)
    return said("{player} wins: {score}", player=names[table["winner"]], score=score)


def _step(number: int, t_ms: float, text: str, flags: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "number": number,
        "t": f"{t_ms / 1e3:.1f}",
        "text": text,
        "flags": list(flags),
        "taken_back": False,
    }
