"""The file of the latest reading order, so that players can review a game in the same order."""

from __future__ import annotations

from collections.abc import Sequence
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


def last_reading_path() -> Path:
    """Return the file of the last order, which need not exist yet."""
    return data_folder() / "last-reading.json"


def keep_order(path: Path, order: Sequence[int]) -> None:
    """Store the order of a reading that begins."""
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
