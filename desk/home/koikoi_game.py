"""Koi-Koi at a card table of the house."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fastapi import APIRouter

from desk.errors import DeskError
from desk.home.card_table import UNFIT_RULES, Agreed
from desk.koikoi import sources
from desk.koikoi.agreement import PROPOSED, SWITCHES, assignments, rules_shown
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import GameOpened, Seen, TableSeen
from desk.koikoi.eye import KoiKoiEye
from desk.koikoi.live import LiveKoiKoi
from desk.log.event_log import EventLog
from desk.machine.decks import BUILT_IN, decks_of
from desk.panel.home.port import TableChoices
from desk.panel.house.port import SourceKind
from desk.panel.koikoi.app import koikoi_router
from desk.panel.koikoi.port import RulesShown
from desk.panel.pages import Pages
from desk.phone.wish import PhoneWish
from desk.tables.rules_option import load_rules
from desk.tables.table import Table
from desk.tables.table_look import Lying
from desk.tables.table_opening import OpenedTable
from referee.koikoi.house_rules import PRESETS
from referee.koikoi.ruleset import RuleSet


class KoiKoiGame:
    """See `desk.home.card_table.TableGame`.

    Parameters
    ----------
    pages : renders the templates.
    addresses : the panel's addresses for phones.
    phone : how a phone connects as a camera.
    """

    name = "koikoi"

    def __init__(self, pages: Pages, addresses: list[str], phone: PhoneWish | None = None) -> None:
        self._pages, self._addresses, self._phone = pages, addresses, phone

    def choices(self, cameras: list[str]) -> TableChoices:
        """Return the choices of the set-up, including the deck that this program draws itself."""
        decks = decks_of("hanafuda")
        return {
            "cameras": cameras,
            "decks": decks if BUILT_IN in decks else [*decks, BUILT_IN],
            "rules": [rules_shown(PRESETS[name]) for name in dict.fromkeys((PROPOSED, *PRESETS.names))],
            "default_rules": PROPOSED,
            "switches": {switch: list(settings) for switch, settings in SWITCHES.items()},
            "players": [2, 3, 4],
        }

    def open(self, kind: SourceKind, where: str, deck: str, players: int) -> OpenedTable:
        """Open a source."""
        if kind == "simulator":
            return sources.simulated_table(where, players)
        if kind == "video":
            return sources.recorded_table(Path(where).expanduser())
        return sources.camera_table(where, deck or BUILT_IN, players, phone=self._phone)

    def eye(self, opened: OpenedTable) -> KoiKoiEye:
        """Return what watches the table."""
        return KoiKoiEye(opened.deck, opened.zones, opened.players)

    def lying(self, event: Seen) -> Lying | None:
        """Count the cards on the table at rest; None for other events."""
        if not isinstance(event, TableSeen):
            return None
        return Lying(len(event.look.cards), event.look.unnamed)

    def check(self, agreed: Agreed) -> None:
        """Raise DeskError if there are no such house rules, or they are not for so many players."""
        if len(agreed.names) not in rules_shown(_rules(agreed))["players"]:
            raise DeskError(UNFIT_RULES)

    def begin(
        self, opened: OpenedTable, table: Table, log: EventLog, agreed: Agreed
    ) -> tuple[LiveKoiKoi, APIRouter]:
        """Return the game and its pages."""
        rules, deck = _rules(agreed), opened.deck
        dealer = agreed.dealer if opened.source == "camera" else opened.dealer
        game = GameOpened(
            log.path.stem, opened.source, opened.players, dealer, rules, deck.name, agreed.names
        )
        live = LiveKoiKoi(KoiKoiDesk(log, game), table, deck, opened.zones, opened.words)
        router = koikoi_router(live.port, self._pages, agreed.links, self._addresses, live.drawn_table)
        return live, router


def rules_with(preset: str, changes: Mapping[str, str]) -> RulesShown | None:
    """Return what a page tells of a preset with some switches changed; None if there is no such rule."""
    if preset not in PRESETS.names:
        return None
    try:
        return rules_shown(load_rules(PRESETS, preset, assignments(changes)))
    except DeskError:
        return None


def _rules(agreed: Agreed) -> RuleSet:
    return load_rules(PRESETS, agreed.rules, assignments(agreed.changes))
