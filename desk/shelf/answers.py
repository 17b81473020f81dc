"""A person's answers about a film on its page, checked and stored as JSON: game, deck, poems, seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibration.files import typed_numbers
from desk.card_games import CARD_GAMES
from desk.films.film import MOST_PLAYERS, Seats
from desk.films.judgement import FilmHints
from desk.panel.films.port import FilmRefusedError
from recitation.reading.card_set import CardSetError, parse_cards
from referee.cards.poems import POEMS
from referee.karuta.house_rules import PRESETS as KARUTA


def rule_names() -> dict[str, tuple[str, ...]]:
    """Return the names of the house rules of each game."""
    tables = {name: tuple(game.presets.names) for name, game in CARD_GAMES.items()}
    return {"karuta": tuple(KARUTA.names), **tables}


def checked(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked answers without empty ones; seat 0 is not empty.

    Raises FilmRefusedError if an answer is wrong.
    """
    said = {key: value for key, value in told.items() if value or value == 0}
    for key in said.keys() & {"poems", "order"}:
        if isinstance(said[key], str):
            said[key] = _poems(said[key])
    if "unread" in said:
        try:
            parse_cards(said["unread"])
        except CardSetError as error:
            raise FilmRefusedError("cards_unclear") from error
    seats = _seats(said)
    if seats.dealer is not None and seats.dealer >= (seats.players or MOST_PLAYERS):
        raise FilmRefusedError("no_such_seat", n=seats.players or MOST_PLAYERS)
    rules = rule_names()
    if said.get("game", "karuta") not in rules:
        raise FilmRefusedError("other_rules")
    known = rules.get(said.get("game", ""), tuple(name for names in rules.values() for name in names))
    if "rules" in said and said["rules"] not in known:
        raise FilmRefusedError("other_rules")
    return said


def told_of(said: Mapping[str, Any]) -> FilmHints:
    """Return the answers about a film in the form for its judge."""
    return FilmHints(
        said.get("game"),
        said.get("fps"),
        said.get("deck"),
        tuple(said.get("poems", ())),
        tuple(said.get("order", ())),
        parse_cards(said["unread"]) if "unread" in said else frozenset(POEMS),
        _seats(said),
    )


def _seats(said: Mapping[str, Any]) -> Seats:
    return Seats(said.get("players"), said.get("dealer"))


def _poems(text: str) -> list[int]:
    """Return the numbers of poems from typed text, in order."""
    try:
        poems = [typed_numbers.whole(item) for item in typed_numbers.items(text)]
    except ValueError:
        poems = []
    if not poems or not all(1 <= poem <= 100 for poem in poems):
        raise FilmRefusedError("poems_unclear")
    return poems
