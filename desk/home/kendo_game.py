"""The Kendo cards at a table of the house."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter

from desk.errors import DeskError
from desk.home.card_table import Agreed
from desk.kendo import sources
from desk.kendo.desk import KendoDesk
from desk.kendo.events import BoutOpened, CourtSeen, CourtUnseen
from desk.kendo.eye import KendoEye
from desk.kendo.live import LiveKendo
from desk.kendo.look import SEATS
from desk.log.event_log import EventLog
from desk.machine.decks import decks_of
from desk.panel.home.port import TableChoices
from desk.panel.house.port import SourceKind
from desk.panel.kendo.routes import KendoRoutes
from desk.panel.pages import Pages
from desk.phone.wish import PhoneWish
from desk.tables.rules_option import load_rules
from desk.tables.table import Table
from desk.tables.table_look import Lying
from desk.tables.table_opening import OpenedTable
from referee.kendo.house_rules import PRESETS
from referee.sentence import Sentence


class KendoGame:
    """See `desk.home.card_table.TableGame`.

    Parameters
    ----------
    pages : renders the templates.
    addresses : the panel's addresses for phones.
    phone : how a phone connects as a camera.
    """

    name = "kendo"

    def __init__(self, pages: Pages, addresses: list[str], phone: PhoneWish | None = None) -> None:
        self._pages, self._addresses, self._phone = pages, addresses, phone

    def choices(self, cameras: list[str]) -> TableChoices:
        """Return the choices of the set-up."""
        return {
            "cameras": cameras,
            "decks": decks_of("kendo"),
            "rules": [{"name": name, "players": [SEATS], "settings": {}} for name in PRESETS.names],
            "default_rules": PRESETS.default,
            "switches": {},
            "players": [SEATS],
        }

    def open(self, kind: SourceKind, where: str, deck: str, players: int) -> OpenedTable:  # noqa: ARG002 (always two)
        """Open a source."""
        if kind == "simulator":
            return sources.simulated_table(where)
        if kind == "video":
            return sources.recorded_table(Path(where).expanduser())
        if not deck:
            raise DeskError(Sentence("no box of Kendo cards is enrolled yet: shinpan enrol --game kendo"))
        return sources.camera_table(where, deck, phone=self._phone)

    def eye(self, opened: OpenedTable) -> KendoEye:
        """Return what watches the court."""
        return KendoEye(opened.deck, opened.zones)

    def lying(self, event: CourtSeen | CourtUnseen) -> Lying | None:
        """Count the cards on the court at rest; None for other events."""
        if not isinstance(event, CourtSeen):
            return None
        laid = sum(len(side) for side in event.look.laid)
        return Lying(laid - event.look.unnamed, event.look.unnamed)

    def check(self, agreed: Agreed) -> None:
        """Raise DeskError if there are no such house rules."""
        load_rules(PRESETS, agreed.rules)

    def begin(
        self, opened: OpenedTable, table: Table, log: EventLog, agreed: Agreed
    ) -> tuple[LiveKendo, APIRouter]:
        """Return the bout and its pages."""
        rules, deck = load_rules(PRESETS, agreed.rules), opened.deck
        bout = BoutOpened(log.path.stem, opened.source, rules, deck.name, deck.width_mm, agreed.names)
        live = LiveKendo(KendoDesk(log, bout), table, deck, opened.zones, opened.words)
        return live, KendoRoutes(live.port, self._pages, agreed.links, self._addresses).router
