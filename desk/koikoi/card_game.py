"""Koi-Koi as a card game of the desk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from desk.errors import DeskError
from desk.koikoi.desk import NEXT_ROUND, KoiKoiDesk
from desk.koikoi.events import GameOpened, Seen, seen_by
from desk.koikoi.lines import lines_of_rounds, minutes_of_table
from desk.koikoi.page.rules import (
    PROPOSED,
    assignments,
    check_players,
    offered,
    rules_shown,
    switches,
)
from desk.koikoi.page.state import shown
from desk.koikoi.page.story import film_page, stories
from desk.machine.decks import BUILT_IN
from desk.panel.words import Words
from desk.tables.card_game import CardGame
from desk.tables.eye import CardTableEye
from desk.tables.game_page import GamePage, PageFrame
from desk.tables.log_follower import Following
from desk.tables.rules_option import load_rules
from desk.tables.table_opening import OpenedTable
from referee.koikoi.events import Call, Play
from referee.koikoi.house_rules import PRESETS
from referee.koikoi.ruleset import RuleSet
from vision.hanafuda.gallery import CardGallery
from vision.plane.printed_table import koikoi_table

if TYPE_CHECKING:
    from fastapi import APIRouter

    from desk.panel.home.port import TableChoices

UNFIT_RULES: Final = "unfit_rules"  # the problem of house rules that are for another number of players


class KoiKoi(CardGame[RuleSet]):
    """See `CardGame`."""

    name = "koikoi"
    title = "Koi-Koi"
    cards = "hanafuda"
    own_deck = BUILT_IN
    presets = PRESETS
    film_rules = "kasu-2008"
    players = (2, 3, 4)
    has_dealer = True
    own_zone = "capture"
    spoken = (*(call.value for call in Call), NEXT_ROUND)
    can_draw = True
    desk = KoiKoiDesk
    printed = staticmethod(koikoi_table)
    state = staticmethod(shown)
    check_players = staticmethod(check_players)
    minutes = staticmethod(minutes_of_table)
    lines = staticmethod(lines_of_rounds)
    stories = staticmethod(stories)
    film_page = staticmethod(film_page)

    def eye(self, opened: OpenedTable) -> CardTableEye[Seen]:
        """Return what watches the table; cards are glimpsed where they do not stay for long."""
        event_of = partial(seen_by, players=opened.players)
        return CardTableEye(CardGallery.of(opened.deck), opened.zones, event_of, ("turn", "field", "capture"))

    def opening(
        self, game_id: str, opened: OpenedTable, rules: RuleSet, names: tuple[str | None, ...]
    ) -> GameOpened:
        dealer, deck = opened.dealer or 0, opened.deck.name
        return GameOpened(game_id, opened.source, opened.players, dealer, rules, deck, names)

    def simulated_table(self, text: str, players: int) -> OpenedTable:
        from desk.koikoi.simulated_table import simulated_table

        return simulated_table(text, players)

    def rules(self, name: str, changes: Mapping[str, str], players: int) -> RuleSet:
        rules = load_rules(PRESETS, name, assignments(changes))
        if players not in rules_shown(rules)["players"]:
            raise DeskError(UNFIT_RULES)
        return rules

    def choices(self, cameras: list[str], said: Words) -> TableChoices:
        names = dict.fromkeys((PROPOSED, *PRESETS.names))
        return {
            **super().choices(cameras, said),
            "rules": offered([rules_shown(PRESETS[name]) for name in names], said),
            "default_rules": PROPOSED,
            "switches": switches(said),
        }

    def routes(self, page: GamePage[KoiKoiDesk], frame: PageFrame) -> APIRouter:
        from desk.koikoi.page.routes import KoiKoiRoutes

        return KoiKoiRoutes(page, frame).router

    def _followed(self, opened: OpenedTable, rules: RuleSet, events: Iterable[object]) -> Following[Any]:
        """Return the game after all events; if nobody has said who deals, who plays first is the dealer."""
        events = list(events)
        following = super()._followed(opened, rules, events)
        plays = (noted.event for noted in following.game.scribe.notes if isinstance(noted.event, Play))
        first = next((play.player for play in plays), None)
        if opened.dealer is None and first:
            return super()._followed(replace(opened, dealer=first), rules, events)
        return following


KOIKOI: Final = KoiKoi()
