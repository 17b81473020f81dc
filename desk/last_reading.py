"""The order that was read last is kept, so that a game can be looked back on in the same order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from desk.config import data_folder
from desk.errors import DeskError


def last_reading_path() -> Path:
    """Return the file of the last order, which need not exist yet."""
    return data_folder() / "last-reading.json"


def keep_order(path: Path, order: Sequence[int]) -> None:
    """Keep the order of a reading that begins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps({"order": list(order)}) + "\n", "utf-8")
    unfinished.replace(path)


def last_order(path: Path) -> tuple[int, ...]:
    """Return the order of the last reading.

    Raises
    ------
    DeskError
        Where nothing was read yet, or the file is damaged.
    """
    if not path.exists():
        raise DeskError("nothing was read on this machine yet: leave out --again")
    try:
        return tuple(int(number) for number in json.loads(path.read_text("utf-8"))["order"])
    except (ValueError, TypeError, KeyError) as error:
        raise DeskError(f"{path} does not hold an order ({error}); leave out --again") from error
