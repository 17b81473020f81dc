"""Films on their way in: each is a file that grows, and goes on where it stopped when a line breaks."""

from __future__ import annotations

import asyncio
import errno
import json
import re
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from calibration.files.folders import listed
from calibration.files.storage import keep_text
from desk.panel.films.port import FilmRefusedError, Room, UploadListed

MOST_BYTES = 16 * 10**9
"""An hour of a phone's 4K at 60 pictures a second (54 Mbit/s) has 24 GB; in full HD it has a quarter."""
LEFT_FREE_BYTES = 10**9
"""What stays free on the disk: a match beside it goes on being kept."""
_OLD_S = 48 * 3600
"""Who has not gone on with an upload after two days will not."""
_MOST_UPLOADS = 16
_BLOCK = 2**20
_ID = re.compile(r"[0-9a-f]{32}")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}")
_LONGEST_NAME = 120


class Uploads:
    """The films that have not arrived as a whole.

    Parameters
    ----------
    folder : where they lie; it need not exist.
    now_s : seconds since 1970.
    free_bytes : returns the free room of the disk on which a folder lies.
    """

    def __init__(
        self,
        folder: Path,
        now_s: Callable[[], float] = time.time,
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        self._folder, self._now_s, self._free_bytes = folder, now_s, free_bytes
        self._busy: set[str] = set()

    def room(self) -> Room:
        """Return how much can be uploaded."""
        self._folder.mkdir(parents=True, exist_ok=True)
        promised = sum(each["size"] - each["offset"] for each in self.listed())
        free = max(0, self._free_bytes(self._folder) - LEFT_FREE_BYTES - promised)
        return {"free": free, "most": min(free, MOST_BYTES)}

    def listed(self) -> list[UploadListed]:
        """Return them, the latest first; what nobody went on with for two days is deleted."""
        found: list[tuple[float, UploadListed]] = []
        for path in listed(self._folder, "*.json"):
            upload = self.find(path.stem)
            if upload is None:
                continue
            touched_s = max(path.stat().st_mtime, self._part(path.stem).stat().st_mtime)
            if self._now_s() - touched_s > _OLD_S and upload["id"] not in self._busy:
                self.drop(upload["id"])
            else:
                found.append((touched_s, upload))
        return [upload for _, upload in sorted(found, key=lambda each: -each[0])]

    def find(self, upload_id: str) -> UploadListed | None:
        """Return how far an upload has come; None where there is none."""
        if not _ID.fullmatch(upload_id):
            return None
        try:
            told = json.loads((self._folder / f"{upload_id}.json").read_text("utf-8"))
            offset = self._part(upload_id).stat().st_size
            return {"id": upload_id, "name": str(told["name"]), "size": int(told["size"]), "offset": offset}
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def begin(self, name: str, size: int) -> UploadListed:
        """Begin one.

        Raises
        ------
        FilmRefusedError
            Where it is empty or too large, the disk has no room for it, or too many have begun.
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
        self._part(upload_id).touch()
        keep_text(
            self._folder / f"{upload_id}.json",
            json.dumps({"name": plain_name(name), "size": size}, ensure_ascii=False),
        )
        return {"id": upload_id, "name": plain_name(name), "size": size, "offset": 0}

    async def append(self, upload_id: str, offset: int, pieces: AsyncIterator[bytes]) -> UploadListed:
        """Take in more of one, and keep whatever arrives before a line breaks.

        Raises
        ------
        FilmRefusedError
            Where there is no such upload, it goes on elsewhere, more comes than was announced, or the disk is
            full.
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
                            await asyncio.to_thread(part.write, bytes(block))
                            block.clear()
                finally:
                    await asyncio.to_thread(part.write, bytes(block))
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise FilmRefusedError("disk_full") from error
            raise
        finally:
            self._busy.discard(upload_id)
        found = self.find(upload_id)
        if found is None:
            raise FilmRefusedError("no_such_upload")  # it was dropped meanwhile
        return found

    def take_out(self, upload: UploadListed, target: Path) -> None:
        """Move a film that has arrived as a whole out of here."""
        self._part(upload["id"]).replace(target)
        (self._folder / f"{upload['id']}.json").unlink(missing_ok=True)

    def drop(self, upload_id: str) -> None:
        """Delete one."""
        if _ID.fullmatch(upload_id):
            for path in (self._part(upload_id), self._folder / f"{upload_id}.json"):
                path.unlink(missing_ok=True)

    def _part(self, upload_id: str) -> Path:
        return self._folder / f"{upload_id}.part"


def plain_name(name: str) -> str:
    """Return a file's name as people may see it: no folders, no control characters, not too long."""
    last = re.split(r"[\\/]", name)[-1]
    shown = "".join(sign for sign in last if sign.isprintable()).strip()
    return shown[-_LONGEST_NAME:] or "film"


def suffix_of(name: str) -> str:
    """Return how the file of a film ends on the disk."""
    suffix = Path(plain_name(name)).suffix
    return suffix.lower() if _SUFFIX.fullmatch(suffix) else ".mp4"
