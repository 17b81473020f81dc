"""A film's entry on the shelf, as one JSON file beside it: what it is called, and what was said of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.files import folders
from calibration.files.storage import keep_text
from desk.log.clocks import name_stamp
from desk.panel.films.port import FilmRefusedError
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
    """Return the entry of a film of which nothing was said yet."""
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
