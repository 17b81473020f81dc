"""Which game a film shows: karuta lies on the tatami, a card table has its markers in the corners."""

from __future__ import annotations

from typing import Final, Literal

from calibration.failure import FailedEstimation
from desk.errors import DeskError
from desk.films.film import Ask, Film, OpenQuestionError
from desk.machine.decks import decks_of, open_deck
from vision.field.layout_reader import read_layout
from vision.plane.table_plane import MARKER_PLACES, find_markers
from vision.sources.source import SourceError

Game = Literal["karuta", "koikoi", "kendo"]

_OF_DECKS: Final[dict[str, Game]] = {"karuta": "karuta", "hanafuda": "koikoi", "kendo": "kendo"}


def game_of(film: Film, deck: str | None = None) -> Game:
    """Return the game that a film shows.

    Parameters
    ----------
    film : the film.
    deck : the deck in play, where a person named it.

    Raises
    ------
    OpenQuestionError
        Where neither the film nor the deck tells.
    """
    if deck is not None:
        return _OF_DECKS[open_deck(deck, tells=False).game]
    looks = "there is no picture in it"
    # a field that hands hide is seen later; a minute of another thing is another thing
    every_ns, most_ns = 500_000_000, 60_000_000_000
    next_ns: int | None = None
    try:
        for frame in film.pictures():
            if next_ns is not None and frame.t_ns < next_ns:
                continue
            if frame.t_ns > most_ns:
                break
            next_ns = frame.t_ns + every_ns
            markers = find_markers(frame.gray, thoroughly=False)
            if len(markers.keys() & set(range(len(MARKER_PLACES)))) >= len(MARKER_PLACES) - 1:
                return _game_of_table(film)
            found = read_layout([frame.gray])
            if isinstance(found, FailedEstimation):
                looks = found.reason
            elif found.layout.is_read:
                return "karuta"
            else:
                looks = f"{len(found.layout)} outlines of a card's shape, and not one could be read"
    except SourceError as error:
        raise DeskError(str(error)) from error
    raise OpenQuestionError(
        f"neither karuta cards nor the markers of a card table were found in {film.path} ({looks}): the "
        "whole field must be in view, sharp, from above, the near player at the bottom edge; where it is, "
        "name the game",
        Ask.GAME,
    )


def deck_of_table(film: Film, game: Game, deck: str | None) -> str:
    """Return the deck on a card table: the one that was named, or the only one of its game.

    Raises
    ------
    OpenQuestionError
        Where it is not known.
    """
    if deck is not None:
        return deck
    known = decks_of("hanafuda" if game == "koikoi" else game)
    if len(known) == 1:
        return known[0]
    raise OpenQuestionError(
        f"{film.path} shows a table of {game}, and nobody knows with which deck: name it ({_listed(known)})",
        Ask.DECK,
    )


def _game_of_table(film: Film) -> Game:
    known = {name: _OF_DECKS[game] for game in ("hanafuda", "kendo") for name in decks_of(game)}
    games = set(known.values())
    if len(games) == 1:
        return games.pop()
    raise OpenQuestionError(
        f"{film.path} shows a card table, and nobody knows which game: name its deck ({_listed(known)})",
        Ask.DECK,
    )


def _listed(names: object) -> str:
    known = ", ".join(names) if isinstance(names, list | dict) else ""
    return f"enrolled: {known}" if known else "none is enrolled yet: shinpan enrol"
