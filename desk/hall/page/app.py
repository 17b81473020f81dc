"""The board's application: the floor, the matches of all mats to look at, and the tournament."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fastapi import Depends, FastAPI, Request
from fastapi.responses import Response

from desk.hall.page.floor_routes import FloorRoutes
from desk.hall.page.port import FloorPort
from desk.hall.page.tournament_routes import TournamentRoutes
from desk.panel.app import LOCAL_HOSTS
from desk.panel.guard import guarded
from desk.panel.house.port import OneMatch
from desk.panel.match.port import Port
from desk.panel.match.record_routes import RecordRoutes
from desk.panel.match.routes import MatchRoutes
from desk.panel.match.stages import NoMatchError, Stages
from desk.panel.missing_page import MissingPage
from desk.panel.pages import Pages
from desk.panel.roles import Roles
from desk.panel.words import N_

if TYPE_CHECKING:
    from desk.hall.board.schedule import Schedule


class _HouseOfMats(OneMatch):
    """The matches of all mats as a house with read-only matches; the floor lists them."""

    def __init__(self, floor: FloorPort) -> None:
        super().__init__(None)
        self._floor = floor

    async def stored(self, match_id: str) -> Port | None:
        return self._floor.match(match_id)


def create_hall_app(
    floor: FloorPort,
    tournament: "Schedule | None" = None,
    *,
    roles: Roles | None = None,
    allowed_hosts: Sequence[str] = LOCAL_HOSTS,
) -> FastAPI:
    """Build the board; `roles` and `allowed_hosts` as in `desk.panel.app.create_app`."""
    roles, pages = roles or Roles(), Pages(has_home=True)
    stages = Stages(_HouseOfMats(floor), roles)
    app = guarded(allowed_hosts)
    app.include_router(FloorRoutes(floor, pages, roles, has_tournament=tournament is not None).router)
    if tournament is not None:
        app.include_router(TournamentRoutes(tournament, floor, pages, roles).router)

    async def with_replay(request: Request) -> None:
        named = request.path_params
        if "seq" in named and "/evidence/" in request.url.path and str(named["seq"]).isdecimal():
            await floor.fetch_replay(str(named["match_id"]), int(named["seq"]))

    of_match = MatchRoutes(stages, pages, phones_may_join=False, has_house=False)
    for routes in (of_match, RecordRoutes(stages, pages, has_house=False)):
        app.include_router(routes.router, prefix="/matches/{match_id}", dependencies=[Depends(with_replay)])
    missing = MissingPage(pages, {"/": N_("All mats")})
    missing.watch(app)

    @app.exception_handler(NoMatchError)
    async def without_match(request: Request, error: NoMatchError) -> Response:
        return error.answer(request, missing)

    return app
