"""The routes of a card game's replays, as `static/replay.js` requests them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import FileResponse

from desk.panel.answers import DELETED, data, file
from desk.panel.match.bundle import MEMBERS, clip_response, download, member_response
from desk.panel.match.port import Caption
from desk.panel.pages import Pages, Said
from desk.panel.words import SOURCE_LANGUAGE, Words, words


class ReplayPort(Protocol):
    """The replays of a game; each is identified by the number of the log's event that names it."""

    def evidence(self, seq: int) -> Path | None: ...  # None if the event names none; the file may be deleted
    async def clip(self, seq: int, caption: Caption) -> Path | None: ...  # DeskError if it is damaged or gone


class ReplayRoutes:
    """The routes of the replays of one game.

    `told`: returns the texts of the steps in the pictures that an event of the log names. `pages`: tells the
    visitor's language.
    """

    def __init__(
        self, router: APIRouter, port: ReplayPort, told: Callable[[int, Words], Sequence[str]], pages: Pages
    ) -> None:
        self._port, self._told, self._pages = port, told, pages
        get = router.get
        bundle, film = file("application/zip") | DELETED, file("video/mp4") | DELETED
        get("/evidence/{seq}.zip", response_class=Response, responses=bundle)(self._bundle)
        get("/evidence/{seq}.mp4", response_class=Response, responses=film)(self._clip)
        member = data(*MEMBERS.values()) | DELETED
        get("/evidence/{seq}/{name}", response_class=Response, responses=member)(self._member)

    async def _bundle(self, seq: int) -> FileResponse:
        """Return the pictures of a replay as an archive."""
        return download(self._kept(seq), "application/zip")

    async def _clip(self, seq: int, said: Said) -> FileResponse:
        """Return a replay as a film."""
        self._kept(seq)
        plain = None if said.language == SOURCE_LANGUAGE else Caption(self._told(seq, words(SOURCE_LANGUAGE)))
        clip = self._port.clip(seq, Caption(self._told(seq, said), plain=plain))
        return await clip_response(clip, said, _nothing(seq))

    async def _member(self, seq: int, name: str) -> Response:
        """Return one picture of a replay, its sound, or its manifest."""
        return await member_response(self._kept(seq), name)

    def _kept(self, seq: int) -> Path:
        """Return the bundle that an event names; HTTPException if there is none, or it was deleted."""
        path = self._port.evidence(seq)
        if path is None:
            raise _nothing(seq)
        if not path.is_file():
            raise HTTPException(410, "the pictures of this step were deleted")
        return path


def _nothing(seq: int) -> HTTPException:
    return HTTPException(404, f"event {seq} names no pictures")
