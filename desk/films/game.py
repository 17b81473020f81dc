"""The game that a film shows, and what a film of a card table does not show: its deck, zones and seats."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from calibration.failure import FailedEstimation
from calibration.files.text import read_text
from desk.card_games import CARD_GAMES
from desk.errors import DeskError
from desk.films.film import Ask, Film, OpenQuestionError, Seats
from desk.machine.decks import deck_path, decks_of, is_name, open_deck
from desk.tables.card_game import CardGame
from desk.tables.drawn_table import kept_table
from desk.tables.recording import read_zones
from referee.sentence import Sentence
from vision.field.layout_reader import read_layout
from vision.field.wrong_view import Wrong, WrongView, held_rightly
from vision.frames.frame import Gray
from vision.plane.table_plane import MARKER_PLACES, Points, find_markers, size_of
from vision.sources.source import SourceError

_TURN: Final = {
    Wrong.MIRRORED: Sentence("let the phone's gallery mirror this film once more"),
    Wrong.SIDEWAYS: Sentence("let the phone's gallery turn this film"),
}


def game_of(film: Film, deck: str | None = None) -> str:
    """Return the game that a film shows; `deck`: the deck in play, if a person named it.

    Raises OpenQuestionError if neither the film nor the deck shows it.
    """
    if deck is not None:
        cards = open_deck(deck, tells=False).game
        return next((name for name, game in CARD_GAMES.items() if game.cards == cards), cards)
    looks, unread = "", None
    with DeskError.wrapping("", SourceError):
        for gray in _glances(film):
            if (markers := _markers(gray)) is not None:
                return _game_of_table(film, markers)
            found = read_layout([gray])
            if isinstance(found, FailedEstimation):
                looks = found.reason
            elif found.layout.is_read:
                return "karuta"
            else:
                unread = found, gray
                looks = Sentence(
                    "{n} outlines of a card's shape, and not one could be read", n=len(found.layout)
                )
    if not looks:
        raise DeskError(
            "the pictures of {film} are damaged: copy the film anew from the camera", film=film.path
        )
    if unread is not None and isinstance(held := held_rightly(unread[0], [unread[1]]), WrongView):
        raise DeskError(
            "{film} cannot be judged: {reason}; {hint}, or {otherwise}",
            film=film.path,
            reason=held.reason,
            hint=held.hint,
            otherwise=_TURN[held.wrong],
        )
    raise OpenQuestionError(
        Sentence(
            "neither karuta cards nor the markers of a card table were found in {film} ({looks}): the whole "
            "field must be in view, sharp, from above, the near player at the bottom edge; where it is, name "
            "the game",
            film=film.path,
            looks=looks,
        ),
        Ask.GAME,
    )


def seats_of(film: Film, game: CardGame[Any], seats: Seats) -> Seats:
    """Return the seats at a card table in a film: as a person says, or as its printed table has.

    Raises OpenQuestionError if neither is known.
    """
    if seats.players is not None or len(game.players) == 1:
        return seats
    with DeskError.wrapping("", SourceError):
        markers = next(filter(None, map(_markers, _glances(film))), None)
    sizes_mm = {players: game.printed(players).size_mm for players in game.players}
    size_mm = None if markers is None else size_of(markers, tuple(dict.fromkeys(sizes_mm.values())))
    if size_mm is not None and size_mm != sizes_mm[2]:
        raise OpenQuestionError(
            Sentence(
                "the table in {film} is the one for three or four players: say how many play", film=film.path
            ),
            Ask.PLAYERS,
        )
    return replace(seats, players=2)


def deck_of_table(film: Film, game: CardGame[Any], deck: str | None) -> str:
    """Return the deck on a card table: the named one, or the only one of its game.

    Raises OpenQuestionError if there is not exactly one.
    """
    if deck is not None:
        return deck
    known = decks_of(game.cards)
    if len(known) == 1:
        return known[0]
    raise OpenQuestionError(
        Sentence(
            "{film} shows a table of {game}, and nobody knows with which deck: name it ({known})",
            film=film.path,
            game=Sentence(game.title),
            known=_listed(known),
        ),
        Ask.DECK,
    )


def _glances(film: Film) -> Iterator[Gray]:
    """Yield a picture every half second of a film's first minute.

    Hands may hide the field for a while, but not for a minute.
    """
    every_ns, most_ns = 500_000_000, 60_000_000_000
    next_ns: int | None = None
    for frame in film.pictures():
        if next_ns is not None and frame.t_ns < next_ns:
            continue
        if frame.t_ns > film.begins_ns + most_ns:
            break
        next_ns = frame.t_ns + every_ns
        yield frame.gray


def _markers(gray: Gray) -> dict[int, Points] | None:
    """Return the markers of a card table, None if fewer than three of them are seen."""
    markers = find_markers(gray, thoroughly=False)
    return markers if len(markers) >= len(MARKER_PLACES) - 1 else None


def _game_of_table(film: Film, markers: dict[int, Points]) -> str:
    printed: dict[tuple[float, float], str] = {}
    for game in CARD_GAMES.values():
        for players in game.players:
            printed.setdefault(game.printed(players).size_mm, game.name)
    size_mm = size_of(markers, tuple(printed))
    if size_mm is not None:
        return printed[size_mm]
    known: dict[str, str] = {}
    for game in CARD_GAMES.values():
        for deck in decks_of(game.cards):
            known.setdefault(deck, game.name)
    games = set(known.values())
    if len(games) == 1:
        return games.pop()
    raise OpenQuestionError(
        Sentence(
            "{film} shows a card table, and nobody knows which game: name its deck ({known})",
            film=film.path,
            known=_listed(list(known)),
        ),
        Ask.DECK,
    )


def _listed(names: Sequence[str]) -> Sentence:
    if names:
        return Sentence("enrolled: {names}", names=", ".join(names))
    return Sentence("none is enrolled yet: shinpan enrol")


def is_path(named: str) -> bool:
    """Tell whether a deck or ruleset is given by its path, not by the name of an enrolled deck or preset."""
    return Path(named).exists() and not (is_name(named) and deck_path(named).is_file())


def head_of(game: CardGame[Any], seats: Seats, rules: str | None) -> str:
    played = f"players = {seats.players or 2}\n" if len(game.players) > 1 else ""
    if game.has_dealer and seats.dealer is not None:
        played += f"dealer = {seats.dealer}\n"
    return played if rules is None else f"{played}rules = {_inside(rules)}\n"


def sections_of(game: CardGame[Any], deck: str, seats: Seats) -> str:
    """Return the sections of `recording.toml` for the deck and the printed or, on the panel, drawn table.

    Raises DeskError if the drawn table cannot be read.
    """
    players = seats.players or 2
    zones = game.printed(players).to_toml()
    kept = kept_table(game.name, players)
    if kept.is_file():
        read_zones(kept)
        zones = read_text(kept)
    return f"\n[deck]\nenrol = {_inside(deck)}\n\n{zones}"


def _inside(named: str) -> str:
    """Return the name of a deck or ruleset in a recording: its file name in the folder, or its own name."""
    return json.dumps(Path(named).name if is_path(named) else named, ensure_ascii=False)
