"""The panel of a reading without a match, with a phone as remote control or loudspeaker."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI

from desk.panel.app import LOCAL_HOSTS
from desk.panel.pages import Pages
from desk.panel.reciter.port import RecitePort
from desk.panel.reciter.routes import ReciteRoutes
from desk.panel.roles import Roles
from desk.panel.single_page import single_page_app


def create_recite_app(
    port: RecitePort, *, roles: Roles | None = None, allowed_hosts: Sequence[str] = LOCAL_HOSTS
) -> FastAPI:
    """Build the page of one reading.

    Parameters
    ----------
    roles : who may command; by default everyone, which is right only on 127.0.0.1.
    allowed_hosts : host names under which the page answers.
    """
    router = ReciteRoutes(port, Pages(), roles or Roles()).router
    return single_page_app(router, "/recite", allowed_hosts)
