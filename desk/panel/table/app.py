"""The panel's application for a game at a card table."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from desk.panel.guard import Guard


def create_table_app(router: APIRouter, path: str, allowed_hosts: Sequence[str]) -> FastAPI:
    """Build the panel of one game.

    Parameters
    ----------
    router : the game's answers.
    path : of its page; `/` leads there.
    allowed_hosts : host names under which the panel answers (against DNS rebinding).
    """
    app = FastAPI(title="shinpan", openapi_url=None, docs_url=None, redoc_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts))
    app.add_middleware(Guard)
    app.mount("/static", StaticFiles(packages=[("desk.panel", "static")]), name="static")
    app.include_router(router)

    async def to_the_game() -> RedirectResponse:
        return RedirectResponse(path, status_code=303)

    app.get("/")(to_the_game)
    return app
