"""A film's entry on the shelf, one JSON file beside it: its name, and a person's checked answers about it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.files import folders, typed_numbers
from calibration.files.storage import keep_text
from desk.card_games import CARD_GAMES
from desk.films.film import MOST_PLAYERS, Seats
from desk.films.judgement import FilmHints
from desk.log.clocks import name_stamp
from desk.panel.films.port import FilmRefusedError
from recitation.reading.card_set import CardSetError, parse_cards
from referee.cards.poems import POEMS
from referee.karuta.house_rules import PRESETS as KARUTA
from referee.sentence import Sentence

FILE = "film.json"
_FILM = re.compile(r"film(\.\w+)?")


def read_entry(folder: Path) -> dict[str, Any] | None:
    """Return a film's entry, None without one.

    It has `name`, `size`, `file`, `added_wall`, `told`, `kept_as`, and where the film was kept as a match
    `kept`, every such match, and `kept_before`, that of an earlier judgement.
    """
    try:
        entry: dict[str, Any] = json.loads((folder / FILE).read_text("utf-8"))
        known = {"name", "size", "file", "added_wall", "told", "kept_as"} <= entry.keys()
        known = known and _FILM.fullmatch(entry["file"]) is not None
    except (OSError, ValueError, AttributeError, TypeError):
        return None
    return entry if known else None


def free_id(shelf: Path, wall: str) -> str:
    stamp = name_stamp(wall)
    number, film_id = 1, f"film_{stamp}"
    while (shelf / film_id).exists():
        number, film_id = number + 1, f"film_{stamp}_{number}"
    return film_id


def new_entry(name: str, size: int, file: str, wall: str) -> dict[str, Any]:
    return {"name": name, "size": size, "file": file, "added_wall": wall, "told": {}, "kept_as": None}


def keep_entry(folder: Path, entry: Mapping[str, Any]) -> None:
    """Write a film's entry, whole or not at all.

    Raises FilmRefusedError if the disk is full or cannot be written.
    """
    try:
        keep_text(folder / FILE, json.dumps(entry, ensure_ascii=False))
    except OSError as error:
        raise FilmRefusedError("not_kept") from error


def what_is_cut(folder: Path, entry: Mapping[str, Any]) -> Sentence:
    """Return what to tell of a film that is shorter than it arrived; empty if it is whole."""
    film = folder / entry["file"]
    if not film.is_file() or (there := film.stat().st_size) >= entry["size"]:
        return Sentence()
    return Sentence(
        "the disk has only {there} of this film's {size} bytes: hand it in once more",
        size=entry["size"],
        there=there,
    )


def find_lost(shelf: Path, wall: str) -> None:
    """Give an entry to every film that arrived while the desk was ended, before it had one."""
    for folder in folders.listed(shelf, "film_*"):
        if folder.is_dir() and read_entry(folder) is None:
            for film in folders.listed(folder, "film.*"):
                if film.name != FILE:
                    keep_entry(folder, new_entry(film.name, film.stat().st_size, film.name, wall))


def rule_names() -> dict[str, tuple[str, ...]]:
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
