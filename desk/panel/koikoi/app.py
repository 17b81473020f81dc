"""The panel's application for a game of Koi-Koi."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI

from desk.panel.app import LOCAL_HOSTS
from desk.panel.koikoi.port import KoiKoiPort
from desk.panel.koikoi.routes import KoiKoiRoutes
from desk.panel.pages import Pages
from desk.panel.single_page import single_page_app
from desk.panel.table.drawing_port import DrawnTablePort
from desk.panel.table.drawing_routes import DrawnTableRoutes
from desk.panel.table.seat_links import SeatLinks


def create_koikoi_app(
    port: KoiKoiPort,
    *,
    links: SeatLinks | None = None,
    allowed_hosts: Sequence[str] = LOCAL_HOSTS,
    addresses: Sequence[str] = (),
    drawn_table: DrawnTablePort | None = None,
) -> FastAPI:
    """Build the panel of a game of Koi-Koi.

    Parameters
    ----------
    port : the running game.
    links : the links of the seats; by default everyone may do everything, which is right only on 127.0.0.1.
    allowed_hosts : host names under which the panel answers (against DNS rebinding).
    addresses : the panel's addresses for phones.
    drawn_table : the table under a camera, whose zones may be drawn; None without a camera.
    """
    router = koikoi_router(port, Pages(), links or SeatLinks(), addresses, drawn_table)
    return single_page_app(router, "/koikoi", allowed_hosts)


def koikoi_router(
    port: KoiKoiPort,
    pages: Pages,
    links: SeatLinks,
    addresses: Sequence[str],
    drawn_table: DrawnTablePort | None = None,
) -> APIRouter:
    """Return the routes of a game of Koi-Koi and of its table; see `create_koikoi_app`."""
    router = KoiKoiRoutes(port, pages, links, addresses, can_draw=drawn_table is not None).router
    if drawn_table is not None:
        # both have the same prefix; `include_router` would add it twice
        router.routes += DrawnTableRoutes(drawn_table, pages, links).router.routes
    return router
