"""The routes of one match: its page, its events, commands, evidence and live picture."""

from functools import cache
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Header, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from markupsafe import Markup
from sse_starlette import EventSourceResponse

from desk.panel import phrases
from desk.panel.answers import ELSEWHERE, NOT_NOW, data
from desk.panel.house.rules import risk_text
from desk.panel.match.bundle import Replay, add_replays
from desk.panel.match.poem_view import caption_of, poem_view
from desk.panel.match.port import Caption, Refusal
from desk.panel.match.requests import Command, CommandRequest
from desk.panel.match.sentence import side_names
from desk.panel.match.stages import Stages
from desk.panel.match.stream import messages
from desk.panel.pages import Pages, Said, in_script
from desk.panel.phrases import phrase
from desk.panel.preview import MEDIA_TYPE, live_picture
from desk.panel.words import Words
from referee.cards.poems import POEMS


class MatchRoutes:
    """The routes of the running match and of earlier ones.

    `has_house`: whether there is a set-up and a history to link to.
    """

    def __init__(self, stages: Stages, pages: Pages, *, phones_may_join: bool, has_house: bool) -> None:
        self._stages, self._pages = stages, pages
        self._phones_may_join, self._has_house = phones_may_join, has_house
        self.router = APIRouter()
        get = self.router.get
        get("/", response_class=HTMLResponse, responses=ELSEWHERE)(self._page)
        get("/api/view")(self._view)
        get("/api/poems/{seq}")(self._poem)
        get("/api/events", response_class=Response, responses=data("text/event-stream"))(self._events)
        self.router.post("/api/commands", responses=NOT_NOW)(self._command)
        add_replays(self.router, "/evidence/{seq}", self._replay)
        get("/preview.mjpeg", response_class=Response, responses=data(MEDIA_TYPE))(self._live)

    async def _page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the page of the match."""
        stage = await self._stages.of(request)
        return self._pages.page(
            "match.html",
            said,
            base=stage.base,
            declarations=phrases.DECLARATIONS.items(),
            policies=phrases.POLICIES,
            stops=phrases.STOPS,
            role=self._stages.role_in(stage, request).value,
            phones_may_join=self._phones_may_join and stage.is_live,
            has_house=self._has_house,
            risk=risk_text(stage.port.state()["match"]["risk"], said),
            view=in_script(stage.views.text(said)),
            **torifuda(),
        )

    async def _view(self, request: Request, said: Said) -> Response:
        """Return the page's data: state, field, rulings."""
        stage = await self._stages.of(request)
        return Response(stage.views.text(said), media_type="application/json")

    async def _poem(self, request: Request, seq: int, said: Said) -> JSONResponse:
        """Return one ruling with its reasons and contacts."""
        snapshot = (await self._stages.of(request)).port.state()
        names = side_names(said, snapshot["match"]["names"])
        for ruled in snapshot["poems"]:
            if ruled["seq"] == seq:
                return JSONResponse(poem_view(ruled, names, said))
        raise HTTPException(404, f"no ruling that stands has number {seq}")

    async def _events(
        self,
        request: Request,
        said: Said,
        after: str | None = None,
        last_event_id: Annotated[str | None, Header()] = None,
    ) -> EventSourceResponse:
        """Send every event of the log, and the page's data whenever they change."""
        stage = await self._stages.of(request)
        # a browser that reconnects says what it saw last; a new page says what it was made from
        return EventSourceResponse(messages(stage.port, stage.views, said, last_event_id or after))

    async def _command(self, command: CommandRequest, request: Request, said: Said) -> JSONResponse:
        """Carry out what an official or a player says."""
        stage = await self._stages.of(request)
        role = self._stages.role_in(stage, request)
        if not role.may(command):
            return JSONResponse({"error": said("Only the operator may do this.")}, status_code=403)
        result = await stage.port.command(Command(command, role.value))
        if result.refusal is not None:
            text = phrase(said, phrases.REFUSALS, result.refusal.value)
            if result.refusal is Refusal.NOT_NOW:
                text = said.plain(phrases.NOT_NOW.get(command.name, text))
            return JSONResponse({"refusal": result.refusal.value, "error": text}, status_code=409)
        return JSONResponse({"seq": result.seq})

    async def _replay(self, request: Request, seq: int) -> Replay:
        async def clip(said: Words) -> Path | None:
            snapshot = port.state()
            names = side_names(said, snapshot["match"]["names"])
            captions = (caption_of(ruled, names, said) for ruled in snapshot["poems"] if ruled["seq"] == seq)
            return await port.clip(seq, next(captions, Caption(())))

        port = (await self._stages.of(request)).port
        bundle, missing = port.evidence(seq), HTTPException(404, f"there is no evidence for ruling {seq}")
        if port.evidence_was_deleted():
            missing = HTTPException(410, "the pictures of this match were deleted")
        if bundle is None or not bundle.is_file():
            raise missing
        return Replay(bundle, clip, missing)

    async def _live(self, request: Request) -> Response:
        """Return the live picture of the field."""
        preview = (await self._stages.of(request)).preview
        if preview.part() is None:
            raise HTTPException(404, "no picture arrives from the source")
        return live_picture(preview)


@cache
def torifuda() -> dict[str, Markup]:
    """Return what pages need to draw cards: their text, column by column, and their order by kimariji."""
    ordered = sorted(POEMS.values(), key=lambda poem: poem.kimariji)
    cards = [{"card": poem.number, "name": poem.kimariji, "text": poem.torifuda} for poem in ordered]
    faces = {number: poem.torifuda_columns for number, poem in POEMS.items()}
    return {"faces": in_script(faces), "cards": in_script(cards)}
