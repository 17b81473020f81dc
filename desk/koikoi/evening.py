"""An evening of Koi-Koi: all games of one day and night, and the totals of each player by name."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final

from calibration.files import folders
from desk.errors import DeskError
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import KOIKOI_CODEC
from desk.koikoi.snapshot import shown_game
from desk.log.database import file_version
from desk.log.event_log import EventLog
from desk.panel.home.port import EveningGame, EveningPlayer, EveningShown
from desk.tables.log_follower import Following

_NIGHT: Final = timedelta(hours=5)
"""A game that begins before five in the morning belongs to the evening before."""
_MOST_GAMES: Final = 64


class Evenings:
    """The games of the logs in a folder.

    Parameters
    ----------
    folder : the logs; each is read again only when it has changed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read = lru_cache(maxsize=_MOST_GAMES)(lambda path, _version: _game(path))
        self._starts: dict[Path, str] = {}

    def evening(self, day: str | None) -> EveningShown:
        """Return an evening by its date such as `2026-01-04`, the latest by default.

        Unreadable logs are left out. Simulated games are listed but do not count.
        """
        paths = [path for path in folders.listed(self._folder, "koikoi_*.sqlite") if self._start(path)]
        days = sorted({_evening_of(self._start(path)) for path in paths}, reverse=True)
        chosen = day if day in days else days[0] if days else None
        of_day = [path for path in paths if _evening_of(self._start(path)) == chosen]
        found = [self._read(path, file_version(path)) for path in of_day]
        games = sorted((game for game in found if game is not None), key=lambda game: game["started"])
        return {"day": chosen, "days": days, "games": games, "players": _players(games)}

    def _start(self, path: Path) -> str:
        """Return the wall time at which a log begins, empty as long as it cannot be read."""
        if path not in self._starts and (start := _begun(path)):
            self._starts[path] = start
        return self._starts.get(path, "")


def _begun(path: Path) -> str:
    """Return the wall time at which a log begins, empty if it cannot be read."""
    try:
        with EventLog.read(path) as log:
            return next((entry.wall for entry in log.entries()), "")
    except DeskError:
        return ""


def _evening_of(wall: str) -> str:
    return (datetime.fromisoformat(wall) - _NIGHT).date().isoformat()


def _game(path: Path) -> EveningGame | None:
    try:
        with EventLog.read(path) as log:
            entries = list(log.entries())
        history = [
            (entry.seq, KOIKOI_CODEC.decode(entry.kind, entry.version, entry.payload)) for entry in entries
        ]
        game = shown_game(Following(KoiKoiDesk.read, history).game, entries[-1].seq)
    except (DeskError, ValueError):
        return None
    finished = [each for each in game["rounds"] if each["end"] is not None]
    seats = range(game["players"])
    return {
        "started": entries[0].wall,
        "names": [seat["name"] for seat in game["seats"]],
        "totals": [seat["total"] for seat in game["seats"]],
        "months": len(finished),
        "months_in_game": game["rounds_in_game"],
        "months_won": [sum(each["winner"] == seat for each in finished) for seat in seats],
        "calls": [sum(each["calls"][seat] for each in finished) for seat in seats],
        "best": [max((each["points"][seat] for each in finished), default=0) for seat in seats],
        "winners": game["ranking"][0] if game["ranking"] else [],
        "counts": game["source"] != "simulator",
    }


def _players(games: Iterable[EveningGame]) -> list[EveningPlayer]:
    """Return the totals of every name, the most points first."""
    found: dict[str, EveningPlayer] = {}
    for game in games:
        for seat, name in enumerate(game["names"]):
            if name is None or not game["counts"]:
                continue
            player = found.setdefault(
                name,
                {
                    "name": name,
                    "games": 0,
                    "games_won": 0,
                    "months_won": 0,
                    "points": 0,
                    "calls": 0,
                    "best": 0,
                },
            )
            player["games"] += 1
            player["games_won"] += seat in game["winners"]
            player["months_won"] += game["months_won"][seat]
            player["points"] += game["totals"][seat]
            player["calls"] += game["calls"][seat]
            player["best"] = max(player["best"], game["best"][seat])
    return sorted(found.values(), key=lambda player: (-player["points"], player["name"]))
