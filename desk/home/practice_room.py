"""Solo practice in the house: opening a source, running the practice, and serving its page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from desk.errors import DeskError
from desk.home.room import Room
from desk.karuta.eye.equipment import Wanted
from desk.karuta.house.agreed_reader import SILENT
from desk.karuta.house.agreement import RHYTHMS
from desk.machine.camera_records import cameras
from desk.machine.sound_device import default_loudspeaker
from desk.panel.home.port import PracticeChoices
from desk.panel.home.wish import PracticeAgreed
from desk.panel.pages import Pages
from desk.panel.practice.routes import PracticeRoutes
from desk.panel.roles import Roles
from desk.practice.plan import Plan
from desk.practice.practice import Practice
from desk.practice.sources import Voice, open_practice
from desk.reciter.voice_folders import voice_folders
from recitation.voices.catalogue import voice_names
from referee.complaint import sentence_of

DueDaysOf = Callable[[str], Mapping[int, str]]
"""Function from a player to the day on which each card should come again."""


class PracticeRoom(Room):
    """Solo practice; see `desk.panel.home.port.PracticeRoomPort`.

    `wanted`: equipment beside a live camera. `due_days_of`: called at the end of a practice.
    """

    def __init__(
        self, pages: Pages, roles: Roles, folder: Path, wanted: Wanted, due_days_of: DueDaysOf | None = None
    ) -> None:
        super().__init__(pages, roles)
        self._folder, self._wanted, self._due_days_of = folder, wanted, due_days_of

    def choices(self) -> PracticeChoices:
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
