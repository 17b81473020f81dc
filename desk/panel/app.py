"""The panel's web application: its hosts and roles, and the routers of its parts."""

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from desk.errors import DeskError
from desk.panel.book.port import BookPort
from desk.panel.films.port import UPLOADS, FilmRefusedError, FilmsPort
from desk.panel.guard import guarded
from desk.panel.home.port import HomePort
from desk.panel.house.port import HousePort, OneMatch
from desk.panel.house.routes import HouseRoutes
from desk.panel.match.port import Port
from desk.panel.match.record_routes import RecordRoutes
from desk.panel.match.routes import MatchRoutes
from desk.panel.match.stages import NoMatchError, Stages
from desk.panel.missing_page import MissingPage
from desk.panel.pages import Pages, said_of
from desk.panel.roles import Roles
from desk.panel.words import N_

LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")


def single_page_app(router: APIRouter, path: str, allowed_hosts: Sequence[str]) -> FastAPI:
    """Build the panel of a single page at `path`, to which `/` leads; `allowed_hosts` as in `create_app`."""
    app = guarded(allowed_hosts)
    app.include_router(router)
    MissingPage(Pages(), {path: N_("To the page")}).watch(app)

    async def to_the_page() -> RedirectResponse:
        """Lead to the page."""
        return RedirectResponse(path, status_code=303)

    app.get("/", response_class=RedirectResponse, status_code=303)(to_the_page)
    return app


def create_app(
    match: Port | None = None,
    *,
    house: HousePort | None = None,
    roles: Roles | None = None,
    allowed_hosts: Sequence[str] = LOCAL_HOSTS,
    addresses: Sequence[str] = (),
    book: BookPort | None = None,
    home: HomePort | None = None,
    films: FilmsPort | None = None,
) -> FastAPI:
    """Build the panel of a house, or of one match.

    Parameters
    ----------
    house : the matches and the set-up of the next one.
    roles : who may command; by default everyone, which is right only on 127.0.0.1.
    allowed_hosts : host names under which the panel answers. A page of another name that a browser was
        tricked into connecting to this machine (DNS rebinding) is refused.
    addresses : the panel's addresses for phones, such as `http://192.168.1.5:8321`; shown as QR codes.
    home : the games besides karuta; with it the panel has a home page.
    """
    if house is None:
        if match is None:
            raise ValueError("the panel shows a match or a house: expected one of them")
        house = OneMatch(match)
    roles, pages = roles or Roles(), Pages(has_home=home is not None)
    stages = Stages(house, roles)
    app = guarded(allowed_hosts, None if films is None else UPLOADS)
    has_house = not isinstance(house, OneMatch)
    tables, has_films = {} if home is None else home.tables, films is not None
    of_house = HouseRoutes(
        house, stages, pages, roles, addresses, book=book, has_films=has_films, tables=tables
    )
    # The pages of a part are loaded only where the part is there, so that a match alone is shown sooner.
    parts = [of_house.router]
    if book is not None:
        from desk.panel.book.routes import BookRoutes

        parts.append(BookRoutes(book, pages).router)
    if films is not None:
        from desk.panel.films.routes import FilmRoutes, film_refused

        app.add_exception_handler(FilmRefusedError, film_refused)
        parts.append(FilmRoutes(films, roles, pages).router)
    for router in parts:
        app.include_router(router)
    of_match = MatchRoutes(stages, pages, phones_may_join=bool(addresses), has_house=has_house)
    record = RecordRoutes(stages, pages, has_house=has_house)
    for prefix in ("", "/matches/{match_id}"):
        app.include_router(of_match.router, prefix=prefix)
        app.include_router(record.router, prefix=prefix)
    if home is not None:
        from desk.panel.home.routes import HomeRoutes

        of_home = HomeRoutes(home, house, pages, roles, addresses, book=book, has_films=has_films)
        app.include_router(of_home.router)
        app.router.routes.extend(of_home.doors)

    ways = {"/home": N_("Home")} if home is not None else {}
    ways |= {"/matches": N_("Matches")} if has_house else {}
    ways |= {"/book": N_("Book")} if book is not None else {}
    ways |= {"/films": N_("Films")} if has_films else {}
    missing = MissingPage(pages, ways or {"/": N_("Match")})
    missing.watch(app)

    @app.exception_handler(NoMatchError)
    async def without_match(request: Request, error: NoMatchError) -> Response:
        if request.url.path == "/" and error.match_id is None:
            # a source on the command line means that karuta is chosen already
            is_chosen = house.set_up is not None and house.set_up.state()["source"] is not None
            first = "/set-up" if home is None or is_chosen else "/home"
            return RedirectResponse(first, status_code=303)
        return error.answer(request, missing)

    @app.exception_handler(DeskError)
    async def not_now(request: Request, error: DeskError) -> Response:
        return JSONResponse({"error": said_of(request).complaint(error)}, status_code=503)

    return app
