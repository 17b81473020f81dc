"""The panel of a reading without a match: practice with a phone as remote control or loudspeaker."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles

from desk.panel.app import LOCAL_HOSTS
from desk.panel.guard import guarded
from desk.panel.pages import Pages
from desk.panel.reciter.port import RecitePort
from desk.panel.reciter.routes import ReciteRoutes
from desk.panel.roles import Roles


def create_recite_app(
    port: RecitePort, *, roles: Roles | None = None, allowed_hosts: Sequence[str] = LOCAL_HOSTS
) -> FastAPI:
    """Build the page of one reading.

    Parameters
    ----------
    port : the reading.
    roles : who may command; by default everyone, which is right only on 127.0.0.1.
    allowed_hosts : host names under which the page answers.
    """
    app = guarded(allowed_hosts)
    app.mount("/static", StaticFiles(packages=[("desk.panel", "static")]), name="static")
    app.include_router(ReciteRoutes(port, Pages(), roles or Roles()).router)

    @app.get("/", response_class=RedirectResponse, status_code=303)
    async def first_page() -> RedirectResponse:
        return RedirectResponse("/recite", status_code=303)

    return app
