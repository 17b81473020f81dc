"""Evidence bundles, ZIP files of frames and sound with a manifest, and the addresses that hand them out."""

import asyncio
import zipfile
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Depends, HTTPException, Response
from fastapi.responses import FileResponse

from calibration.files import archive as packed
from desk.errors import DeskError
from desk.panel.answers import DELETED, data, file
from desk.panel.pages import Said
from desk.panel.words import Words
from referee.complaint import sentence_of
from referee.sentence import SentenceError

MEMBERS = {".jpg": "image/jpeg", ".flac": "audio/flac", ".json": "application/json"}
"""Media types of a bundle's files by their suffix."""
_MOST_BYTES = 64 << 20  # size limit of one file of a bundle: a picture has at most a few megabytes
NOT_KEPT = {"Cache-Control": "no-store"}  # pictures show people, so browsers must not store them


class NoSuchMemberError(SentenceError, LookupError):
    """The bundle is gone or damaged, or holds no such file."""


def read_member(bundle: Path, name: str) -> bytes:
    """Return one file of a bundle.

    Raises NoSuchMemberError if it contains no such file. Names are looked up in the archive only, never on
    the disk.
    """
    try:
        with zipfile.ZipFile(bundle) as archive:
            return packed.read_member(archive, name, _MOST_BYTES)
    except (KeyError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise NoSuchMemberError(
            "{bundle} holds no readable {name!r}: {why}",
            bundle=bundle.name,
            name=name,
            why=sentence_of(error),
        ) from error


def download(path: Path, media_type: str, name: str = "") -> FileResponse:
    """Return the response with a bundle or its film, under another `name` if one is given."""
    filename = f"shinpan-{name or path.name}"
    return FileResponse(path, media_type=media_type, filename=filename, headers=NOT_KEPT)


@dataclass(frozen=True, slots=True)
class Replay:
    """A bundle and its film."""

    bundle: Path
    clip: Callable[[Words], Awaitable[Path | None]]  # makes its film; DeskError if the bundle is damaged
    missing: HTTPException  # raised where no film can be made
    name: str = ""  # file name of the film for whoever stores it; by default its own


def add_replays(router: APIRouter, path: str, found: Callable[..., Awaitable[Replay]]) -> None:
    """Add the addresses of replays: `path` with `.zip`, `.mp4`, and the name of a file in the bundle.

    `found`: the dependency that finds the replay at an address; HTTPException if there is none.
    """

    async def _bundle(replay: Replay = Depends(found)) -> FileResponse:
        """Return the pictures of a replay as an archive."""
        return download(replay.bundle, "application/zip")

    async def _clip(said: Said, replay: Replay = Depends(found)) -> FileResponse:
        """Return a replay as a film."""
        try:
            clip = await replay.clip(said)
        except DeskError as error:  # the bundle is damaged
            raise replay.missing from error
        except OSError as error:
            why = said.complaint(error)
            raise HTTPException(507, said("no film of this replay can be made: {why}", why=why)) from error
        if clip is None:
            raise replay.missing
        return download(clip, "video/mp4", replay.name)

    async def _member(name: str, replay: Replay = Depends(found)) -> Response:
        """Return one picture of a replay, its sound, or its manifest."""
        try:
            content = await asyncio.to_thread(read_member, replay.bundle, name)
        except NoSuchMemberError as error:
            raise HTTPException(404, str(error)) from error
        kind = MEMBERS.get(Path(name).suffix, MEMBERS[".jpg"])
        return Response(content, media_type=kind, headers=NOT_KEPT)

    zipped, film, member = file("application/zip"), file("video/mp4"), data(*MEMBERS.values())
    router.get(f"{path}.zip", response_class=Response, responses=zipped | DELETED)(_bundle)
    router.get(f"{path}.mp4", response_class=Response, responses=film | DELETED)(_clip)
    router.get(f"{path}/{{name}}", response_class=Response, responses=member | DELETED)(_member)
