"""The match of a page: the running one, or an earlier one under `/matches/<id>`."""

from dataclasses import dataclass
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from desk.errors import DeskError
from desk.panel.house.port import HousePort
from desk.panel.match.port import Port
from desk.panel.match.view import Views
from desk.panel.missing_page import MissingPage
from desk.panel.pages import said_of
from desk.panel.preview import Preview
from desk.panel.roles import Role, Roles


class NoMatchError(LookupError):
    """No match is running, or the earlier one does not exist or cannot be read (`why`)."""

    def __init__(self, match_id: str | None, why: DeskError | None = None) -> None:
        super().__init__("no match is running" if match_id is None else f"there is no match {match_id!r}")
        self.match_id, self.why = match_id, why

    def answer(self, request: Request, missing: MissingPage) -> Response:
        """Say it in the visitor's language, as a page or as JSON."""
        said = said_of(request)
        if self.why is not None:
            told = said.complaint(self.why)
            return missing.of(request, 422, told) or JSONResponse({"error": told}, 422)
        told = said("There is no match {match}.", match=self.match_id)
        if self.match_id is None:
            told = said("No match is running.")
        return missing.of(request, 404) or JSONResponse({"error": told}, 404)


@dataclass(frozen=True, slots=True)
class Stage:
    """A match with the views that all its visitors share."""

    port: Port
    base: str  # prefix of its addresses, empty for the running match
    views: Views
    preview: Preview

    @property
    def is_live(self) -> bool:
        """Whether it is the running match, the only one that takes commands."""
        return not self.base


class Stages:
    """Finds the match and the visitor's role for a request."""

    def __init__(self, house: HousePort, roles: Roles) -> None:
        self._house = house
        self.roles = roles
        self._live: Stage | None = None
        self._stored: dict[str, Stage] = {}

    async def of(self, request: Request) -> Stage:
        """Return the match that the request's address names; NoMatchError if there is none."""
        match_id = request.path_params.get("match_id")
        try:
            port = self._house.match if match_id is None else await self._house.stored(match_id)
        except DeskError as error:
            raise NoMatchError(match_id, error) from error
        if port is None:
            raise NoMatchError(match_id)
        known = self._live if match_id is None else self._stored.get(match_id)
        if known is not None and known.port is port:
            return known
        base = "" if match_id is None else f"/matches/{quote(match_id)}"
        stage = Stage(port, base, Views(port), Preview(port))
        if match_id is None:
            self._live = stage
        else:
            self._stored = {match_id: stage}  # only one: views are large, and two are rarely open at once
        return stage

    def role_in(self, stage: Stage, request: Request) -> Role:
        """Return the visitor's role in a match: everybody is a viewer of an earlier one."""
        return self.roles.of_request(request) if stage.is_live else Role.VIEWER
