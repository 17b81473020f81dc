"""The rooms of the house, in each of which one thing at a time runs with pages of its own.

Practice alone, and enrolment of a deck before a camera; the reciter has a module of its own.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter

from calibration.decks.deck import DeckError
from desk.enrolment.port import CameraEnrolment
from desk.enrolment.session import EnrolSession
from desk.errors import DeskError
from desk.karuta.eye.equipment import Wanted
from desk.karuta.house.agreed_reader import SILENT
from desk.karuta.house.agreement import RHYTHMS
from desk.machine.camera_records import cameras
from desk.machine.decks import decks_of
from desk.machine.sound_device import default_loudspeaker
from desk.panel.enrolment.routes import EnrolRoutes
from desk.panel.home.port import Running
from desk.panel.home.wish import EnrolAgreed, PracticeAgreed
from desk.panel.pages import Pages
from desk.panel.practice.routes import PracticeRoutes
from desk.panel.roles import Roles
from desk.phone.wish import PhoneWish
from desk.practice.plan import Plan
from desk.practice.practice import Practice
from desk.practice.sources import Voice, open_practice
from desk.reciter.voice_folders import voice_folders
from desk.tables.camera_table import CameraTable
from recitation.voices.catalogue import voice_names
from referee.complaint import sentence_of

GAMES: Final = ("hanafuda", "karuta", "kendo")
DueDaysOf = Callable[[str], Mapping[int, str]]
"""Function from a player to the day on which each card should come again."""


class Room:
    """Holds what runs; see `desk.panel.home.port.Played`."""

    def __init__(self, pages: Pages, roles: Roles) -> None:
        self._pages, self._roles = pages, roles
        self._playing: tuple[Running, Callable[[], object]] | None = None

    @property
    def running(self) -> Running | None:
        return None if self._playing is None else self._playing[0]

    def _run(self, router: APIRouter, close: Callable[[], object]) -> None:
        self._playing = Running(router), close

    async def end(self) -> None:
        if self._playing is None:
            return
        (running, close), self._playing = self._playing, None
        running.over.set()
        await asyncio.to_thread(close)


class EnrolmentRoom(Room):
    """Enrolment; see `desk.panel.home.port.EnrolRoomPort`."""

    def __init__(self, pages: Pages, roles: Roles, phone: PhoneWish) -> None:
        super().__init__(pages, roles)
        self._phone = phone

    def choices(self) -> dict[str, Any]:
        return {
            "cameras": cameras(),
            "games": list(GAMES),
            "decks": sorted({deck for game in GAMES for deck in decks_of(game)}),
        }

    async def start(self, agreed: EnrolAgreed) -> str | None:
        await self.end()  # it may use the same camera
        try:
            enrolment = await asyncio.to_thread(self._opened, agreed)
        except (DeskError, DeckError) as error:
            return sentence_of(error)
        enrolment.begin()
        self._run(EnrolRoutes(enrolment, self._pages, self._roles).router, enrolment.end)
        return None

    def _opened(self, agreed: EnrolAgreed) -> CameraEnrolment:
        session = EnrolSession(agreed.game, agreed.name, "")
        return CameraEnrolment(session, CameraTable(agreed.camera, self._phone), replace=agreed.replace)


class PracticeRoom(Room):
    """Solo practice; see `desk.panel.home.port.PracticeRoomPort`.

    `wanted`: equipment beside a live camera. `due_days_of`: called at the end of a practice.
    """

    def __init__(
        self, pages: Pages, roles: Roles, folder: Path, wanted: Wanted, due_days_of: DueDaysOf | None = None
    ) -> None:
        super().__init__(pages, roles)
        self._folder, self._wanted, self._due_days_of = folder, wanted, due_days_of

    def choices(self) -> dict[str, Any]:
        return {
            "cameras": cameras(),
            "voices": [*voice_names(voice_folders()), SILENT],
            "rhythms": list(RHYTHMS),
            "device": default_loudspeaker(),
        }

    async def start(self, agreed: PracticeAgreed, cards: Sequence[int]) -> str | None:
        await self.end()  # it may use the same camera
        try:
            practice = await asyncio.to_thread(self._opened, agreed, cards)
        except (DeskError, ValueError) as error:
            return sentence_of(error)
        practice.begin()
        self._run(PracticeRoutes(practice, self._pages, self._roles).router, practice.close)
        return None

    def _opened(self, agreed: PracticeAgreed, cards: Sequence[int]) -> Practice:
        plan = Plan(tuple(cards), agreed.karafuda, by_hand=agreed.by_hand)
        player, asked = agreed.player.strip(), self._due_days_of
        return open_practice(
            agreed.where,
            player,
            plan,
            wanted=self._wanted,
            voice=Voice(agreed.voice, agreed.rhythm),
            folder=self._folder,
            due_days=lambda: {} if asked is None or not player else asked(player),
        )
