"""The page for drawing the table over the live picture: four corners, then every zone."""

from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field

from desk.panel.forms import Form
from desk.panel.pages import Pages, Said, in_script
from desk.panel.phrases import phrase
from desk.panel.table.names import TABLE_REFUSALS, zone_names
from desk.panel.table.port import DrawnTablePort, TableDrawn
from desk.panel.table.seat_links import OPERATOR, SeatLinks


class ForgetRequest(Form):
    """Go back to the printed mat."""

    name: Literal["forget"]


TableRequest = Annotated[TableDrawn | ForgetRequest, Field(discriminator="name")]


class DrawnTableRoutes:
    """The routes under `/koikoi/table`."""

    def __init__(self, port: DrawnTablePort, pages: Pages, links: SeatLinks) -> None:
        self._port, self._pages, self._links = port, pages, links
        self.router = APIRouter(prefix="/koikoi")
        self.router.get("/table", response_class=HTMLResponse)(self.page)
        self.router.get("/table.json")(self.shown)
        self.router.get("/table.jpg")(self.picture)
        self.router.post("/table")(self.change)

    async def page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the page."""
        if self._links.of_request(request) != OPERATOR:
            raise HTTPException(403, "only the operator draws the table")
        table = self._port.table()
        return self._pages.page(
            "koikoi_table.html",
            said,
            names=in_script(zone_names(table["zones"], said)),
            table=in_script(table),
        )

    async def shown(self) -> JSONResponse:
        """Return the table that the eye uses now."""
        return JSONResponse(dict(self._port.table()))

    async def picture(self) -> Response:
        """Return the latest picture of the table."""
        jpeg = self._port.preview()
        if jpeg is None:
            raise HTTPException(404, "no picture arrives from the source")
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    async def change(self, wanted: TableRequest, request: Request, said: Said) -> JSONResponse:
        """Replace the table, or go back to the printed mat."""
        allowed, refusal = self._links.of_request(request) == OPERATOR, None
        if not allowed:
            refusal = "not_yours"
        elif isinstance(wanted, TableDrawn):
            refusal = self._port.draw(wanted)
        else:
            self._port.forget()
        if refusal is None:
            return JSONResponse(dict(self._port.table()))
        text = phrase(said, TABLE_REFUSALS, refusal)
        return JSONResponse({"refusal": refusal, "error": text}, 409 if allowed else 403)
