"""A hall for the board's pages: mats in every state, and the tournament of a board without a hall."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from desk.hall.messages import LastRuling, MatHealth, MatState, ReadingPhase, ReadingState
from desk.hall.page.port import FloorShown, MatShown
from desk.panel.house.port import MatchListed
from desk.panel.match.port import Port
from desk.tournament.desk import TournamentDesk
from referee.sides import BySide, Side
from referee.tournament.events import TournamentOpened
from tests.desk.karuta.scripted_house import ScriptedHouse

if TYPE_CHECKING:
    from desk.hall.board.floor import Floor as BoardFloor
    from desk.hall.board.schedule import Schedule

NAMES = ("青井 葵", "Ben", "千恵", "Dan", "Emi <b>", "福田 文", "Gen", "花")


def last(poem: int, **changes: Any) -> LastRuling:
    ruling = LastRuling(1, poem, "decided", "ruled", Side.NEAR, BySide(0, 0), 21_400_000, 3_200_000)
    return replace(ruling, **changes)


def mat(number: int, *, title: str | None = None, silent_s: float | None = None, **changes: Any) -> MatShown:
    state = MatState(
        f"mat-{number:02d}",
        "",
        names=BySide(NAMES[2 * number % len(NAMES)], NAMES[(2 * number + 1) % len(NAMES)]),
        phase="poem",
        poems=12,
        counts=BySide(25 - number % 20, 24 - number % 17),
        last=last(1 + number % 100, taken_by=(Side.NEAR, Side.FAR, None)[number % 3]),
        follows=True,
        ready=True,
        health=MatHealth(clock_unc_ns=400_000),
    )
    return MatShown(replace(state, **changes), title=title, silent_s=silent_s)


def every_state(count: int = 12) -> list[MatShown]:
    """Return so many mats, the first eleven each in another state."""
    special = [
        mat(1, pause="appeal", last=last(17, standing="proposed", appealed_by=Side.FAR)),
        mat(2, pause="review", last=last(46, standing="proposed", taken_by=Side.FAR, faults=BySide(1, 0))),
        mat(3, silent_s=14.0),
        mat(4, hands=(Side.NEAR,), ready=False),
        mat(5, ready=False, phase="restore"),
        mat(6, phase="over", winner=Side.FAR, counts=BySide(7, 0), follows=False, ready=False),
        mat(7, phase="idle", follows=False, ready=False, last=None, title="A-2-3"),
        mat(8, phase="memorise", follows=False, ready=False, last=None),
        mat(9, health=MatHealth(warnings=("low_fps", "blurred"), unsent=400)),
        mat(10, pause="operator"),
        mat(11, silent_s=math.inf, phase="idle", last=None, title="A-2-4"),
    ]
    return [*special, *(mat(number) for number in range(12, count + 1))][:count]


def reading(**changes: Any) -> ReadingState:
    state = ReadingState(
        "s",
        ReadingPhase.WAITS,
        14,
        read=(17,),
        waits_for=("mat-04", "mat-05"),
        hands=("mat-04",),
        silent=("mat-03",),
        waited_s=8.4,
        limit_s=60.0,
        mats=9,
    )
    return replace(state, **changes)


class Floor:
    """A floor that changes only when the test changes it."""

    def __init__(self, mats: list[MatShown], match: Port | None = None) -> None:
        self.mats, self.reading, self.link = mats, reading(), "joined"
        self.wishes: list[tuple[str, str]] = []
        self.fetched: list[tuple[str, int]] = []
        self.is_heard = True
        self._match = match
        self._wakes: list[Callable[[], None]] = []

    def state(self) -> FloorShown:
        return FloorShown(self.link, None, self.mats, self.reading)

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        self._wakes.append(wake)
        return lambda: self._wakes.remove(wake)

    def change(self, number: int, shown: MatShown) -> None:
        self.mats[number - 1] = shown
        for wake in self._wakes:
            wake()

    async def wish(self, wish: str, by: str) -> bool:
        self.wishes.append((wish, by))
        return self.is_heard

    def match(self, address: str) -> Port | None:
        return self._match if address == "mat-12~m" else None

    async def matches(self) -> list[tuple[str, MatchListed]]:
        listed = [] if self._match is None else ScriptedHouse().matches()
        return [("mat-12", {**match, "id": "mat-12~m"}) for match in listed]

    async def fetch_replay(self, address: str, ruling: int) -> None:
        self.fetched.append((address, ruling))


def tables_in(folder: Path, seed: str = "12 May") -> tuple[Schedule, BoardFloor]:
    """Return the tournament of a board without a hall, and its floor with free mats."""
    pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")
    from desk.hall.board.floor import Floor as BoardFloor
    from desk.hall.board.schedule import Schedule

    floor = BoardFloor(None, folder / "copies")
    floor.mats = {name: MatState(name, "") for name in ("mat-01", "mat-02", "mat-07")}
    desk = TournamentDesk.at(folder / "tournament.sqlite", TournamentOpened("春の大会", seed))
    return Schedule(desk, floor), floor


def entrants_csv(count: int, division: str = "A", clubs: int = 4) -> bytes:
    """Return a list of entrants."""
    rows = [f"{division},選手 {n},かるた会 {n % clubs}" for n in range(1, count + 1)]
    return "\n".join(["級,氏名,所属", *rows]).encode()
