"""Enrolment in the house: a deck is enrolled before a camera, pile by pile, on its page."""

from __future__ import annotations

import asyncio
from typing import Final

from calibration.decks.deck import DeckError
from desk.enrolment.port import CameraEnrolment
from desk.enrolment.session import EnrolSession
from desk.errors import DeskError
from desk.home.room import Room
from desk.machine.camera_records import cameras
from desk.machine.decks import decks_of
from desk.panel.enrolment.routes import EnrolRoutes
from desk.panel.home.port import EnrolChoices
from desk.panel.home.wish import EnrolAgreed
from desk.panel.pages import Pages
from desk.panel.roles import Roles
from desk.phone.wish import PhoneWish
from desk.tables.camera_table import CameraTable
from referee.complaint import sentence_of

GAMES: Final = ("hanafuda", "karuta", "kendo")


class EnrolmentRoom(Room):
    """Enrolment; see `desk.panel.home.port.EnrolRoomPort`."""

    def __init__(self, pages: Pages, roles: Roles, phone: PhoneWish) -> None:
        super().__init__(pages, roles)
        self._phone = phone

    def choices(self) -> EnrolChoices:
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
