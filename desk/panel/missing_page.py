"""The page that a browser gets in place of one that does not exist or is not allowed: the reason, and links.

Other clients get the reason as JSON.
"""

from collections.abc import Mapping

from fastapi import FastAPI, Request, Response
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from desk.panel.guard import misshapen
from desk.panel.pages import Pages, said_of
from desk.panel.words import N_

_WHY = {
    403: (
        N_("This page is for the operator"),
        N_("Open it on the desk's computer, or with the operator's link."),
    ),
    404: (
        N_("This page is not there"),
        N_("Its game has not begun or is over, what it showed was deleted, or the address is wrong."),
    ),
    422: (
        N_("This page is not there"),
        N_("The address asks for something that cannot be: go on from here."),
    ),
    410: (N_("This was deleted"), N_("The rulings are still there, without their pictures.")),
}


class MissingPage:
    """Answers in place of missing pages. `ways`: addresses of the links, and their labels."""

    def __init__(self, pages: Pages, ways: Mapping[str, str]) -> None:
        self._pages, self._ways = pages, ways

    def watch(self, app: FastAPI) -> None:
        """Answer in place of an application's own error responses."""
        app.add_exception_handler(HTTPException, self._instead)
        app.add_exception_handler(RequestValidationError, self._in_place_of_misshapen)

    def of(self, request: Request, status: int, told: str | None = None) -> Response | None:
        """Return the page for a status, None unless a browser asks for a page.

        `told`: why a match cannot be shown, in the visitor's language.
        """
        is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        if not is_page or status not in _WHY:
            return None
        said = said_of(request)
        title, why = map(said, _WHY[status])
        if told is not None:
            title, why = said("This match cannot be shown"), told
        page = self._pages.page("missing.html", said, title=title, why=why, ways=self._ways)
        page.status_code = status
        return page

    async def _instead(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return self.of(request, error.status_code) or await http_exception_handler(request, error)

    async def _in_place_of_misshapen(self, request: Request, error: Exception) -> Response:
        return self.of(request, 422) or await misshapen(request, error)
