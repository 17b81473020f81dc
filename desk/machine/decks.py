"""The enrolled decks of this machine, one file each, opened and stored by name."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration.files.folders import listed
from desk.errors import DeskError
from desk.machine.config import data_folder

if TYPE_CHECKING:
    from calibration.decks.deck import Deck


BUILT_IN: Final = "shinpan"
"""Name of the deck of hanafuda that needs no enrolment, for trials and the simulator."""


def decks_folder() -> Path:
    return data_folder() / "decks"


def deck_path(name: str) -> Path:
    """Return the file of the deck of this name; DeskError if no deck can have the name."""
    from calibration.decks.deck import DeckError, check_name
    from calibration.decks.deck_file import SUFFIX

    with DeskError.wrapping("", DeckError):
        check_name(name)
    return decks_folder() / f"{name}{SUFFIX}"


def open_deck(name: str, *, tells: bool = True) -> Deck:
    """Return an enrolled deck by its name, or any deck by the path of its file or folder.

    The name of an enrolled deck takes precedence over files of that name in the working folder, except over a
    folder that holds a deck itself. If a name is ambiguous and `tells` is true, the person is told which deck
    was taken. `shinpan` is the deck that this program draws itself. Raises DeskError if there is none or it
    is damaged.
    """
    from calibration.decks.deck_file import MANIFEST

    as_path = Path(name)
    enrolled = is_name(name) and deck_path(name).is_file()
    holds_deck = (as_path / MANIFEST).is_file()
    if as_path.is_dir() and (holds_deck or not (enrolled or name == BUILT_IN)):
        if enrolled and tells:
            tell_choice(f"deck {name}: the deck in the folder {as_path} is taken, not the enrolled one")
        return deck_at(as_path)
    if not enrolled and as_path.suffix == ".zip":
        return deck_at(as_path)
    if enrolled and as_path.exists() and tells:
        tell_choice(f"deck {name}: the enrolled deck is taken, not what is called so in this folder")
    path = deck_path(name)
    if name == BUILT_IN and not path.is_file():
        from vision.simulator.art.hanafuda import drawn_deck

        return drawn_deck()
    if not path.is_file():
        known = ", ".join(deck_names()) or "none yet"
        raise DeskError(
            "there is no deck {name!r}; enrolled decks: {known}. Make one: shinpan enrol",
            name=name,
            known=known,
        )
    return deck_at(path)


def is_name(name: str) -> bool:
    """Tell whether an enrolled deck can have this name; a path is no name."""
    try:
        deck_path(name)
    except DeskError:
        return False
    return True


def tell_choice(text: str) -> None:
    """Tell the person at the terminal which of two meanings of a name was taken."""
    sys.stderr.write(f"{text}\n")


def decks_of(game: str) -> list[str]:
    found = []
    for name in deck_names():
        with suppress(DeskError):
            if deck_at(deck_path(name)).game == game:
                found.append(name)
    return found


def keep_deck(deck: Deck, *, replace: bool) -> Path:
    """Store a deck among this user's decks and return its file.

    Raises DeskError if another deck has the name and `replace` is False, or the file cannot be written.
    """
    path = deck_path(deck.name)
    if path.exists() and not replace:
        raise DeskError(
            "there is a deck {name!r} already: choose another --name, or add --replace", name=deck.name
        )
    from calibration.decks.deck_file import save_deck

    with DeskError.wrapping("the deck cannot be kept as {path}: {why}", OSError, path=path):
        path.parent.mkdir(parents=True, exist_ok=True)
        save_deck(deck, path)
    return path


def deck_names() -> list[str]:
    from calibration.decks.deck_file import SUFFIX

    return sorted(path.name.removesuffix(SUFFIX) for path in listed(decks_folder(), f"*{SUFFIX}"))


def deck_at(path: Path) -> Deck:
    """Return the deck in a file or folder; DeskError if there is none or it is damaged."""
    from calibration.decks.deck import DeckError
    from calibration.decks.deck_file import load_deck

    told = DeskError.wrapping("{path} cannot be read: {why}", OSError, path=path)
    with told, DeskError.wrapping("", DeckError):
        return load_deck(path)
