"""The interrupted games of a card table: those of the latest logs that are not over and can go on."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from calibration.files import folders
from desk.errors import DeskError
from desk.log.damaged_log import LeftOut
from desk.log.database import file_version
from desk.log.event_log import EventLog
from desk.panel.home.port import InterruptedGame
from desk.tables.card_game import CardGame
from desk.tables.log_follower import Following
from desk.tables.person import same_name

_LATEST: Final = 12  # number of logs that are looked at: a game goes on in the same evening, or on the next


def interrupted_games(game: CardGame[Any], folder: Path) -> list[InterruptedGame]:
    """Return the interrupted games of a folder, the latest first. It reads logs and may take seconds."""
    paths = sorted(folders.listed(folder, f"{game.name}_*.sqlite"), reverse=True)[:_LATEST]
    found = (_interrupted(game, path, file_version(path)) for path in paths)
    return [each for each in found if each is not None]


@lru_cache(maxsize=64)
def _interrupted(game: CardGame[Any], path: Path, _version: object) -> InterruptedGame | None:
    try:
        with EventLog.read(path) as log:
            entries = list(LeftOut(log).readable(game.desk.codec))
        played = Following(game.desk.read, [(entry.seq, event) for entry, event in entries]).game
    except (DeskError, ValueError):
        return None  # what cannot be read cannot go on; the evening tells why
    opened = played.opened
    if played.is_over or opened.source != "camera":
        return None
    return {
        "id": path.stem,
        "started": entries[0][0].wall,
        "left": entries[-1][0].wall,
        "names": [same_name(name) for name in (*opened.names, *[None] * played.players)][: played.players],
        "players": played.players,
        "deck": opened.deck,
    }
