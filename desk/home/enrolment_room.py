"""Enrolment in the house: a deck is enrolled before a camera, pile by pile, on its page."""

from __future__ import annotations

import asyncio
from typing import Final

from calibration.decks.deck import DeckError
from desk.enrolment.port import CameraEnrolment
from desk.enrolment.session import EnrolSession
from desk.errors import DeskError
from desk.machine.cameras import cameras
from desk.machine.decks import decks_of
from desk.panel.enrolment.routes import EnrolRoutes
from desk.panel.home.port import EnrolChoices, EnrolWish, Running
from desk.panel.pages import Pages
from desk.panel.roles import Roles
from desk.phone.wish import PhoneWish
from desk.tables.camera_table import CameraTable
from referee.complaint import sentence_of

GAMES: Final = ("hanafuda", "karuta", "kendo")


class EnrolmentRoom:
    """Enrolment; see `desk.panel.home.port.EnrolRoomPort`."""

    def __init__(self, pages: Pages, roles: Roles, phone: PhoneWish) -> None:
        self._pages, self._roles, self._phone = pages, roles, phone
        self._making: tuple[Running, CameraEnrolment] | None = None

    @property
    def running(self) -> Running | None:
        """The deck in the making, None if there is none."""
        return None if self._making is None else self._making[0]

    def choices(self) -> EnrolChoices:
        """Return the choices of the set-up."""
        return {
            "cameras": cameras(),
            "games": list(GAMES),
            "decks": sorted({deck for game in GAMES for deck in decks_of(game)}),
        }

    async def start(self, wish: EnrolWish) -> str | None:
        """Open the camera, or return why it cannot be opened."""
        await self.end()  # it may use the same camera
        try:
            enrolment = await asyncio.to_thread(self._opened, wish)
        except (DeskError, DeckError) as error:
            return sentence_of(error)
        enrolment.begin()
        self._making = Running(EnrolRoutes(enrolment, self._pages, self._roles).router), enrolment
        return None

    async def end(self) -> None:
        """Close the camera; a deck that was not stored is lost."""
        if self._making is None:
            return
        (running, enrolment), self._making = self._making, None
        running.over.set()
        await asyncio.to_thread(enrolment.end)

    def _opened(self, wish: EnrolWish) -> CameraEnrolment:
        session = EnrolSession(wish["game"], wish["name"], "")
        return CameraEnrolment(session, CameraTable(wish["camera"], self._phone), replace=wish["replace"])
