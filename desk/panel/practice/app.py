"""The panel of a practice without a home page."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI

from desk.panel.app import LOCAL_HOSTS
from desk.panel.pages import Pages
from desk.panel.practice.port import PracticePort
from desk.panel.practice.routes import PracticeRoutes
from desk.panel.roles import Roles
from desk.panel.single_page import single_page_app


def create_practice_app(
    port: PracticePort, *, roles: Roles | None = None, allowed_hosts: Sequence[str] = LOCAL_HOSTS
) -> FastAPI:
    """Build the page of one practice.

    Parameters
    ----------
    roles : who may command; by default everyone, which is right only on 127.0.0.1.
    allowed_hosts : host names under which the page answers.
    """
    router = PracticeRoutes(port, Pages(), roles or Roles()).router
    return single_page_app(router, "/practise", allowed_hosts)
