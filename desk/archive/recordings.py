"""The recordings of an archive, and the keys that identify their results."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from calibration.files.folders import is_own
from desk.errors import DeskError
from desk.machine.camera_records import record_of
from desk.machine.decks import deck_path, is_name
from vision.recordings.recording import HEAD

_ROOMS: Final = (
    "calibration", "recitation", "referee", "vision",
    "desk.films", "desk.karuta", "desk.kendo", "desk.koikoi", "desk.tables",
)  # fmt: skip
"""The parts of the program that a ruling can depend on."""
_PIECE_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class HouseRules:
    """How recordings are judged; the same options as of `shinpan judge`."""

    rules: str | None = None  # a preset or a TOML file; None for the rules that each recording names
    deck: str | None = None
    filmed_by: str | None = None  # name of the camera whose hall they show; see `known_of`


@dataclass(frozen=True, slots=True)
class Recording:
    """One recording of an archive."""

    folder: Path
    name: str  # its unique name: the path below the given folder, or that folder's own name
    size: int  # bytes of all its files, as a measure of work


def holds_many(path: Path) -> bool:
    """Tell whether a folder is no recording but contains recordings."""
    return path.is_dir() and not (path / HEAD).is_file() and any(_heads(path))


def recordings_in(folders: Sequence[Path]) -> list[Recording]:
    """Return the recordings in some folders, at any depth, each once, in the order of their names.

    Raises DeskError if one of them is no folder or holds none.
    """
    found: dict[Path, Recording] = {}
    names: set[str] = set()
    for folder in folders:
        if folder.is_file():
            raise DeskError(
                "{folder} is a film; several recordings at once are folders, a film is judged alone",
                folder=folder,
            )
        heads = [folder / HEAD] if (folder / HEAD).is_file() else sorted(_heads(folder))
        if not heads:
            raise DeskError(
                "{folder}: expected a recording or a folder of recordings, found no {head} in it",
                folder=folder,
                head=HEAD,
            )
        for head in heads:
            place = head.parent
            name = place.relative_to(folder).as_posix() if place != folder else place.resolve().name
            if name in names:
                name = f"{folder.resolve().name}/{name}"
            if place.resolve() not in found:
                size = sum(path.stat().st_size for path in _files(place))
                name = str(place.resolve()) if name in names else name
                names.add(name)
                found[place.resolve()] = Recording(place, name, size)
    return list(found.values())


def key_of(recording: Path, house: HouseRules) -> str:
    """Return the key of a recording's result; it changes with any file, the rules, the deck, or the program.

    Raises OSError if a file cannot be read.
    """
    digest = hashlib.sha256(program_digest().encode())
    for path in _files(recording):
        digest.update(f"\n{path.relative_to(recording).as_posix()} {path.stat().st_size}\n".encode())
        _feed(digest, path)
    for said in (house.rules, house.deck):
        digest.update(f"\n{said}\n".encode())
        for path in _named_files(said):
            _feed(digest, path)
    if house.filmed_by is not None:
        digest.update(repr(record_of(house.filmed_by).get("hall")).encode())
    return digest.hexdigest()


@cache
def program_digest() -> str:
    """Return the digest of the judging code and its weights."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        root = Path(str(files(room)))
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{room}/{path.relative_to(root).as_posix()}\n".encode())
                _feed(digest, path)
    return digest.hexdigest()


def _named_files(said: str | None) -> Iterable[Path]:
    """Return the file that `said` names, if the rules or the deck are given by a file."""
    if said is None:
        return ()
    enrolled = deck_path(said) if is_name(said) else Path(said)
    return [path for path in (Path(said), enrolled) if path.is_file()][:1]


def _heads(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob(HEAD) if is_own(path.relative_to(folder)))


def _files(recording: Path) -> list[Path]:
    return sorted(
        path for path in recording.rglob("*") if path.is_file() and is_own(path.relative_to(recording))
    )


def _feed(digest: hashlib._Hash, path: Path) -> None:
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE_BYTES):
            digest.update(piece)
