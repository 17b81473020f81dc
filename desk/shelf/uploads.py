"""Uploads of films: each is a growing file that resumes where it stopped after a lost connection."""

import asyncio
import errno
import json
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from calibration.files.folders import listed
from calibration.files.storage import LEFT_FREE_BYTES, free_bytes_at, keep_text, sync, sync_folder
from desk.panel.films.port import FilmRefusedError, Room, UploadListed

MOST_BYTES = 16 * 10**9
"""Largest film. An hour in 4K at 60 fps from a phone (54 Mbit/s) has 24 GB; in full HD a quarter of that."""
_OLD_DAYS = 7
"""Number of different days on which an unfinished upload lies there untouched before it is deleted.

A clock that is wrong once adds a day or two, however far it jumps."""
_MOST_UPLOADS = 16
_BLOCK = 2**20
_ID = re.compile(r"[0-9a-f]{32}")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}")
_LONGEST_NAME = 120


class Uploads:
    """The unfinished uploads.

    `folder`: theirs, which need not exist. `now_s`: seconds since 1970. `free_bytes`: free space of the disk
    of a folder.
    """

    def __init__(
        self,
        folder: Path,
        now_s: Callable[[], float] = time.time,
        free_bytes: Callable[[Path], int] = free_bytes_at,
    ) -> None:
        self._folder, self._now_s, self._free_bytes = folder, now_s, free_bytes
        self._busy: set[str] = set()

    def room(self) -> Room:
        self._folder.mkdir(parents=True, exist_ok=True)
        promised = sum(each["size"] - each["offset"] for each in self.listed())
        free = max(0, self._free_bytes(self._folder) - LEFT_FREE_BYTES - promised)
        return {"free": free, "most": min(free, MOST_BYTES)}

    def listed(self) -> list[UploadListed]:
        """Return the uploads, the latest first; those that lay there untouched for a week are deleted."""
        found: list[tuple[float, UploadListed]] = []
        for path in listed(self._folder, "*.[jp]*"):  # a desk that was ended leaves one of the two files
            if self.find(path.stem) is None:
                path.unlink(missing_ok=True)
        for path in listed(self._folder, "*.json"):
            upload = self.find(path.stem)
            if upload is None:
                continue
            if self._is_old(path) and upload["id"] not in self._busy:
                self.drop(upload["id"])
            else:
                found.append((self._part(path.stem).stat().st_mtime, upload))
        return [upload for _, upload in sorted(found, key=lambda each: -each[0])]

    def _is_old(self, path: Path) -> bool:
        """Tell whether an upload has lain there untouched for long; note that it lies there today."""
        told = json.loads(path.read_text("utf-8"))
        untouched: dict[str, int] = told.get("untouched", {})
        offset = self._part(path.stem).stat().st_size
        today = datetime.fromtimestamp(self._now_s()).astimezone().date().isoformat()
        days = {day for day, known in untouched.items() if known == offset} | {today}
        if days != untouched.keys():
            told["untouched"] = dict.fromkeys(sorted(days), offset)
            with suppress(OSError):
                keep_text(path, json.dumps(told, ensure_ascii=False))
        return len(days) > _OLD_DAYS

    def find(self, upload_id: str) -> UploadListed | None:
        if not _ID.fullmatch(upload_id):
            return None
        try:
            told = json.loads((self._folder / f"{upload_id}.json").read_text("utf-8"))
            offset = self._part(upload_id).stat().st_size
            return {"id": upload_id, "name": str(told["name"]), "size": int(told["size"]), "offset": offset}
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def begin(self, name: str, size: int) -> UploadListed:
        """Begin an upload.

        Raises FilmRefusedError if the film is empty or too large, the disk has no space, or there are too
        many uploads.
        """
        if size <= 0:
            raise FilmRefusedError("empty")
        if size > MOST_BYTES:
            raise FilmRefusedError("too_large", size=size, most=MOST_BYTES)
        free = self.room()["free"]
        if size > free:
            raise FilmRefusedError("no_room", size=size, free=free)
        if len(self.listed()) >= _MOST_UPLOADS:
            raise FilmRefusedError("too_many_uploads", n=_MOST_UPLOADS)
        upload_id = secrets.token_hex(16)
        told = json.dumps({"name": plain_name(name), "size": size}, ensure_ascii=False)
        try:
            self._part(upload_id).touch()
            keep_text(self._folder / f"{upload_id}.json", told)
        except OSError as error:
            self.drop(upload_id)
            raise FilmRefusedError("not_kept") from error
        return {"id": upload_id, "name": plain_name(name), "size": size, "offset": 0}

    async def append(self, upload_id: str, offset: int, pieces: AsyncIterator[bytes]) -> UploadListed:
        """Append bytes to an upload; those that arrive before a lost connection are kept.

        Raises FilmRefusedError if there is no such upload, the offset is wrong, there are more bytes than
        announced, or the disk is full.
        """
        upload = self.find(upload_id)
        if upload is None:
            raise FilmRefusedError("no_such_upload")
        if upload_id in self._busy:
            raise FilmRefusedError("goes_on_elsewhere")
        if offset != upload["offset"]:
            raise FilmRefusedError("other_offset", offset=upload["offset"])
        self._busy.add(upload_id)
        try:
            with self._part(upload_id).open("ab") as part:
                block, at = bytearray(), offset
                try:
                    async for piece in pieces:
                        at += len(piece)
                        if at > upload["size"]:
                            raise FilmRefusedError("too_much", size=upload["size"])
                        block += piece
                        if len(block) >= _BLOCK:
                            if self._free_bytes(self._folder) < LEFT_FREE_BYTES:
                                raise FilmRefusedError("disk_full")  # something else has filled it meanwhile
                            await asyncio.to_thread(part.write, bytes(block))
                            block.clear()
                finally:
                    await asyncio.to_thread(_write_out, part, bytes(block))
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise FilmRefusedError("disk_full") from error
            raise
        finally:
            self._busy.discard(upload_id)
        found = self.find(upload_id)
        if found is None:
            raise FilmRefusedError("no_such_upload")  # it was deleted meanwhile
        return found

    def take_out(self, upload: UploadListed, target: Path) -> None:
        self._part(upload["id"]).replace(target)
        sync_folder(target.parent)
        sync_folder(self._folder)
        (self._folder / f"{upload['id']}.json").unlink(missing_ok=True)

    def drop(self, upload_id: str) -> None:
        if _ID.fullmatch(upload_id):
            for path in (self._part(upload_id), self._folder / f"{upload_id}.json"):
                path.unlink(missing_ok=True)

    def _part(self, upload_id: str) -> Path:
        return self._folder / f"{upload_id}.part"


def _write_out(part: BinaryIO, data: bytes) -> None:
    """Write the last bytes that arrived, and wait until the disk has them all."""
    part.write(data)
    part.flush()
    sync(part.fileno())


def plain_name(name: str) -> str:
    """Return a file's name for display: without folders and control characters, and not too long."""
    last = re.split(r"[\\/]", name)[-1]
    shown = "".join(sign for sign in last if sign.isprintable()).strip()
    return shown[-_LONGEST_NAME:] or "film"


def suffix_of(name: str) -> str:
    """Return the suffix of a film's file on the disk."""
    suffix = Path(plain_name(name)).suffix
    return suffix.lower() if _SUFFIX.fullmatch(suffix) else ".mp4"
