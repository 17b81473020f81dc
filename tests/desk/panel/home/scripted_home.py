"""A home for the panel's tests: it records choices and agreements, and its games have a single page."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter

from desk.card_games import CARD_GAMES
from desk.koikoi.page.rules import rules_with
from desk.panel.home.port import (
    EveningShown,
    InterruptedGame,
    Running,
    SourceChosen,
    TableChoices,
    TableShown,
)
from desk.panel.house.port import SourceKind
from desk.panel.words import Words

EVENING: EveningShown = {
    "day": "2026-01-03",
    "doubles": [],
    "problems": [],
    "days": ["2026-01-03", "2026-01-02"],
    "games": [
        {
            "started": "2026-01-03T20:15:00+09:00",
            "names": ["=Hana", None],
            "totals": [12, 3],
            "months": 12,
            "months_in_game": 12,
            "months_won": [4, 1],
            "calls": [2, 0],
            "best": [8, 3],
            "winners": [0],
            "counts": True,
            "goes_on": None,
        }
    ],
    "players": [
        {"name": "=Hana", "games": 1, "games_won": 1, "months_won": 4, "points": 12, "calls": 2, "best": 8}
    ],
}
"""One game, of a player whose name looks like a formula."""


class _Scripted:
    """Something that can be played."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.running: Running | None = None
        self.refusal: str | None = None

    def play(self) -> str | None:
        if self.refusal is not None:
            return self.refusal
        router = APIRouter()
        router.get(f"/{self.name}")(lambda: {"played": self.name})
        self.running = Running(router)
        return None

    async def end(self) -> None:
        if self.running is not None:
            self.running.over.set()
        self.running = None


class ScriptedTable(_Scripted):
    """A card table with a mat that has two hidden markers."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.source: SourceChosen | None = None
        self.chosen: tuple[str, int] | None = None
        self.agreed: tuple[str, list[str], int] | None = None
        self.changes: dict[str, str] = {}
        self.left: list[InterruptedGame] = []
        self.gone_on: str | None = None

    def interrupted(self) -> list[InterruptedGame]:
        return self.left

    async def go_on(self, game_id: str) -> str | None:
        self.gone_on = game_id
        return self.play()

    @property
    def title(self) -> str:
        return CARD_GAMES[self.name].title

    def choices(self, said: Words) -> TableChoices:
        return CARD_GAMES[self.name].choices(["/dev/video0"], said)

    async def choose(self, kind: SourceKind, where: str, deck: str, players: int) -> None:
        self.source, self.chosen = {"kind": kind, "where": where}, (deck, players)

    def state(self) -> TableShown:
        return {
            "source": self.source,
            "opening": False,
            "problem": None,
            "findings": []
            if self.source is None
            else [
                {"id": "pace", "status": "warn", "values": {"fps": 9}},
                {"id": "markers", "status": "fail", "values": {"missing": [0, 3]}},
                {"id": "cards", "status": "unknown", "values": {"read": 0, "unread": 0}},
            ],
            "players": 2,
            "phone": {
                "links": [],
                "fingerprint": None,
                "stage": "streaming",
                "warnings": [],
                "clock_ms": 1.24,
                "dropped": 0,
            }
            if self.source is not None and self.source["where"] == "phone"
            else None,
        }

    def preview(self) -> bytes | None:
        return None

    async def start(
        self, rules: str, names: Sequence[str], dealer: int, changes: Mapping[str, str] | None = None
    ) -> str | None:
        self.agreed, self.changes = (rules, list(names), dealer), dict(changes or {})
        return self.play()


class ScriptedRoom(_Scripted):
    """A room with fixed choices, which keeps what was agreed: a reading, a practice or an enrolment."""

    def __init__(self, name: str, **choices: list[str] | None) -> None:
        super().__init__(name)
        self._choices = choices
        self.agreed: Any = None
        self.cards: Sequence[int] = ()

    def choices(self) -> Any:
        return self._choices

    async def start(self, agreed: Any, cards: Sequence[int] = ()) -> str | None:
        self.agreed, self.cards = agreed, cards
        return self.play()


class ScriptedHome:
    """Two card tables, a reciter, practice alone, and enrolment."""

    def __init__(self) -> None:
        self.tables = {"koikoi": ScriptedTable("koikoi"), "kendo": ScriptedTable("kendo")}
        self.reading = ScriptedRoom(
            "recite",
            voices=["high", "low"],
            rhythms=["4-3-1-5", "as-recorded"],
            orders=["shuffle", "number"],
            modes=["competition", "kami-only"],
            device=None,
            sets=["my slowest twenty"],
        )
        self.practice = ScriptedRoom(
            "practise",
            cameras=["/dev/video0"],
            voices=["high", "silent"],
            rhythms=["4-3-1-5"],
            device=None,
        )
        self.enrolment = ScriptedRoom(
            "enrol", cameras=["/dev/video0"], games=["hanafuda", "kendo"], decks=["club"]
        )
        self.shown: EveningShown = {
            "day": None,
            "days": [],
            "games": [],
            "players": [],
            "doubles": [],
            "problems": [],
        }

    koikoi_rules = staticmethod(rules_with)

    def evening(self, day: str | None) -> EveningShown:
        return self.shown
