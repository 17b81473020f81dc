"""The named sets of cards of this machine, and the order of its latest reading.

The order is kept so that players can review a game in the same one.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.files import json_text
from calibration.files.storage import keep_text
from calibration.files.text import read_text
from desk.errors import DeskError
from desk.machine.config import data_folder
from referee.cards.poems import POEMS
from referee.complaint import sentence_of
from referee.sentence import Sentence

_LONGEST_NAME = 40


def sets_path() -> Path:
    return data_folder() / "card-sets.json"


def read_sets(path: Path) -> dict[str, frozenset[int]]:
    """Return the named sets; empty if there are none yet, DeskError if the file is damaged."""
    if not path.exists():
        return {}
    try:
        kept = json_text.parse(read_text(path))
        return {str(name): _poems(numbers) for name, numbers in kept.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise DeskError(
            "{path} does not hold card sets ({error}); correct or delete it",
            path=path,
            error=sentence_of(error),
        ) from error


def _poems(numbers: Iterable[object]) -> frozenset[int]:
    poems = frozenset(POEMS)
    chosen = frozenset(number for number in numbers if isinstance(number, int) and number in poems)
    if len(chosen) != len(list(numbers)):
        raise ValueError(Sentence("expected poems 1..100, got {numbers!r}", numbers=numbers))
    return chosen


def write_sets(path: Path, named: Mapping[str, frozenset[int]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {name: sorted(numbers) for name, numbers in sorted(named.items())}
    keep_text(path, json_text.dump(content, indent=1) + "\n")


def check_name(name: str) -> None:
    """Raise DeskError if a set cannot have this name."""
    if possible_name(name) != name:
        raise DeskError(
            "a set's name has 1 to {longest_name} letters without commas and spaces, got {name!r}",
            longest_name=_LONGEST_NAME,
            name=name,
        )


def possible_name(name: str, taken: Collection[str] = ()) -> str:
    """Return a name that a set can have and that is not taken: `_` for commas and spaces, not too long."""
    plain = re.sub(r"[,\u3001\s]+", "_", name.strip())[:_LONGEST_NAME] or "_"
    chosen, number = plain, 2
    while chosen in taken:
        ending = f"_{number}"
        chosen, number = plain[: _LONGEST_NAME - len(ending)] + ending, number + 1
    return chosen


def last_reading_path() -> Path:
    return data_folder() / "last-reading.json"


def keep_order(path: Path, order: Sequence[int]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    keep_text(path, json_text.dump({"order": list(order)}) + "\n")


def last_order(path: Path) -> tuple[int, ...]:
    """Return the order of the last reading; DeskError if nothing was read yet, or the file is damaged."""
    if not path.exists():
        raise DeskError("nothing has been read on this machine yet: leave out --again")
    try:
        return _checked(json_text.parse(read_text(path))["order"])
    except (ValueError, TypeError, KeyError) as error:
        raise DeskError(
            "{path} does not hold an order ({why}); leave out --again", path=path, why=sentence_of(error)
        ) from error


def _checked(order: Any) -> tuple[int, ...]:
    poems = tuple(poem for poem in order if type(poem) is int and poem in POEMS)
    if not poems or len(set(poems)) < len(order):
        raise ValueError(Sentence("expected poems 1..100, each once"))
    return poems
