"""The panel's application for a game of Koi-Koi."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from desk.panel.app import LOCAL_HOSTS
from desk.panel.guard import Guard
from desk.panel.koikoi_port import KoiKoiPort
from desk.panel.koikoi_routes import KoiKoiRoutes
from desk.panel.pages import Pages
from desk.panel.seat_links import SeatLinks


def create_koikoi_app(
    port: KoiKoiPort,
    *,
    links: SeatLinks | None = None,
    allowed_hosts: Sequence[str] = LOCAL_HOSTS,
    addresses: Sequence[str] = (),
) -> FastAPI:
    """Build the panel of a game of Koi-Koi.

    Parameters
    ----------
    port : the running game.
    links : who may say what; by default everyone everything, which is right only on 127.0.0.1.
    allowed_hosts : host names under which the panel answers (against DNS rebinding).
    addresses : where phones reach the panel.
    """
    app = FastAPI(title="shinpan", openapi_url=None, docs_url=None, redoc_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts))
    app.add_middleware(Guard)
    app.mount("/static", StaticFiles(packages=[("desk.panel", "static")]), name="static")
    app.include_router(KoiKoiRoutes(port, Pages(), links or SeatLinks(), addresses).router)
    app.get("/")(_to_the_game)
    return app


async def _to_the_game() -> RedirectResponse:
    return RedirectResponse("/koikoi", status_code=303)
