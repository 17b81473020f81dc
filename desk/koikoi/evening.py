"""An evening of Koi-Koi: all games of one day and night, and the totals of each player by name."""

import os
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from calibration.files import folders
from desk.errors import DeskError
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import KOIKOI_CODEC, GameOpened
from desk.koikoi.page.state import shown_game
from desk.log.clocks import instant_of
from desk.log.damaged_log import LeftOut
from desk.log.database import file_version
from desk.log.event_log import EventLog
from desk.panel.home.port import EveningGame, EveningPlayer, EveningShown
from desk.tables.log_follower import Following
from desk.tables.person import same_name
from referee.complaint import sentence_of
from referee.sentence import Sentence

_NIGHT: Final = timedelta(hours=5)
"""A game that begins before five in the morning belongs to the evening before."""
_MOST_GAMES: Final = 64


class Evenings:
    """The games of the logs in a folder. `folder`: the logs; each is read again only when it has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read = lru_cache(maxsize=_MOST_GAMES)(lambda path, _version: _game(path))
        self._starts: dict[Path, str] = {}

    def evening(self, day: str | None) -> EveningShown:
        """Return an evening by its date such as `2026-01-04`, the latest by default.

        Logs without a day are left out, and what cannot be read in the others is told.
        Simulated games are listed but do not count. A game that several files
        hold is listed once, by the file with the most events; the others are named.
        """
        paths = [path for path in folders.listed(self._folder, "koikoi_*.sqlite") if self._start(path)]
        days = sorted({_evening_of(self._start(path)) for path in paths}, reverse=True)
        chosen = day if day in days else days[0] if days else None
        of_day = [path for path in paths if _evening_of(self._start(path)) == chosen]
        read = {path.name: self._read(path, file_version(path)) for path in of_day}
        found = [kept for kept in read.values() if isinstance(kept, _Kept)]
        once: dict[tuple[str, str], _Kept] = {}
        # the file with the most events, and of equal ones that with the game's own name
        for kept in sorted(found, key=lambda of: (-of.events, of.file != f"{of.id}.sqlite", of.file)):
            once.setdefault((kept.id, kept.game["started"]), kept)
        games = sorted((kept.game for kept in once.values()), key=lambda game: instant_of(game["started"]))
        return {
            "day": chosen,
            "days": days,
            "games": games,
            "players": _players(games),
            "doubles": sorted({kept.file for kept in found} - {kept.file for kept in once.values()}),
            "problems": [
                problem
                for kept in read.values()
                for problem in (kept.problems if isinstance(kept, _Kept) else [kept])
            ],
        }

    def _start(self, path: Path) -> str:
        if path not in self._starts and (start := _begun(path)):
            self._starts[path] = start
        return self._starts.get(path, "")


def _begun(path: Path) -> str:
    """Return the wall time at which a log begins, empty if it cannot be read."""
    try:
        with EventLog.read(path) as log:
            wall = next((entry.wall for entry in log.entries()), "")
        _evening_of(wall)
    except (DeskError, ValueError, OverflowError):
        return ""
    return wall


def _evening_of(wall: str) -> str:
    return (datetime.fromisoformat(wall) - _NIGHT).date().isoformat()


class _Kept(NamedTuple):
    """A game in a file: its id, the number of its events, what the evening shows of it and lacks of it."""

    file: str
    id: str
    events: int
    game: EveningGame
    problems: list[Sentence]


def _game(path: Path) -> _Kept | Sentence:
    try:
        with EventLog.read(path) as log:
            left_out = LeftOut(log)
            entries = list(left_out.readable(KOIKOI_CODEC))
        history = [(entry.seq, event) for entry, event in entries]
        game = shown_game(Following(KoiKoiDesk.read, history).game, log.last_seq)
    except (DeskError, ValueError) as error:
        return sentence_of(error).replacing(f"{path.parent}{os.sep}", "")
    opened = history[0][1]
    assert isinstance(opened, GameOpened), "no game is read without one"
    finished = [each for each in game["rounds"] if each["end"] is not None]
    seats = range(game["players"])
    shown: EveningGame = {
        "goes_on": path.stem if game["source"] == "camera" and not game["over"] else None,
        "started": entries[0][0].wall,
        "names": [same_name(seat["name"]) for seat in game["seats"]],
        "totals": [seat["total"] for seat in game["seats"]],
        "months": len(finished),
        "months_in_game": game["rounds_in_game"],
        "months_won": [sum(each["winner"] == seat for each in finished) for seat in seats],
        "calls": [sum(each["calls"][seat] for each in finished) for seat in seats],
        "best": [max((each["points"][seat] for each in finished), default=0) for seat in seats],
        "winners": game["ranking"][0] if game["ranking"] else [],
        "counts": game["source"] != "simulator",
    }
    return _Kept(path.name, opened.id, len(entries), shown, left_out.problems)


def _players(games: Iterable[EveningGame]) -> list[EveningPlayer]:
    """Return the totals of every name, the most points first; a name on two seats has one game."""
    found: dict[str, EveningPlayer] = {}
    for game in games:
        if not game["counts"]:
            continue
        for name in sorted({name for name in game["names"] if name is not None}):
            seats = [seat for seat, each in enumerate(game["names"]) if each == name]
            none = EveningPlayer(name=name, games=0, games_won=0, months_won=0, points=0, calls=0, best=0)
            player = found.setdefault(name, none)
            player["games"] += 1
            player["games_won"] += any(seat in game["winners"] for seat in seats)
            player["months_won"] += sum(game["months_won"][seat] for seat in seats)
            player["points"] += sum(game["totals"][seat] for seat in seats)
            player["calls"] += sum(game["calls"][seat] for seat in seats)
            player["best"] = max(player["best"], *(game["best"][seat] for seat in seats))
    return sorted(found.values(), key=lambda player: (-player["points"], player["name"]))
