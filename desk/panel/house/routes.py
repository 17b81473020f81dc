"""The routes around the matches: the set-up of the next one, the history, and invitations of phones."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from desk.panel import phrases
from desk.panel.answers import NOT_NOW, data
from desk.panel.book.port import BookPort
from desk.panel.home.port import TablePort
from desk.panel.house.port import BinRefusal, HousePort, SetUpPort
from desk.panel.house.rules import listed, offered, switches_offered
from desk.panel.house.setup_view import problem_text, set_up_view
from desk.panel.match.requests import AgreedRequest, CorrectRequest, GoOnRequest, SourceRequest
from desk.panel.match.routes import torifuda
from desk.panel.match.stages import Stages
from desk.panel.pages import Pages, Said, in_script
from desk.panel.preview import MEDIA_TYPE, Preview, live_picture
from desk.panel.qr_code import qr_svg
from desk.panel.roles import Role, Roles, joined, keep_token
from desk.panel.table.names import seat_name
from desk.panel.words import N_, Words

INVITED_AS: Mapping[Role, str] = {
    Role.VIEWER: N_("Audience: sees everything"),
    Role.NEAR: N_("Near player: may also appeal and pause"),
    Role.FAR: N_("Far player: may also appeal and pause"),
    Role.OPERATOR: N_("Operator: decides. For officials only."),
}


def invitations(base: str, roles: Roles) -> list[dict[str, Any]]:
    """Return the links of the panel's address `base` with their roles and QR codes, the audience's first."""
    links = {f"{base}/": Role.VIEWER} | {f"{base}/join/{token}": role for token, role in roles.tokens.items()}
    return [{"role": role, "address": link, "qr_svg": qr_svg(link)} for link, role in links.items()]


class HouseRoutes:
    """The routes of the house. `addresses`: the panel's addresses for phones.

    `tables`: the card tables, whose interrupted games can go on.
    """

    def __init__(
        self,
        house: HousePort,
        stages: Stages,
        pages: Pages,
        roles: Roles,
        addresses: Sequence[str],
        *,
        book: BookPort | None = None,
        has_films: bool = False,
        tables: Mapping[str, TablePort] = MappingProxyType({}),
    ) -> None:
        self._house, self._stages, self._pages, self._roles = house, stages, pages, roles
        self._addresses, self._book, self._has_films, self._tables = addresses, book, has_films, tables
        self._preview: tuple[SetUpPort, Preview] | None = None
        self.router = APIRouter()
        get, operator = self.router.get, [Depends(roles.need_operator)]
        post = partial(self.router.post, dependencies=operator)
        get("/matches", response_class=HTMLResponse)(self._matches)
        post("/api/matches/{match_id}/delete", responses=NOT_NOW)(self._delete)
        post("/api/matches/{match_id}/put-back", responses=NOT_NOW)(self._put_back)
        get("/invite", response_class=HTMLResponse, dependencies=operator)(self._invite)
        post("/api/invitations/renew")(self._renew)
        get("/join/{token}", response_class=RedirectResponse, status_code=303)(self._join)
        get("/set-up", response_class=HTMLResponse)(self._set_up)
        live = data(MEDIA_TYPE)
        get("/set-up.mjpeg", response_class=Response, responses=live, dependencies=operator)(self._live)
        get("/api/set-up", dependencies=operator)(self._state)
        post("/api/set-up/source")(self._choose)
        post("/api/set-up/correct", responses=NOT_NOW)(self._correct)
        post("/api/set-up/start", responses=NOT_NOW)(self._start)
        post("/api/set-up/go-on", responses=NOT_NOW)(self._go_on)

    # --- history and joining -----------------------------------------------------------------------------
    async def _matches(
        self, request: Request, said: Said, deleted: Annotated[str, Query(max_length=200)] = ""
    ) -> HTMLResponse:
        """Serve the list of matches; `deleted` is the one that has just been moved into the bin."""
        kept = self._house.bin
        may_delete = kept is not None and self._roles.is_operator(request)
        binned = [] if kept is None or not may_delete else await run_in_threadpool(kept.matches)
        may_set_up = self._may_set_up(request)
        tables = self._tables if may_set_up else {}
        left = {game: await run_in_threadpool(table.interrupted) for game, table in tables.items()}
        unreadable = await run_in_threadpool(self._house.unreadable)
        return self._pages.page(
            "matches.html",
            said,
            matches=[listed(match, said) for match in await run_in_threadpool(self._house.matches)],
            unreadable=[said.complaint(why) for why in unreadable.values()],
            may_delete=may_delete,
            binned=[listed(match, said) for match in binned],
            deleted=next((listed(match, said) for match in binned if match["id"] == deleted), None),
            sources=phrases.SOURCES,
            may_set_up=may_set_up,
            interrupted={game: games for game, games in left.items() if games},
            titles={game: table.title for game, table in self._tables.items()},
            seat_name=seat_name,
            has_match=self._house.match is not None,
            running=None if self._house.match is None else self._house.match.state()["match"]["id"],
            has_book=self._book is not None,
            has_films=self._has_films,
        )

    async def _delete(self, match_id: str, said: Said) -> JSONResponse:
        """Move a match into the bin."""
        return await self._moved(said, match_id, is_back=False)

    async def _put_back(self, match_id: str, said: Said) -> JSONResponse:
        """Move a match out of the bin."""
        return await self._moved(said, match_id, is_back=True)

    async def _moved(self, said: Words, match_id: str, *, is_back: bool) -> JSONResponse:
        kept = self._house.bin
        refusal: BinRefusal | None = "missing"
        if kept is not None:
            refusal = await run_in_threadpool(kept.put_back if is_back else kept.delete, match_id)
        if refusal is not None:
            return JSONResponse({"error": phrases.phrase(said, phrases.BIN_REFUSALS, refusal)}, 409)
        return JSONResponse({"match": match_id})

    async def _invite(self, said: Said) -> HTMLResponse:
        """Serve the links by which phones join."""
        links = {base: invitations(base, self._roles) for base in self._addresses}
        return self._pages.page("invite.html", said, addresses=links, invited_as=INVITED_AS)

    async def _renew(self) -> JSONResponse:
        """Draw new links; who joined by an old one only looks on from now on."""
        self._roles.renew()
        answer = JSONResponse({})
        if self._roles.operator is not None:
            keep_token(answer, self._roles.operator)
        return answer

    async def _join(self, token: str, request: Request) -> RedirectResponse:
        """Give the visitor the role of a link, and lead to the page."""
        return joined("/", token, self._roles, request)

    # --- set-up ------------------------------------------------------------------------------------------
    def _may_set_up(self, request: Request) -> bool:
        return self._house.set_up is not None and self._roles.is_operator(request)

    def _of(self) -> SetUpPort:
        if self._house.set_up is None:
            raise HTTPException(404, "this program shows one match: shinpan serve sets matches up")
        return self._house.set_up

    async def _set_up(
        self, request: Request, said: Said, go_on: Annotated[str, Query(max_length=200)] = ""
    ) -> HTMLResponse:
        """Serve the set-up of a match, or of one that was interrupted and goes on: `go_on`."""
        if self._house.set_up is not None and not self._roles.is_operator(request):
            return self._pages.page("waiting.html", said)
        set_up = self._of()
        shown = self._shown(set_up, said)
        choices = set_up.choices()
        matches = await run_in_threadpool(self._house.matches) if go_on else []
        interrupted = next((listed(match, said) for match in matches if match["id"] == go_on), None)
        return self._pages.page(
            "set_up.html",
            said,
            interrupted=interrupted,
            sources=set_up.sources(),
            source_names=phrases.SOURCES,
            choices=choices,
            rules=offered(choices["rules"], said),
            switches=switches_offered(said),
            policies=phrases.POLICIES,
            certainties=phrases.CERTAINTIES,
            has_match=self._house.match is not None,
            phones_may_join=bool(self._addresses),
            players=[] if self._book is None else await run_in_threadpool(self._book.names),
            shown=in_script(shown),
            **torifuda(),
        )

    def _shown(self, set_up: SetUpPort, said: Words) -> dict[str, Any]:
        """Return the set-up, and whether its start would leave a match that is not over."""
        match = self._house.match
        leaves = match is not None and match.state()["phase"] != "over"
        return {**set_up_view(set_up.state(), said), "leaves": leaves}

    async def _state(self, said: Said) -> JSONResponse:
        """Return what the camera sees of the field, and what it lacks."""
        return JSONResponse(self._shown(self._of(), said))

    async def _live(self) -> Response:
        """Return the live picture of the set-up."""
        set_up = self._of()
        if self._preview is None or self._preview[0] is not set_up:
            self._preview = (set_up, Preview(set_up))
        return live_picture(self._preview[1])

    async def _choose(self, wish: SourceRequest, said: Said) -> JSONResponse:
        """Open a source for the next match."""
        set_up = self._of()
        await set_up.choose(wish.kind, wish.where, wish.deck)
        return await self._state(said)

    async def _correct(self, wish: CorrectRequest, said: Said) -> JSONResponse:
        """Name the card at a place of the field."""
        if not self._of().correct(wish.place, wish.card):
            return JSONResponse({"error": said("The field has changed: look again.")}, status_code=409)
        return await self._state(said)

    async def _start(self, agreed: AgreedRequest, said: Said) -> JSONResponse:
        """Begin a match with what is agreed."""
        return self._begun(await self._of().start(agreed.model_dump()), said)

    async def _go_on(self, wish: GoOnRequest, said: Said) -> JSONResponse:
        """Go on with an interrupted match under the source that is open."""
        self._of()
        return self._begun(await self._house.go_on(wish.match), said)

    def _begun(self, problem: str | None, said: Words) -> JSONResponse:
        if problem is None:
            return JSONResponse({"match": "/"})
        return JSONResponse({"error": problem_text(problem, said)}, status_code=409)
