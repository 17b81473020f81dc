"""The routes of all card tables: the page, its stream, the live picture, and the links for phones."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from sse_starlette import EventSourceResponse

from desk.errors import EventLogError
from desk.panel.answers import attachment, data
from desk.panel.pages import Pages, Said, in_script
from desk.panel.phrases import REFUSALS, Awaited, awaited_view, phrase
from desk.panel.preview import MEDIA_TYPE, Preview, live_picture
from desk.panel.table.port import TablePort
from desk.panel.table.seat_links import OPERATOR, SeatLinks, seated
from desk.panel.table.stream import HINDRANCES, table_messages
from desk.panel.words import Words

_A_DAY: Final = "private, max-age=86400"
_NOT_YOURS: Final = "not_yours"


class TableRoutes(ABC):
    """The routes under `/GAME`, the game's name; `addresses`: the panel's addresses for phones.

    `template`: name of its template, and of the folder of its scripts; by default the game's.
    """

    template = ""

    def __init__(
        self, game: str, port: TablePort, pages: Pages, links: SeatLinks, addresses: Sequence[str]
    ) -> None:
        self._game, self._table = game, port
        self._pages, self._links, self._addresses = pages, links, addresses
        self._preview = Preview(port)
        self._texts: dict[str, tuple[int, str]] = {}
        self.router = APIRouter(prefix=f"/{game}")
        get = self.router.get
        get("", response_class=HTMLResponse)(self.page)
        get("/join/{token}", response_class=RedirectResponse, status_code=303)(self.join)
        get("/view")(self.view)
        get("/events", response_class=Response, responses=data("text/event-stream"))(self.events)
        get("/preview.mjpeg", response_class=Response, responses=data(MEDIA_TYPE))(self.live)
        get("/record.json")(self.record)

    @abstractmethod
    def _shown(self, said: Words) -> Mapping[str, Any]:
        """Return the page's data in one language."""

    @abstractmethod
    def _names(self, said: Words) -> list[str]:
        """Return the names of the seats."""

    @abstractmethod
    def _awaited(self, said: Words) -> tuple[Awaited, str]:
        """Return what the game waits for, and the player whom its sentences name."""

    @abstractmethod
    def _more(self, said: Words) -> dict[str, object]:
        """Return further values for the page's template."""

    async def page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the page."""
        seat = self._links.of_request(request)
        return self._pages.page(
            f"{self.template or self._game}.html",
            said,
            game=self._game,
            folder=self.template or self._game,
            seat=seat,
            links=self._phones(said) if seat == OPERATOR else {},
            view=in_script(self._text(said)),
            **self._more(said),
        )

    async def join(self, token: str, request: Request) -> RedirectResponse:
        """Give a phone its seat."""
        return seated(f"/{self._game}", token, self._links, request)

    async def view(self, said: Said) -> Response:
        """Return the page's data."""
        return Response(self._text(said), media_type="application/json")

    async def record(self) -> Response:
        """Return the whole game for other programs."""
        text = json.dumps(self._table.state(), ensure_ascii=False, indent=1)
        return attachment(text, f"shinpan-{self._game}.json")

    async def events(self, said: Said) -> EventSourceResponse:
        """Send the page's data whenever they change, and a sign of life every second."""
        return EventSourceResponse(table_messages(self._table, lambda: self._text(said), self._waits, said))

    async def live(self) -> Response:
        """Return the live picture of the table."""
        if self._preview.part() is None:
            raise HTTPException(404, "no picture arrives from the source")
        return live_picture(self._preview)

    def _text(self, said: Words) -> str:
        """Return the page's data as JSON, built once for each language and state."""
        seq = self._table.state()["seq"]
        known = self._texts.get(said.language)
        if known is None or known[0] != seq:
            text = json.dumps(self._shown(said), ensure_ascii=False, separators=(",", ":"))
            known = self._texts[said.language] = seq, text
        return known[1]

    def _waits(self, hindrance: str | None, said: Words) -> Mapping[str, str | None]:
        """Return what the page says it waits for: what keeps the table from being read comes first."""
        awaited, player = self._awaited(said)
        if hindrance is not None and awaited.is_seen:
            if hindrance == "ended" and not self._pages.has_home:
                hindrance = "ended_alone"
            return awaited_view(HINDRANCES[hindrance], said)
        return awaited_view(awaited, said, player=player)

    def _phones(self, said: Words) -> dict[str, str]:
        """Return the links for phones with the names of their seats."""
        names = self._names(said)
        return {
            f"{base}/{self._game}/join/{token}": names[owner] if isinstance(owner, int) else said("Operator")
            for base in self._addresses
            for token, owner in self._links.shown.items()
        }

    def _answer(
        self, said: Words, refusals: Mapping[str, str], carry_out: Callable[[], object], *, allowed: bool
    ) -> JSONResponse:
        """Carry out a command and return its result."""
        try:
            refusal = carry_out() if allowed else _NOT_YOURS
        except EventLogError:
            return JSONResponse({"refusal": "not_kept", "error": phrase(said, REFUSALS, "not_kept")}, 409)
        if not isinstance(refusal, str):
            return JSONResponse({"seq": self._table.state()["seq"]})
        status = 409 if allowed else 403
        return JSONResponse({"refusal": refusal, "error": phrase(said, refusals, refusal)}, status)


def card_picture(picture: bytes) -> Response:
    """Return the response with a picture that browsers may cache: it does not change during a game."""
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": _A_DAY})
