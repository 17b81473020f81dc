"""The panel's web application: pages, the event stream, commands, evidence and the live picture."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Literal

from fastapi import FastAPI, Header, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from sse_starlette import EventSourceResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from desk.panel import phrases
from desk.panel.bundle import MANIFEST, NoSuchMemberError, read_member
from desk.panel.guard import Guard
from desk.panel.invitations import INVITED_AS, invitations
from desk.panel.phrases import phrase
from desk.panel.poem_view import poem_view
from desk.panel.port import Port
from desk.panel.preview import MEDIA_TYPE, Preview
from desk.panel.record import as_csv, as_json, closest, fastest, poem_rows, side_sums
from desk.panel.requests import CommandRequest, to_command
from desk.panel.roles import Role, Roles
from desk.panel.sentence import SIDES, side_names
from desk.panel.stream import messages
from desk.panel.view import Views
from desk.panel.words import LANGUAGES, Words, choose_language, words
from referee.cards.poems import POEMS

LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_FOREVER = "private, max-age=31536000, immutable"
_TOKEN_COOKIE = "shinpan_token"  # noqa: S105 (the cookie's name, not a secret)

Language = Annotated[str | None, Query(alias="lang")]


def create_app(
    port: Port,
    *,
    roles: Roles | None = None,
    allowed_hosts: Sequence[str] = LOCAL_HOSTS,
    addresses: Sequence[str] = (),
) -> FastAPI:
    """Build the panel of one match.

    Parameters
    ----------
    port : the running match.
    roles : who may command; by default everyone, which is right only on 127.0.0.1.
    allowed_hosts : host names under which the panel answers. A page of another name that a browser was
        tricked into connecting to this machine (DNS rebinding) is refused.
    addresses : where phones reach the panel, such as `http://192.168.1.5:8321`; shown as QR codes.
    """
    return _Panel(port, roles or Roles(), allowed_hosts, addresses).app


class _Panel:
    def __init__(
        self, port: Port, roles: Roles, allowed_hosts: Sequence[str], addresses: Sequence[str]
    ) -> None:
        self.port = port
        self.addresses = addresses
        self.roles = roles
        self.views = Views(port)
        self.preview = Preview(port)
        self.pages = _environment()
        self.app = FastAPI(title="shinpan", openapi_url=None, docs_url=None, redoc_url=None)
        self.app.add_middleware(GZipMiddleware, minimum_size=1000)
        self.app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts))
        self.app.add_middleware(Guard)
        self.app.mount("/static", StaticFiles(packages=[("desk.panel", "static")]), name="static")
        get = self.app.get
        get("/", response_class=HTMLResponse)(self.match_page)
        get("/record", response_class=HTMLResponse)(self.record_page)
        get("/record.json")(self.record_json)
        get("/record.csv")(self.record_csv)
        get("/invite", response_class=HTMLResponse)(self.invite_page)
        get("/join/{token}")(self.join)
        get("/api/view")(self.view)
        get("/api/poems/{seq}")(self.poem)
        get("/api/events")(self.events)
        self.app.post("/api/commands")(self.command)
        get("/evidence/{seq}.zip")(self.evidence_bundle)
        get("/evidence/{seq}/{name}")(self.evidence_member)
        get("/preview.mjpeg")(self.live)

    def role(self, request: Request) -> Role:
        return self.roles.of(request.cookies.get(_TOKEN_COOKIE))

    async def match_page(self, request: Request, lang: Language = None) -> HTMLResponse:
        said = self.language(request, lang)
        return self.page(
            "match.html",
            said,
            declarations=phrases.DECLARATIONS.items(),
            role=self.role(request).value,
            phones_may_join=bool(self.addresses),
            view=_in_script(self.views.text(said)),
            faces=_in_script(_faces()),
        )

    async def record_page(self, request: Request, lang: Language = None) -> HTMLResponse:
        said = self.language(request, lang)
        snapshot = self.port.state()
        rows = poem_rows(snapshot)
        return self.page(
            "record.html",
            said,
            match=snapshot["match"],
            winner=snapshot["winner"],
            counts=snapshot["counts"],
            names=side_names(said, snapshot["match"]["names"]),
            sums={side: side_sums(rows, side) for side in SIDES},
            rows=rows,
            poems=snapshot["poems"],
            fastest=fastest(rows),
            closest=closest(rows),
            states=phrases.STATES,
        )

    async def record_json(self) -> Response:
        return _download(json.dumps(as_json(self.port.state()), ensure_ascii=False, indent=1), "json")

    async def record_csv(self) -> Response:
        # spreadsheets take a file for UTF-8 only if it begins with a byte order mark
        return _download("\ufeff" + as_csv(poem_rows(self.port.state())), "csv")

    async def invite_page(self, request: Request, lang: Language = None) -> HTMLResponse:
        said = self.language(request, lang)
        if self.role(request) is not Role.OPERATOR:
            raise HTTPException(403, said("Only the operator may do this."))
        links = {base: list(invitations(base, self.roles)) for base in self.addresses}
        return self.page("invite.html", said, addresses=links, invited_as=INVITED_AS)

    def language(self, request: Request, wish: str | None) -> Words:
        accept = request.headers.get("accept-language", "")
        return words(choose_language(wish, request.cookies.get("lang"), accept=accept))

    def page(self, template: str, said: Words, **values: object) -> HTMLResponse:
        text = self.pages.get_template(template).render(
            _=said.plain,
            said=said,
            counted=said.counted,
            lang=said.language,
            languages=LANGUAGES,
            **values,
        )
        response = HTMLResponse(text)
        response.set_cookie("lang", said.language, max_age=31_536_000, samesite="strict")
        return response

    async def join(self, token: str) -> RedirectResponse:
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(_TOKEN_COOKIE, token, httponly=True, samesite="strict")
        return response

    async def view(self, lang: Language = None) -> Response:
        return Response(self.views.text(words(choose_language(lang))), media_type="application/json")

    async def poem(self, seq: int, lang: Language = None) -> JSONResponse:
        snapshot = self.port.state()
        said = words(choose_language(lang))
        names = side_names(said, snapshot["match"]["names"])
        for ruled in snapshot["poems"]:
            if ruled["seq"] == seq:
                return JSONResponse(poem_view(ruled, names, said))
        raise HTTPException(404, f"no ruling that stands has number {seq}")

    async def events(
        self,
        lang: Language = None,
        after: str | None = None,
        last_event_id: Annotated[str | None, Header()] = None,
    ) -> EventSourceResponse:
        said = words(choose_language(lang))
        # a browser that reconnects says what it saw last; a new page says what it was made from
        return EventSourceResponse(messages(self.port, self.views, said, last_event_id or after))

    async def command(self, command: CommandRequest, request: Request, lang: Language = None) -> JSONResponse:
        said = words(choose_language(lang))
        role = self.role(request)
        asked = to_command(command, role.value)
        if not role.may(asked.name, asked.args.get("side")):
            return JSONResponse({"error": said("Only the operator may do this.")}, status_code=403)
        result = await self.port.command(asked)
        if result.refusal is not None:
            text = phrase(said, phrases.REFUSALS, result.refusal.value)
            return JSONResponse({"refusal": result.refusal.value, "error": text}, status_code=409)
        return JSONResponse({"seq": result.seq})

    async def evidence_bundle(self, seq: int) -> FileResponse:
        bundle = self.port.evidence(seq)
        if bundle is None or not bundle.is_file():
            raise HTTPException(404, f"there is no evidence for ruling {seq}")
        return FileResponse(bundle, media_type="application/zip", filename=f"shinpan-{bundle.name}")

    async def evidence_member(self, seq: int, name: str) -> Response:
        bundle = self.port.evidence(seq)
        if bundle is None:
            raise HTTPException(404, f"there is no evidence for ruling {seq}")
        try:
            data = await asyncio.to_thread(read_member, bundle, name)
        except NoSuchMemberError as error:
            raise HTTPException(404, str(error)) from error
        if name == MANIFEST:
            return Response(data, media_type="application/json", headers={"Cache-Control": "no-cache"})
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": _FOREVER})

    async def live(self) -> Response:
        if self.preview.part() is None:
            raise HTTPException(404, "no picture arrives from the source")
        return StreamingResponse(
            self.preview.stream(),
            media_type=MEDIA_TYPE,
            headers={"Content-Encoding": "identity", "Cache-Control": "no-store"},  # JPEG does not shrink
        )


@cache
def _faces() -> str:
    """Return the text of every torifuda, column by column, as JSON."""
    columns = {number: poem.torifuda_columns for number, poem in POEMS.items()}
    return json.dumps(columns, ensure_ascii=False, separators=(",", ":"))


def _download(text: str, kind: Literal["json", "csv"]) -> Response:
    media_type = {"json": "application/json", "csv": "text/csv; charset=utf-8"}[kind]
    disposition = f'attachment; filename="shinpan-record.{kind}"'
    return Response(text, media_type=media_type, headers={"Content-Disposition": disposition})


def _in_script(text: str) -> Markup:
    """Make JSON safe inside a script element, which a `<` in somebody's note could otherwise end."""
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (escaped in this very line)


def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("desk.panel"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
