"""The panel's application for a single game, reading, practice or enrolment."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles

from desk.panel.guard import guarded
from desk.panel.missing_page import MissingPage
from desk.panel.pages import Pages
from desk.panel.words import N_


def single_page_app(router: APIRouter, path: str, allowed_hosts: Sequence[str]) -> FastAPI:
    """Build the panel of a single page.

    `path`: address of the page; `/` leads there. `allowed_hosts`: host names under which the panel answers
    (against DNS rebinding).
    """
    app = guarded(allowed_hosts)
    app.mount("/static", StaticFiles(packages=[("desk.panel", "static")]), name="static")
    app.include_router(router)
    MissingPage(Pages(), {path: N_("To the page")}).watch(app)

    async def to_the_page() -> RedirectResponse:
        """Lead to the page."""
        return RedirectResponse(path, status_code=303)

    app.get("/", response_class=RedirectResponse, status_code=303)(to_the_page)
    return app
