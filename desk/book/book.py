"""The club's book: queries the index and returns figures."""

import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from threading import RLock
from typing import Any

from desk.book.card_choice import Confusion, Record, choose
from desk.book.figures import FaultSeen, MatchSeen, PoemSeen, PracticeSeen, figures_of, likeness_of, takes_of
from desk.book.index import BookIndex, Progress, Refreshed
from desk.book.memory import Result, Trial, remembered, scheduled
from desk.book.strength import Ratings
from desk.errors import DeskError
from desk.panel.book.port import CardChosen, CardSet, LeftOut, NotCounted, PlayerFigures, PlayerListed
from desk.practice.events import Outcome
from desk.tables.person import same_name
from referee.sides import Side

_RANGE = (
    "(:since IS NULL OR substr(wall, 1, 10) >= :since) AND (:until IS NULL OR substr(wall, 1, 10) <= :until)"
)
_LEFT_OUT = {
    "damaged": "{detail}",
    "double": "it holds the same match or practice as {detail}, which counts once",
    "future": "it begins at {detail}, later than now: a clock was wrong. It counts from that day on",
}
"""Why a log counts nowhere, in English: for the command line and for programs."""
_MOST_RATINGS = 100
"""Number of days whose ratings are cached: computing a thousand matches takes a tenth of a second."""
_FRESH_S = 1.0  # time for which a look at the folder is reused: a page makes several queries


@dataclass(slots=True)
class _Standing:
    """The sums of a player in the list."""

    matches: int = 0
    practices: int = 0
    won: int = 0
    last_day: str = ""
    poems: list[PoemSeen] = field(default_factory=list)


class Book:
    """The book of the matches in a folder; see `desk.panel.book.port.BookPort`.

    Every query looks at the folder first, so its result includes a match that was just played. All methods
    may be called from any thread. Each match and each practice counts once, however many files hold it; those
    of the simulator, and those that begin later than now, do not count. Raises DeskError as
    `desk.book.index.BookIndex`, here and from every query.

    `clock`: a monotonic clock, seconds. `now`: returns the time of day with its offset from UTC.
    `day_begins_h`: hour at which the days of the schedule begin, 0 for midnight.
    """

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        *,
        day_begins_h: int = 0,
    ) -> None:
        self.folder = folder
        self._clock, self._now = clock, now
        self._night = timedelta(hours=day_begins_h)
        self._index = BookIndex(folder)
        self._lock = RLock()
        self._looked: tuple[float, Refreshed] | None = None
        self._ratings: dict[str | None, Ratings] = {}
        self._records: dict[str | None, Record] = {}
        self._fresh: set[str | None] = set()

    def refresh(self, progress: Progress = lambda _done, _all: None) -> Refreshed:
        """Read the new and changed logs of the folder."""
        with self._lock:
            found = self._index.refresh(self._now(), progress)
            if self._looked is None or found.read or found.counted != self._looked[1].counted:
                self._ratings.clear()
                self._fresh.clear()
            self._looked = (self._clock(), found)
            for player in sorted(found.players):
                self._record(player)  # now, so that a page does not have to wait for it
            return found

    def close(self) -> None:
        self._index.close()

    def left_out(self) -> Sequence[LeftOut]:
        with self._lock:
            return self._look().left_out

    def problems(self) -> dict[str, str]:
        """Return why logs count nowhere as one English sentence each, by the name of the file."""
        return {log["file"]: _LEFT_OUT[log["why"]].format(**log) for log in self.left_out()}

    def not_counted(self) -> NotCounted:
        with self._lock:
            simulated = self._look().simulated
            rows = self._rows(
                "SELECT COALESCE(SUM((near IS NULL AND far IS NULL) OR near = far), 0),"
                " COALESCE(SUM(NOT over), 0) FROM played"
            )
        return {"unnamed": rows[0][0], "simulated": simulated, "unfinished": rows[0][1]}

    def names(self) -> list[str]:
        rows = self._rows(
            "SELECT near FROM played UNION SELECT far FROM played UNION SELECT player FROM alone"
        )
        return sorted(name for (name,) in rows if name is not None)

    def players(self, since: str | None = None, until: str | None = None) -> list[PlayerListed]:
        asked = {"since": since, "until": until}
        found: dict[str, _Standing] = defaultdict(_Standing)
        for player, side, wall, winner, over in self._rows(
            f"SELECT player, side, wall, winner, over FROM begun WHERE {_RANGE}",  # noqa: S608 (constants)
            asked,
        ):
            standing = found[player]
            standing.matches += over
            standing.won += winner == side
            standing.last_day = max(standing.last_day, wall[:10])
        for player, wall in self._rows(
            f"SELECT player, wall FROM alone WHERE {_RANGE}",  # noqa: S608 (constants)
            asked,
        ):
            standing = found[player]
            standing.practices += 1
            standing.last_day = max(standing.last_day, wall[:10])
        for player, match, is_taken, ms in self._rows(
            "SELECT player, match, taken_by = side, reaction_ns / 1e6 FROM seat JOIN poem"  # noqa: S608 (constants)
            f" ON poem.match = seat.id AND poem.taken_by IS NOT NULL WHERE {_RANGE}",
            asked,
        ):
            found[player].poems.append(PoemSeen(0, 0, bool(is_taken), None, ms, 0, 0, match))
        ratings = self._rated(until)
        sums = {name: takes_of(of.poems, likeness_of(of.poems)) for name, of in found.items()}
        listed: list[PlayerListed] = [
            {
                "name": name,
                "matches": of.matches,
                "practices": of.practices,
                "matches_won": of.won,
                "takes": sums[name]["takes"]["won"],
                "reaction": sums[name]["reaction"],
                "last_day": of.last_day,
                "rating": ratings.of(name),
            }
            for name, of in found.items()
        ]
        return sorted(listed, key=lambda each: (-each["matches"], -each["practices"], each["name"]))

    def opponents(self, player: str) -> list[str]:
        query = "SELECT DISTINCT opponent FROM begun WHERE player = ? AND opponent IS NOT NULL"
        return sorted(name for (name,) in self._rows(query, (same_name(player),)))

    def figures(
        self, player: str, against: str | None = None, since: str | None = None, until: str | None = None
    ) -> PlayerFigures | None:
        name, other = same_name(player), same_name(against)
        seats = self._rows(
            "SELECT id, wall, side, opponent, winner, over, in_doubt FROM begun WHERE player = :player"  # noqa: S608
            f" AND (:other IS NULL OR opponent = :other) AND {_RANGE} ORDER BY instant, id",
            {"player": name, "other": other, "since": since, "until": until},
        )
        alone = [] if other is not None else self._practices(name, since, until)
        known = (
            "SELECT 1 FROM begun WHERE player = :player AND (:other IS NULL OR opponent = :other)"
            " UNION SELECT 1 FROM alone WHERE player = :player AND :other IS NULL LIMIT 1"
        )
        if name is None or not (seats or alone or self._rows(known, {"player": name, "other": other})):
            return None
        matches = list(self._matches(seats))
        return figures_of(name, matches, alone, self._rated(until), against=other, since=since, until=until)

    def card_set(
        self, player: str, which: CardSet, count: int = 20, now: datetime | None = None
    ) -> list[CardChosen] | None:
        name = same_name(player)
        if name not in self.names():
            return None
        return choose(self._record(name), which, count, self._day(now or self._now()))

    def due_days(self, player: str, now: datetime | None = None) -> dict[int, str]:
        """Return the day of a player's next review of each card."""
        with self._lock:
            self.refresh()  # includes a practice that has just ended
            kept = remembered(self._record(same_name(player)).cards, self._day(now or self._now()))
        return {poem: of.due.isoformat() for poem, of in kept.items()}

    def trials(self, player: str) -> Sequence[Trial]:
        """Return all that the book knows of a player's cards, in the order of days."""
        return self._record(same_name(player)).trials

    def _day(self, local: datetime) -> date:
        """Return the day of the schedule to which a local time belongs."""
        return (local - self._night).date()

    def _rated(self, until: str | None) -> Ratings:
        with self._lock:
            self._look()
            if until not in self._ratings:
                if len(self._ratings) >= _MOST_RATINGS:
                    self._ratings.clear()
                won = self._rows(
                    "SELECT near, far, winner, substr(wall, 1, 10) FROM played WHERE winner IS NOT NULL"
                    " AND near IS NOT NULL AND far IS NOT NULL AND near IS NOT far"
                    " AND (:until IS NULL OR substr(wall, 1, 10) <= :until) ORDER BY instant, id",
                    {"until": until},
                )
                self._ratings[until] = Ratings(
                    (*((near, far) if winner == Side.NEAR else (far, near)), date.fromisoformat(day))
                    for near, far, winner, day in won
                )
            return self._ratings[until]

    def _record(self, player: str | None) -> Record:
        """Return the record of a player's cards, read again once the folder has something new."""
        with self._lock:
            self._look()
            if player not in self._fresh:
                self._records[player] = self._read_record(player)
                self._fresh.add(player)
            return self._records[player]

    def _read_record(self, player: str | None) -> Record:
        """Return a player's trials, by days and within a day in the order of time."""
        found: list[tuple[date, float, Trial]] = []

        def add(
            wall: str, instant: float, poem: int, result: Result, ms: float | None, *, alone: bool
        ) -> None:
            day = self._day(datetime.fromisoformat(wall))
            found.append((day, instant, Trial(day, poem, result, ms, alone)))

        for wall, instant, side, poem, taken_by, ms in self._rows(
            "SELECT wall, instant, side, poem, taken_by, reaction_ns / 1e6 FROM begun JOIN poem"
            " ON poem.match = begun.id WHERE player = ? AND taken_by IS NOT NULL ORDER BY instant, id, place",
            (player,),
        ):
            result = Result.TAKEN if taken_by == side else Result.LOST
            add(wall, instant, poem, result, ms, alone=False)
        confusions = [
            Confusion(card, poem)
            for card, poem in self._rows(
                "SELECT card, poem FROM begun JOIN fault ON fault.match = begun.id"
                " AND fault.player = begun.side WHERE begun.player = ? AND card IS NOT NULL",
                (player,),
            )
        ]
        for wall, instant, poem, outcome, ms, lure in self._rows(
            "SELECT wall, instant, poem, outcome, reaction_ns / 1e6, lure FROM alone JOIN attempt"
            " ON attempt.practice = alone.id WHERE player = ? ORDER BY instant, alone.id, place",
            (player,),
        ):
            if lure is not None:
                confusions.append(Confusion(lure, poem))
            if outcome == Outcome.TAKEN:
                add(wall, instant, poem, Result.TAKEN, ms, alone=True)
            elif outcome in {Outcome.MISSED, Outcome.LURED}:
                add(wall, instant, poem, Result.FAILED, None, alone=True)
        found.sort(key=lambda each: each[:2])
        trials, before = [trial for _, _, trial in found], self._records.get(player)
        return Record(trials, confusions, scheduled(trials, None if before is None else before.schedule))

    def _practices(self, player: str | None, since: str | None, until: str | None) -> list[PracticeSeen]:
        attempts: dict[int, list[tuple[int, Outcome, float | None, int | None]]] = defaultdict(list)
        days: dict[int, str] = {}
        for number, wall, poem, outcome, ms, lure in self._rows(
            "SELECT alone.id, wall, poem, outcome, reaction_ns / 1e6, lure FROM alone LEFT JOIN attempt"  # noqa: S608
            f" ON attempt.practice = alone.id WHERE player = :player AND {_RANGE}"
            " ORDER BY instant, alone.id, place",
            {"player": player, "since": since, "until": until},
        ):
            days[number] = wall[:10]
            if poem is not None:
                attempts[number].append((poem, Outcome(outcome), ms, lure))
        return [PracticeSeen(day, attempts[number]) for number, day in days.items()]

    def _matches(self, seats: list[Any]) -> Iterator[MatchSeen]:
        sides = {number: Side(side) for number, _, side, *_ in seats}
        asked = {"matches": json.dumps(list(sides))}
        poems: dict[int, list[PoemSeen]] = defaultdict(list)
        faults: dict[int, list[FaultSeen]] = defaultdict(list)
        for match, place, poem, taken_by, territory, line, x_m, ms, near, far in self._rows(
            "SELECT match, place, poem, taken_by, territory, line, x_m, reaction_ns / 1e6, sends_near,"
            " sends_far FROM poem WHERE match IN (SELECT value FROM json_each(:matches))"
            # a dead card without a fault adds nothing to the figures
            " AND (taken_by IS NOT NULL OR sends_near + sends_far > 0) ORDER BY match, place",
            asked,
        ):
            side, where = sides[match], None
            if territory is not None:  # x grows towards the near player's right
                half = "right" if (x_m >= 0) is (side is Side.NEAR) else "left"
                where = ("own" if territory == side else "opponent", line, half)
            taken = None if taken_by is None else taken_by == side
            sent, received = (near, far) if side is Side.NEAR else (far, near)
            poems[match].append(PoemSeen(place, poem, taken, where, ms, sent, received, match))
        for match, side, kind, card, poem in self._rows(
            "SELECT match, player, kind, card, poem FROM fault"
            " WHERE match IN (SELECT value FROM json_each(:matches))",
            asked,
        ):
            if sides[match] == side:
                faults[match].append(FaultSeen(kind, card, poem))
        for number, wall, side, opponent, winner, over, in_doubt in seats:
            won = None if winner is None else winner == side
            yield MatchSeen(wall[:10], opponent, bool(over), won, in_doubt, poems[number], faults[number])

    def _rows(self, query: str, asked: Any = ()) -> list[Any]:
        with self._lock:
            self._look()
            try:
                return self._index.connection.execute(query, asked).fetchall()
            except sqlite3.DatabaseError:
                self._index.begin_anew()
                self.refresh()
            with DeskError.wrapping(
                "the book's index {path} cannot be read ({why}): delete it, and the book makes a new one",
                sqlite3.DatabaseError,
                path=self._index.path,
            ):
                return self._index.connection.execute(query, asked).fetchall()

    def _look(self) -> Refreshed:
        """Look at the folder, unless somebody has just done so."""
        if self._looked is not None and self._clock() - self._looked[0] < _FRESH_S:
            return self._looked[1]
        return self.refresh()
