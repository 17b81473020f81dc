"""The application that serves only the phone's page."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from desk.panel.guard import guarded
from desk.panel.pages import Pages
from desk.panel.phone.port import PhoneDoor
from desk.panel.phone.routes import PhoneRoutes


def create_phone_app(door: PhoneDoor, allowed_hosts: Sequence[str]) -> FastAPI:
    """Build the application of the phone's page. `allowed_hosts`: host names under which it answers."""
    app = guarded(allowed_hosts, has_sockets=True)
    app.mount("/static", StaticFiles(packages=[("desk.panel", "static")]), name="static")
    app.include_router(PhoneRoutes(door, Pages()).router)
    return app
