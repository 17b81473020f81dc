"""The panel of a practice that is served by itself."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles

from desk.panel.app import LOCAL_HOSTS
from desk.panel.guard import guarded
from desk.panel.pages import Pages
from desk.panel.practice.port import PracticePort
from desk.panel.practice.routes import PracticeRoutes
from desk.panel.roles import Roles


def create_practice_app(
    port: PracticePort, *, roles: Roles | None = None, allowed_hosts: Sequence[str] = LOCAL_HOSTS
) -> FastAPI:
    """Build the page of one practice.

    Parameters
    ----------
    port : the practice.
    roles : who may command; by default everyone, which is right only on 127.0.0.1.
    allowed_hosts : host names under which the page answers.
    """
    app = guarded(allowed_hosts)
    app.mount("/static", StaticFiles(packages=[("desk.panel", "static")]), name="static")
    app.include_router(PracticeRoutes(port, Pages(), roles or Roles()).router)

    @app.get("/")
    async def first_page() -> RedirectResponse:
        return RedirectResponse("/practise", status_code=303)

    return app
