"""A running card game at a live table, and its page."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from fastapi import APIRouter, FastAPI

from calibration.decks.deck import Deck
from desk.errors import DeskError
from desk.log.event_log import EventLog
from desk.log.log_lock import announce
from desk.machine.config import EVERY_HOST, PANEL_HOST, first_free, own_addresses
from desk.panel.app import LOCAL_HOSTS, single_page_app
from desk.panel.pages import Pages
from desk.panel.sockets import page_server
from desk.panel.table.port import DrawnTablePort
from desk.panel.table.seat_links import OPERATOR, SeatLinks
from desk.tables.card_game import CardGame, R
from desk.tables.desk import Attendant, TableDesk
from desk.tables.drawn_table import DrawnTable, kept_table
from desk.tables.game_page import GamePage, PageFrame
from desk.tables.live_table import LiveTable
from desk.tables.table import Table
from desk.tables.table_opening import OpenedTable


class LiveGame(LiveTable):
    """Watches a table and reports to the desk of its game, in the loop given to `begin`."""

    def __init__(self, game: CardGame[Any], desk: TableDesk[Any], table: Table, opened: OpenedTable) -> None:
        self.game, self.desk, self.opened = game, desk, opened
        eye = game.eye(opened)
        super().__init__(table, eye, Attendant(desk, opened.words), desk.left_ms, desk.unseen)
        self.keep_evidence(desk)
        kept = kept_table(game.name, opened.players)
        self.drawn_table = (
            DrawnTable(eye, game.printed(opened.players).zones, kept) if game.can_draw else None
        )

    def routes(self, pages: Pages, links: SeatLinks, addresses: Sequence[str]) -> APIRouter:
        page = page_of(self.game, self.desk, self.opened.deck, self.eye.preview, self.health)
        return self.game.routes(page, PageFrame(pages, links, addresses, self.drawn_table))


def new_desk(
    game: CardGame[R], log: EventLog, opened: OpenedTable, rules: R, names: Sequence[str | None] = ()
) -> TableDesk[Any]:
    seats = (*names, *[None] * (opened.players - len(names)))
    return game.desk(log, game.opening(log.path.stem, opened, rules, seats))


def desk_again(game: CardGame[Any], log: EventLog, opened: OpenedTable) -> TableDesk[Any]:
    """Return the desk of an interrupted game; DeskError if it is over, or log or table is another's."""
    with DeskError.wrapping(
        "{path}: no game of {game} can be read: {why}",
        ValueError,
        path=log.path,
        game=game.title,
    ):
        desk = game.desk(log)
    begun = desk.game.opened
    if desk.game.is_over:
        raise DeskError("this game is over: there is nothing to go on with")
    if begun.source != "camera" or opened.source != "camera":
        raise DeskError("a game on a film or a simulated table ends with it; open a camera for any other")
    if (begun.deck, desk.game.players) != (opened.deck.name, opened.players):
        raise DeskError(
            "this game was begun by {players} with the deck {deck}; the table has {other_players} and the "
            "deck {other_deck}",
            players=desk.game.players,
            deck=begun.deck,
            other_players=opened.players,
            other_deck=opened.deck.name,
        )
    return desk


def page_of(
    game: CardGame[Any],
    desk: TableDesk[Any],
    deck: Deck,
    preview: Callable[[], bytes | None] = lambda: None,
    health: Callable[[], dict[str, object]] = lambda: {"fps": None, "warnings": []},
) -> GamePage[Any]:
    width_px = game.picture_width_px
    return GamePage(desk, deck, game.state, width_px=width_px, preview=preview, health=health)


def game_app(
    game: CardGame[Any],
    page: GamePage[Any],
    *,
    links: SeatLinks | None = None,
    allowed_hosts: Sequence[str] = LOCAL_HOSTS,
    drawn_table: DrawnTablePort | None = None,
) -> FastAPI:
    """Build the panel of one game; without `links` everyone may do everything, right only on 127.0.0.1."""
    frame = PageFrame(Pages(), links or SeatLinks(), (), drawn_table)
    return single_page_app(game.routes(page, frame), f"/{game.name}", allowed_hosts)


async def serve_game(live: LiveGame, wanted_port: int, *, lan: bool) -> None:
    """Watch and serve the page until Ctrl-C, at the wanted port or the next free one."""
    path, players = f"/{live.game.name}", live.opened.players
    host = EVERY_HOST if lan else PANEL_HOST
    port = first_free(host, wanted_port)
    links = SeatLinks.fresh(players) if lan else SeatLinks()
    addresses = tuple(own_addresses()) if lan else ()
    urls = [f"http://{address}:{port}" for address in addresses]
    app = single_page_app(live.routes(Pages(), links, urls), path, (*LOCAL_HOSTS, *addresses))
    local = f"http://{PANEL_HOST}:{port}{path}"
    announce(local)
    chief = next((token for token, seat in links.tokens.items() if seat == OPERATOR), None)
    told = f"panel: {local}\n" if chief is None else f"panel: {local}/join/{chief}\n"
    live.begin(asyncio.get_running_loop())
    try:
        await page_server(app, host, port, told=told).serve()
    finally:
        await live.end()
