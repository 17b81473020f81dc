"""The game on a film's card table, in the words of its own page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from desk.card_games import CARD_GAMES
from desk.panel.films.port import TableOfFilm
from desk.panel.films.view import told_text
from desk.panel.table.names import seat_name
from desk.panel.words import SOURCE_LANGUAGE, Words, words
from desk.shelf.verdicts import Verdicts


def table_of(verdicts: Verdicts, said: Words) -> TableOfFilm | None:
    """Return the game on a card table in one language, None if no table was judged."""
    judged = verdicts.judged
    if not judged or verdicts.game not in CARD_GAMES:
        return None
    page = CARD_GAMES[verdicts.game].film_page(judged, verdicts.stories, said)
    for number, step in zip(count(1), _steps(page["parts"]), strict=False):
        step |= {"number": number, "t": f"{step['t_ms'] / 1e3:.1f}"}
    dealer = judged.get("dealer_assumed") if judged.get("rounds") else None
    assumed = ""
    if dealer is not None:
        player = seat_name(dealer, None, said)
        assumed = said(
            "Nobody said who dealt first: {player} played first and is taken for the dealer.", player=player
        )
    is_certain = judged.get("certain", True)
    return {
        **page,
        "doubt": "" if is_certain else said("Not certain: a part was not seen or not understood."),
        "dealer": assumed,
        "hint": told_text(verdicts.hint.to_json(), said),
    }


def instants_ms(verdicts: Verdicts) -> list[float] | None:
    """Return the instant of each step of a card table in the order of their numbers, None without one."""
    table = table_of(verdicts, words(SOURCE_LANGUAGE))
    return None if table is None else [step["t_ms"] for step in _steps(table["parts"])]


def doubted(verdicts: Verdicts) -> int:
    """Return the number of uncertain rounds or bouts."""
    uncertain = sum(not played.get("certain", True) for played in verdicts.judged.get("rounds", ()))
    return uncertain or int(not verdicts.judged.get("certain", True))


def flagged(verdicts: Verdicts) -> int:
    """Return the number of flags on a card table."""
    table = table_of(verdicts, words(SOURCE_LANGUAGE))
    parts = [] if table is None else table["parts"]
    return sum(len(step["flags"]) for step in _steps(parts)) + sum(len(part["late"]) for part in parts)


def _steps(parts: Any) -> Iterator[dict[str, Any]]:
    return (step for part in parts for step in part["steps"])
