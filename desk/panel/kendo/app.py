"""The panel's application for a bout of the Kendo cards."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI

from desk.panel.app import LOCAL_HOSTS
from desk.panel.kendo.port import KendoPort
from desk.panel.kendo.routes import KendoRoutes
from desk.panel.pages import Pages
from desk.panel.single_page import single_page_app
from desk.panel.table.seat_links import SeatLinks


def create_kendo_app(
    port: KendoPort,
    *,
    links: SeatLinks | None = None,
    allowed_hosts: Sequence[str] = LOCAL_HOSTS,
    addresses: Sequence[str] = (),
) -> FastAPI:
    """Build the panel of a bout of the Kendo cards.

    Parameters
    ----------
    port : the running bout.
    links : the links of the seats; by default everyone may do everything, which is right only on 127.0.0.1.
    allowed_hosts : host names under which the panel answers (against DNS rebinding).
    addresses : the panel's addresses for phones.
    """
    routes = KendoRoutes(port, Pages(), links or SeatLinks(), addresses)
    return single_page_app(routes.router, "/kendo", allowed_hosts)
