"""The Kendo cards as a card game of the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desk.kendo.desk import KendoDesk
from desk.kendo.events import BoutOpened, CourtSeen, CourtUnseen, copies, seen_by
from desk.kendo.lines import lines_of_bout, minutes_of_court
from desk.kendo.page.phrases import RULES
from desk.kendo.page.view import film_page, shown
from desk.kendo.scribe import WORDS
from desk.tables.card_game import CardGame
from desk.tables.eye import CardTableEye
from desk.tables.game_page import GamePage, PageFrame
from desk.tables.table_opening import OpenedTable
from referee.kendo.house_rules import PRESETS
from referee.kendo.ruleset import RuleSet
from vision.hanafuda.gallery import CardGallery
from vision.plane.printed_table import KENDO_TABLE, KendoTable

if TYPE_CHECKING:
    from fastapi import APIRouter


class Kendo(CardGame[RuleSet]):
    """See `CardGame`."""

    name = "kendo"
    title = "Kendo cards"
    cards = "kendo"
    presets = PRESETS
    film_rules = "seed-003"
    rule_titles = RULES
    picture_width_px = 189  # half of that in an enrolled deck
    own_zone = "court"
    spoken = WORDS
    desk = KendoDesk
    state = staticmethod(shown)
    minutes = staticmethod(minutes_of_court)
    lines = staticmethod(lines_of_bout)
    film_page = staticmethod(film_page)

    @staticmethod
    def printed(players: int) -> KendoTable:  # noqa: ARG004 (always two)
        return KENDO_TABLE

    def eye(self, opened: OpenedTable) -> CardTableEye[CourtSeen | CourtUnseen]:
        return CardTableEye(CardGallery.of(opened.deck, copies(opened.deck)), opened.zones, seen_by)

    def opening(
        self, game_id: str, opened: OpenedTable, rules: RuleSet, names: tuple[str | None, ...]
    ) -> BoutOpened:
        return BoutOpened(game_id, opened.source, rules, opened.deck.name, opened.deck.width_mm, names)

    def simulated_table(self, text: str, players: int) -> OpenedTable:  # noqa: ARG002 (always two)
        from desk.kendo.simulation import simulated_bout

        return simulated_bout(text)

    def routes(self, page: GamePage[KendoDesk], frame: PageFrame) -> APIRouter:
        from desk.kendo.page.routes import KendoRoutes

        return KendoRoutes(page, frame).router


KENDO: Final = Kendo()
