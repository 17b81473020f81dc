"""The home: everything behind the home page besides karuta matches."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from desk.card_games import CARD_GAMES
from desk.home.card_table import CardTable
from desk.home.reading_room import ReadingRoom
from desk.home.rooms import DueDaysOf, EnrolmentRoom, PracticeRoom
from desk.karuta.eye.equipment import Wanted
from desk.koikoi.evening import Evenings
from desk.koikoi.page.rules import rules_with
from desk.panel.pages import Pages
from desk.panel.roles import Roles
from desk.panel.table.seat_links import SeatLinks


class Home:
    """See `desk.panel.home.port.HomePort`; the operator of the house, by `roles`, also operates its tables.

    `addresses`: the panel's, for phones. `wanted`: equipment of karuta beside a live camera, and how a phone
    connects as one. `due_days_of`: called at the end of a practice.
    """

    def __init__(
        self,
        folder: Path,
        roles: Roles,
        addresses: Sequence[str] = (),
        wanted: Wanted | None = None,
        *,
        due_days_of: DueDaysOf | None = None,
    ) -> None:
        pages, phones, wanted = Pages(has_home=True), list(addresses), wanted or Wanted()

        def links(players: int) -> SeatLinks:
            return SeatLinks() if roles.operator is None else SeatLinks.fresh(players, roles)

        self._tables = {
            name: CardTable(game, folder, links, pages=pages, addresses=phones, phone=wanted.phone)
            for name, game in CARD_GAMES.items()
        }
        self.reading = ReadingRoom(pages, roles)
        self.enrolment = EnrolmentRoom(pages, roles, wanted.phone)
        self.practice = PracticeRoom(pages, roles, folder, wanted, due_days_of)
        self.evening, self.koikoi_rules = Evenings(folder).evening, rules_with

    @property
    def tables(self) -> Mapping[str, CardTable]:
        return self._tables

    async def close(self) -> None:
        """End all running games."""
        tables = (table.close() for table in self._tables.values())
        await asyncio.gather(*tables, self.reading.end(), self.practice.end(), self.enrolment.end())
