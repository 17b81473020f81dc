"""The live picture of the table: a stream of JPEGs, encoded once for all viewers."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from fastapi.responses import StreamingResponse

PERIOD_S = 0.2  # period of the pictures: five a second are enough to aim a camera, and cheap for many viewers
_FIRST_S = 0.02  # time between looks for the first picture: somebody waits for it
_BOUNDARY = b"--picture\r\n"
MEDIA_TYPE = "multipart/x-mixed-replace; boundary=picture"


class HasPicture(Protocol):
    """A match or a set-up with a live picture."""

    def preview(self) -> bytes | None: ...  # small JPEG; None without a source


class Preview:
    """Takes a picture at most once per period, however many viewers there are."""

    def __init__(self, port: HasPicture, now_s: Callable[[], float] = time.monotonic) -> None:
        self._port, self._now_s = port, now_s
        self._part: bytes | None = None
        self._taken_s = float("-inf")

    def part(self) -> bytes | None:
        """Return the latest picture as a part of the multipart stream, None without a source."""
        now_s = self._now_s()
        if self._part is None or now_s - self._taken_s >= PERIOD_S:
            self._taken_s = now_s
            jpeg = self._port.preview()
            self._part = None if jpeg is None else _as_part(jpeg)
        return self._part

    async def stream(self) -> AsyncIterator[bytes]:
        """Iterate over the parts; a picture that did not change is not sent again."""
        sent: bytes | None = None
        while True:
            part = self.part()
            if part is not None and part is not sent:
                yield part if sent is not None else _BOUNDARY + part
                sent = part
            await asyncio.sleep(_FIRST_S if sent is None else PERIOD_S)


def live_picture(preview: Preview) -> StreamingResponse:
    """Return an endless stream of JPEGs; they are sent uncompressed, as JPEG does not shrink further."""
    headers = {"Content-Encoding": "identity", "Cache-Control": "no-store"}
    return StreamingResponse(preview.stream(), media_type=MEDIA_TYPE, headers=headers)


def _as_part(jpeg: bytes) -> bytes:
    head = f"Content-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
    # Browsers show a picture when they have read the boundary behind it.
    return head.encode() + jpeg + b"\r\n" + _BOUNDARY
