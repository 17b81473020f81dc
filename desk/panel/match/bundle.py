"""Evidence bundles, ZIP files of frames and sound with a manifest, and the responses that hand them out."""

import asyncio
import zipfile
import zlib
from collections.abc import Awaitable
from pathlib import Path

from fastapi import HTTPException, Response
from fastapi.responses import FileResponse

from calibration.files import archive as packed
from desk.errors import DeskError
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


async def clip_response(
    clip: Awaitable[Path | None], said: Words, missing: HTTPException, name: str = ""
) -> FileResponse:
    """Return the response with a replay's film, which may be named; raise `missing` if there is none."""
    try:
        path = await clip
    except DeskError as error:  # the bundle is damaged
        raise missing from error
    except OSError as error:
        why = said.complaint(error)
        raise HTTPException(507, said("no film of this replay can be made: {why}", why=why)) from error
    if path is None:
        raise missing
    return download(path, "video/mp4", name)


async def member_response(bundle: Path, name: str) -> Response:
    """Return the response with one file of a bundle; HTTPException if there is none."""
    try:
        content = await asyncio.to_thread(read_member, bundle, name)
    except NoSuchMemberError as error:
        raise HTTPException(404, str(error)) from error
    return Response(content, media_type=MEMBERS.get(Path(name).suffix, MEMBERS[".jpg"]), headers=NOT_KEPT)
