"""The club's book: queries the index and returns figures."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import median
from threading import RLock
from typing import Any

from desk.book.card_choice import Confusion, Record, choose
from desk.book.figures import FaultSeen, MatchSeen, PoemSeen, PracticeSeen, figures_of, poem_seen
from desk.book.index import BookIndex, Progress, Refreshed, same_name
from desk.book.memory import Result, Schedule, Trial, remembered
from desk.book.strength import Ratings
from desk.errors import DeskError
from desk.panel.book.port import CardChosen, CardSet, PlayerFigures, PlayerListed
from desk.practice.events import Outcome
from referee.sides import Side

_SEATS = """
SELECT id, wall, 'near' AS side, near AS player, far AS opponent, winner, in_doubt FROM match
WHERE near IS NOT NULL AND near IS NOT far
UNION ALL
SELECT id, wall, 'far', far, near, winner, in_doubt FROM match WHERE far IS NOT NULL AND near IS NOT far
"""
"""Each named player of each match; if one name plays both sides, it has no opponent and does not count."""
_RANGE = (
    "(:since IS NULL OR substr(wall, 1, 10) >= :since) AND (:until IS NULL OR substr(wall, 1, 10) <= :until)"
)


_MOST_RATINGS = 100
"""Number of days whose ratings are cached: computing a thousand matches takes a tenth of a second."""
_FRESH_S = 1.0
"""Time for which a look at the folder is reused: a page makes several queries."""


@dataclass(slots=True)
class _Standing:
    """The sums of a player in the list."""

    matches: int = 0
    practices: int = 0
    won: int = 0
    takes: int = 0
    last_day: str = ""
    times_ms: list[float] = field(default_factory=list)


class Book:
    """The book of the matches in a folder; see `desk.panel.book.port.BookPort`.

    Every query looks at the folder first, so its result includes a match that was just played. All methods
    may be called from any thread.

    Parameters
    ----------
    folder : folder of the match logs.
    clock : a monotonic clock, seconds.

    Raises
    ------
    DeskError
        As `desk.book.index.BookIndex`, here and from every query.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.folder = folder
        self._clock = clock
        self._index = BookIndex(folder)
        self._lock = RLock()
        self._looked: tuple[float, Refreshed] | None = None
        self._ratings: dict[str | None, Ratings] = {}
        self._records: dict[str | None, Record] = {}
        self._fresh: set[str | None] = set()

    def refresh(self, progress: Progress = lambda _done, _all: None) -> Refreshed:
        """Read the new and changed logs of the folder."""
        with self._lock:
            found = self._index.refresh(progress)
            if self._looked is None or found.read or found.logs != self._looked[1].logs:
                self._ratings.clear()
                self._fresh.clear()
            self._looked = (self._clock(), found)
            for player in sorted(found.players):
                self._record(player)  # now, so that a page does not have to wait for it
            return found

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def problems(self) -> dict[str, str]:
        """Return what is wrong with each log that could not be read, by the name of its file."""
        with self._lock:
            return dict(self._look().problems)

    def unnamed(self) -> int:
        """Return the number of matches that count for nobody: no names, or the same name for both players."""
        rows = self._rows("SELECT COUNT(*) FROM match WHERE (near IS NULL AND far IS NULL) OR near = far")
        return int(rows[0][0])

    def names(self) -> list[str]:
        """Return the names of all known players."""
        rows = self._rows(
            "SELECT near FROM match UNION SELECT far FROM match UNION SELECT player FROM practice"
        )
        return sorted(name for (name,) in rows if name is not None)

    def players(self, since: str | None = None, until: str | None = None) -> list[PlayerListed]:
        """Return the players, those with the most matches first."""
        asked = {"since": since, "until": until}
        found: dict[str, _Standing] = defaultdict(_Standing)
        for player, side, wall, winner in self._rows(
            f"SELECT player, side, wall, winner FROM ({_SEATS}) WHERE {_RANGE}",  # noqa: S608 (constants)
            asked,
        ):
            standing = found[player]
            standing.matches += 1
            standing.won += winner == side
            standing.last_day = max(standing.last_day, wall[:10])
        for player, wall in self._rows(
            f"SELECT player, wall FROM practice WHERE player IS NOT NULL AND {_RANGE}",  # noqa: S608 (constants)
            asked,
        ):
            standing = found[player]
            standing.practices += 1
            standing.last_day = max(standing.last_day, wall[:10])
        for player, reaction_ns in self._rows(
            f"SELECT player, reaction_ns FROM ({_SEATS}) AS seat JOIN poem"  # noqa: S608 (constants)
            f" ON poem.match = seat.id AND poem.taken_by = seat.side WHERE {_RANGE}",
            asked,
        ):
            found[player].takes += 1
            if reaction_ns is not None:
                found[player].times_ms.append(reaction_ns / 1e6)
        ratings = self._rated(until)
        listed: list[PlayerListed] = [
            {
                "name": name,
                "matches": of.matches,
                "practices": of.practices,
                "matches_won": of.won,
                "takes": of.takes,
                "median_ms": round(median(of.times_ms), 1) if of.times_ms else None,
                "last_day": of.last_day,
                "rating": ratings.of(name),
            }
            for name, of in found.items()
        ]
        return sorted(listed, key=lambda each: (-each["matches"], -each["practices"], each["name"]))

    def opponents(self, player: str) -> list[str]:
        """Return the names of a player's opponents."""
        query = f"SELECT DISTINCT opponent FROM ({_SEATS}) WHERE player = ? AND opponent IS NOT NULL"  # noqa: S608
        return sorted(name for (name,) in self._rows(query, (same_name(player),)))

    def figures(
        self, player: str, against: str | None = None, since: str | None = None, until: str | None = None
    ) -> PlayerFigures | None:
        """Return a player's figures, None if the book knows no such player or no such pairing."""
        name, other = same_name(player), same_name(against)
        seats = self._rows(
            f"SELECT id, wall, side, opponent, winner, in_doubt FROM ({_SEATS}) WHERE player = :player"  # noqa: S608
            f" AND (:other IS NULL OR opponent = :other) AND {_RANGE} ORDER BY wall, id",
            {"player": name, "other": other, "since": since, "until": until},
        )
        alone = [] if other is not None else self._practices(name, since, until)
        if name is None or not (seats or alone or self._is_known(name, other)):
            return None
        matches = list(self._matches(seats))
        rating = self._rated(until).of(name)
        return figures_of(name, matches, alone, rating, against=other, since=since, until=until)

    def card_set(
        self, player: str, which: CardSet, count: int = 20, now: datetime | None = None
    ) -> list[CardChosen] | None:
        """Return cards for a player to practise, None if the book knows no such player."""
        name = same_name(player)
        if name not in self.names():
            return None
        return choose(self._record(name), which, count, now or datetime.now().astimezone())

    def due_days(self, player: str, now: datetime | None = None) -> dict[int, str]:
        """Return the day of a player's next review of each card."""
        now = now or datetime.now().astimezone()
        with self._lock:
            self.refresh()  # includes a practice that has just ended
            kept = remembered(self._record(same_name(player)).cards, now)
        return {poem: of.due.astimezone(now.tzinfo).date().isoformat() for poem, of in kept.items()}

    def _rated(self, until: str | None) -> Ratings:
        """Return the ratings after all matches up to a day."""
        with self._lock:
            self._look()
            if until not in self._ratings:
                if len(self._ratings) >= _MOST_RATINGS:
                    self._ratings.clear()
                won = self._rows(
                    "SELECT near, far, winner FROM match WHERE winner IS NOT NULL AND near IS NOT NULL"
                    " AND far IS NOT NULL AND near IS NOT far"
                    " AND (:until IS NULL OR substr(wall, 1, 10) <= :until) ORDER BY wall, id",
                    {"until": until},
                )
                self._ratings[until] = Ratings(
                    (near, far) if winner == Side.NEAR else (far, near) for near, far, winner in won
                )
            return self._ratings[until]

    def _record(self, player: str | None) -> Record:
        """Return the record of a player's cards.

        It is read again once the folder has something new, but reviewed again only if it has changed: most
        new logs are of other players, and reading takes a tenth of the time of reviewing.
        """
        with self._lock:
            self._look()
            if player not in self._fresh:
                found = self._read_record(player)
                if found != self._records.get(player):
                    self._records[player] = found
                    if player is not None and found.schedule != found.known:
                        self._index.keep_schedule(player, found.schedule.to_json())
                self._fresh.add(player)
            return self._records[player]

    def _read_record(self, player: str | None) -> Record:
        trials = [
            Trial(
                wall,
                poem,
                Result.TAKEN if taken_by == side else Result.LOST,
                None if reaction_ns is None else reaction_ns / 1e6,
            )
            for wall, side, poem, taken_by, reaction_ns in self._rows(
                f"SELECT wall, side, poem, taken_by, reaction_ns FROM ({_SEATS}) AS seat JOIN poem"  # noqa: S608
                " ON poem.match = seat.id WHERE player = ? AND taken_by IS NOT NULL ORDER BY wall, id, place",
                (player,),
            )
        ]
        confusions = [
            Confusion(card, poem)
            for card, poem in self._rows(
                f"SELECT card, poem FROM ({_SEATS}) AS seat JOIN fault ON fault.match = seat.id"  # noqa: S608
                " AND fault.player = seat.side WHERE seat.player = ? AND card IS NOT NULL",
                (player,),
            )
        ]
        for wall, poem, outcome, reaction_ns, lure in self._attempts(player):
            if lure is not None:
                confusions.append(Confusion(lure, poem))
            if outcome == Outcome.TAKEN:
                trials.append(
                    Trial(wall, poem, Result.TAKEN, None if reaction_ns is None else reaction_ns / 1e6)
                )
            elif outcome in {Outcome.MISSED, Outcome.LURED}:
                trials.append(Trial(wall, poem, Result.FAILED, None))
        told = None if player is None else self._index.schedule(player)
        known = None if told is None else Schedule.from_json(told)
        in_time = sorted(trials, key=lambda trial: datetime.fromisoformat(trial.wall))
        return Record(in_time, confusions, known)

    def _attempts(self, player: str | None) -> list[Any]:
        return self._rows(
            "SELECT wall, poem, outcome, reaction_ns, lure FROM practice JOIN attempt"
            " ON attempt.practice = practice.id WHERE player = ? ORDER BY wall, practice.id, place",
            (player,),
        )

    def _practices(self, player: str | None, since: str | None, until: str | None) -> list[PracticeSeen]:
        attempts: dict[int, list[tuple[int, Outcome, float | None, int | None]]] = defaultdict(list)
        days: dict[int, str] = {}
        for number, wall, poem, outcome, reaction_ns, lure in self._rows(
            f"SELECT practice.id, wall, poem, outcome, reaction_ns, lure FROM practice LEFT JOIN attempt"  # noqa: S608 (constants)
            f" ON attempt.practice = practice.id WHERE player = :player AND {_RANGE}"
            " ORDER BY wall, practice.id, place",
            {"player": player, "since": since, "until": until},
        ):
            days[number] = wall[:10]
            if poem is not None:
                ms = None if reaction_ns is None else reaction_ns / 1e6
                attempts[number].append((poem, Outcome(outcome), ms, lure))
        return [PracticeSeen(day, attempts[number]) for number, day in days.items()]

    def _is_known(self, player: str, other: str | None) -> bool:
        query = (
            f"SELECT 1 FROM ({_SEATS}) WHERE player = :player AND (:other IS NULL OR opponent = :other)"  # noqa: S608
            " UNION SELECT 1 FROM practice WHERE player = :player AND :other IS NULL LIMIT 1"
        )
        return bool(self._rows(query, {"player": player, "other": other}))

    def _matches(self, seats: list[Any]) -> Iterator[MatchSeen]:
        sides = {number: Side(side) for number, _, side, *_ in seats}
        asked = {"matches": json.dumps(list(sides))}
        poems: dict[int, list[PoemSeen]] = defaultdict(list)
        faults: dict[int, list[FaultSeen]] = defaultdict(list)
        for match, place, poem, taken_by, territory, line, x_m, reaction_ns, near, far in self._rows(
            "SELECT match, place, poem, taken_by, territory, line, x_m, reaction_ns, sends_near, sends_far"
            " FROM poem WHERE match IN (SELECT value FROM json_each(:matches))"
            # a dead card without a fault adds nothing to the figures
            " AND (taken_by IS NOT NULL OR sends_near + sends_far > 0) ORDER BY match, place",
            asked,
        ):
            seen = poem_seen(
                sides[match],
                place,
                poem,
                taken_by=taken_by,
                lay=None if territory is None else (territory, line, x_m),
                reaction_ns=reaction_ns,
                sends=(near, far),
            )
            poems[match].append(seen)
        for match, side, kind, card, poem in self._rows(
            "SELECT match, player, kind, card, poem FROM fault"
            " WHERE match IN (SELECT value FROM json_each(:matches))",
            asked,
        ):
            if sides[match] == side:
                faults[match].append(FaultSeen(kind, card, poem))
        for number, wall, side, opponent, winner, in_doubt in seats:
            won = None if winner is None else winner == side
            yield MatchSeen(wall[:10], opponent, won, in_doubt, poems[number], faults[number])

    def _rows(self, query: str, asked: Any = ()) -> list[Any]:
        with self._lock:
            self._look()
            try:
                return self._index.connection.execute(query, asked).fetchall()
            except sqlite3.DatabaseError as error:
                raise DeskError(
                    f"the book's index {self._index.path} cannot be read ({error}): delete it, and the "
                    "book makes a new one"
                ) from error

    def _look(self) -> Refreshed:
        """Look at the folder, unless somebody has just done so."""
        if self._looked is not None and self._clock() - self._looked[0] < _FRESH_S:
            return self._looked[1]
        return self.refresh()
