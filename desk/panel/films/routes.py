"""The routes of the films: the list, uploads, one film with its rulings, and downloads."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from pydantic import Field
from starlette.requests import ClientDisconnect

from desk.errors import DeskError
from desk.panel.films import view
from desk.panel.films.port import UPLOADS, FilmRefusedError, FilmShown, FilmsPort, PoemOfFilm
from desk.panel.forms import Form
from desk.panel.match.bundle import NOT_KEPT, Replay, add_replays, download
from desk.panel.match.poem_view import caption_of
from desk.panel.match.port import Caption
from desk.panel.match.routes import torifuda
from desk.panel.match.sentence import side_names
from desk.panel.pages import Pages, Said, in_script, said_of
from desk.panel.phrases import phrase
from desk.panel.roles import Roles
from desk.panel.words import SOURCE_LANGUAGE, Words, words

_SILENCE_S = 30.0  # a line on which nothing comes for so long is broken; the upload goes on with the next one
_STATUSES = {
    "too_large": 413,
    "no_room": 507,
    "disk_full": 507,
    "not_kept": 507,
    "no_such_upload": 404,
    "no_such_film": 404,
}


class UploadRequest(Form):
    """A film that is to be uploaded."""

    name: Annotated[str, Field(min_length=1, max_length=1000)]
    size: Annotated[int, Field(ge=0, lt=2**53)]


class JudgeRequest(Form):
    """What a person states about a film."""

    game: Annotated[str, Field(max_length=32)] | None = None
    deck: Annotated[str, Field(max_length=100)] | None = None
    poems: Annotated[str, Field(max_length=1000)] | None = None
    fps: Annotated[float, Field(gt=0, le=10_000)] | None = None
    unread: Annotated[str, Field(max_length=1000)] | None = None
    order: Annotated[str, Field(max_length=1000)] | None = None
    players: Annotated[int, Field(ge=2, le=4)] | None = None
    dealer: Annotated[int, Field(ge=0, le=3)] | None = None
    rules: Annotated[str, Field(max_length=100)] | None = None


class PoemRequest(Form):
    """A correction: another poem, or another instant of the first sound."""

    number: Annotated[int, Field(ge=1, le=10_000)]
    poem: Annotated[int, Field(ge=1, le=100)] | None = None
    t_ms: Annotated[float, Field(ge=0, le=1e9)] | None = None


class KeepRequest(Form):
    """The names of the players, to keep the film as a match."""

    near: Annotated[str, Field(max_length=60)] = ""
    far: Annotated[str, Field(max_length=60)] = ""


class FilmRoutes:
    """The routes of the films."""

    def __init__(self, films: FilmsPort, roles: Roles, pages: Pages) -> None:
        self._films, self._roles, self._pages = films, roles, pages
        self.router = APIRouter()
        get, operator = self.router.get, [Depends(roles.need_operator)]
        post = partial(self.router.post, dependencies=operator)
        get("/films", response_class=HTMLResponse)(self._list)
        post("/api/films/uploads")(self._begin)
        get(f"{UPLOADS}{{upload_id}}", dependencies=operator)(self._offset)
        self.router.patch(f"{UPLOADS}{{upload_id}}", dependencies=operator)(self._append)
        post(f"{UPLOADS}{{upload_id}}/delete")(self._drop)
        get("/films/{film_id}", response_class=HTMLResponse)(self._page)
        get("/films/{film_id}/case.zip", dependencies=operator)(self._case)  # the whole film is in it
        get("/films/{film_id}/{name}.bin")(self._overview)
        add_replays(self.router, "/films/{film_id}/evidence/{number}", self._replay)
        get("/api/films/{film_id}")(self._view)
        get("/api/films/{film_id}/progress")(self._progress)
        get("/api/films/{film_id}/poems/{number}")(self._poem)
        post("/api/films/{film_id}/judge")(self._judge)
        post("/api/films/{film_id}/correct")(self._correct)
        post("/api/films/{film_id}/keep")(self._keep)
        post("/api/films/{film_id}/delete")(self._delete)

    # --- the list and the uploads ------------------------------------------------------------------------
    def _list(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the list of films, and of those that are still arriving."""
        may, uploads = self._roles.is_operator(request), self._films.uploads
        return self._pages.page(
            "films.html",
            said,
            films=[view.listed_view(film, said) for film in self._films.films()],
            uploads=[view.upload_view(upload, said) for upload in self._films.uploads.listed()]
            if may
            else [],
            room=view.size_text(uploads.room()["most"], said),
            may=may,
        )

    async def _begin(self, wish: UploadRequest, said: Said) -> JSONResponse:
        """Begin an upload; `Location` is the address for its parts."""
        upload = self._films.uploads.begin(wish.name, wish.size)
        return JSONResponse(view.upload_view(upload, said), 201, {"Location": f"{UPLOADS}{upload['id']}"})

    async def _offset(self, upload_id: str, said: Said) -> JSONResponse:
        """Return how much of an upload has arrived."""
        upload = self._films.uploads.find(upload_id)
        if upload is None:
            raise FilmRefusedError("no_such_upload")
        headers = {"Upload-Offset": str(upload["offset"]), "Cache-Control": "no-store"}
        return JSONResponse(view.upload_view(upload, said), headers=headers)

    async def _append(
        self, upload_id: str, request: Request, said: Said, upload_offset: Annotated[int, Header(ge=0)]
    ) -> JSONResponse:
        """Append the next part of an upload, which begins at the given offset."""
        done = await self._films.append(upload_id, upload_offset, _pieces(request))
        if isinstance(done, str):
            return JSONResponse({"film": f"/films/{done}"})
        return JSONResponse(view.upload_view(done, said), headers={"Upload-Offset": str(done["offset"])})

    async def _drop(self, upload_id: str) -> JSONResponse:
        """Delete an unfinished upload."""
        self._films.uploads.drop(upload_id)
        return JSONResponse({})

    # --- one film ----------------------------------------------------------------------------------------
    def _film(self, film_id: str, said: Words) -> FilmShown:
        film = self._films.film(film_id)
        if film is None:
            raise HTTPException(404, phrase(said, view.TEXTS["refusals"], "no_such_film"))
        return film

    def _page(self, film_id: str, request: Request, said: Said) -> HTMLResponse:
        """Serve the page of a film."""
        film, rules = self._film(film_id, said), self._films.rules()
        return self._pages.page(
            "film.html",
            said,
            base=f"/films/{film_id}",
            film=film,
            shown=in_script(self._shown(film_id, said)),
            games={name: view.TEXTS["games"].get(name, name) for name in rules},
            rules=rules,
            decks=self._films.decks(),
            may=self._roles.is_operator(request),
            **torifuda(),
        )

    def _view(self, film_id: str, said: Said) -> JSONResponse:
        """Return what was read and ruled in a film."""
        return JSONResponse(self._shown(film_id, said))

    async def _progress(self, film_id: str, said: Said) -> JSONResponse:
        """Return the progress of the judging of a film."""
        progress = self._films.progress(film_id)
        if progress is None:
            raise FilmRefusedError("no_such_film")
        version, state, working = progress
        shown = {"version": version, "state": state, "state_text": phrase(said, view.TEXTS["states"], state)}
        return JSONResponse({**shown, "working": view.progress_view(working, said)})

    def _poem(self, film_id: str, number: int, said: Said) -> JSONResponse:
        """Return one reading of a film with its ruling."""
        return JSONResponse(view.poem_of_film_view(self._reading(film_id, number, said), said))

    def _reading(self, film_id: str, number: int, said: Words) -> PoemOfFilm:
        for reading in self._film(film_id, said)["readings"]:
            if reading["number"] == number:
                return reading
        raise HTTPException(404, phrase(said, view.TEXTS["refusals"], "no_such_poem", n=number))

    async def _overview(self, film_id: str, name: Literal["waveform", "strip"]) -> FileResponse:
        """Return the waveform of a film, or the strip of its pictures."""
        path = self._films.overview(film_id, name)
        if path is None:
            raise HTTPException(404, "the film was not looked at yet")
        kind = "image/jpeg" if name == "strip" else "application/octet-stream"
        return FileResponse(path, media_type=kind, headers=NOT_KEPT)

    # --- commands ----------------------------------------------------------------------------------------
    async def _judge(self, film_id: str, wish: JudgeRequest) -> JSONResponse:
        """Judge a film again, with what the operator states about it."""
        self._films.judge(film_id, wish.model_dump(exclude_unset=True))
        return JSONResponse({})

    async def _correct(self, film_id: str, wish: PoemRequest) -> JSONResponse:
        """Correct a reading's poem or first sound, and judge it again."""
        self._films.correct(film_id, wish.number, wish.poem, wish.t_ms)
        return JSONResponse({})

    async def _keep(self, film_id: str, wish: KeepRequest) -> JSONResponse:
        """Keep the rulings of a film as a match."""
        kept = await self._films.keep(film_id, wish.near.strip() or None, wish.far.strip() or None)
        return JSONResponse({"match": f"/matches/{kept}/"})

    async def _delete(self, film_id: str) -> JSONResponse:
        """Delete a film and its results."""
        await self._films.delete(film_id)
        return JSONResponse({})

    # --- what can be taken along -------------------------------------------------------------------------
    async def _case(self, film_id: str) -> Response:
        """Return a disputed case: recording, rulings and replays in one archive."""
        return download(await self._films.archive(film_id), "application/zip", f"{film_id}.zip")

    async def _replay(self, film_id: str, number: int) -> Replay:
        async def clip(said: Words) -> Path | None:
            caption = await run_in_threadpool(self._caption, film_id, number, said)
            return await self._films.clip(film_id, number, caption)

        missing = HTTPException(404, f"there is no replay {number}")
        try:
            path = await self._films.evidence(film_id, number)
        except (DeskError, OSError):  # the film is damaged or gone, or the disk is full
            path = None
        if path is None:
            raise missing
        return Replay(path, clip, missing, f"{film_id}-{number}.mp4")

    def _caption(self, film_id: str, number: int, said: Words) -> Caption:
        if (lines := self._lines(film_id, number, said)) is not None:
            plain = self._lines(film_id, number, words(SOURCE_LANGUAGE)) or []
            return Caption(lines, plain=None if said.language == SOURCE_LANGUAGE else Caption(plain))
        names = side_names(said, {"near": None, "far": None})
        return caption_of(self._reading(film_id, number, said)["ruled"], names, said)

    def _shown(self, film_id: str, said: Words) -> dict[str, Any]:
        return view.film_view(self._film(film_id, said), self._films.table(film_id, said), said)

    def _lines(self, film_id: str, number: int, said: Words) -> list[str] | None:
        """Return the caption of a step's clip, None if there is no such step."""
        self._film(film_id, said)
        table = self._films.table(film_id, said)
        for part in [] if table is None else table["parts"]:
            for step in part["steps"]:
                if step["number"] == number:
                    flags = [f"{flag['what']}: {flag['text']}" for flag in step["flags"]]
                    reached = [f"{yaku['kanji']} {yaku['meaning']}".strip() for yaku in step["reached"]]
                    return [line for line in (part["title"], step["text"], *reached, *flags) if line]
        return None


async def film_refused(request: Request, error: Exception) -> JSONResponse:
    """Say in the visitor's language why something cannot be done with a film."""
    assert isinstance(error, FilmRefusedError)
    told = {"error": view.refusal_text(error, said_of(request)), "refusal": error.refusal}
    return JSONResponse({**told, **error.values}, _STATUSES.get(error.refusal, 409))


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    """Yield the pieces of a request's body until it ends or the connection breaks."""
    stream = aiter(request.stream())
    while True:
        try:
            async with asyncio.timeout(_SILENCE_S):
                piece = await anext(stream, None)
        except (ClientDisconnect, TimeoutError):
            return
        if piece is None:
            return
        yield piece
