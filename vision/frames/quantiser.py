"""How coarsely pictures were compressed: too coarse, and what is seen in them decides nothing.

H.264 tells by which quantiser each block was written, whatever the film's rate: a still scene needs few bits.
Of codecs whose decoder does not tell it, the bits for each pixel are all that is known.
"""

from __future__ import annotations

import struct
from statistics import median
from typing import Any

import av
import numpy as np
from av.sidedata.sidedata import Type

EXPORT = {"export_side_data": "venc_params"}
"""Options of a decoder that is to tell its quantisers."""
POOR_PICTURES = "poor_pictures"
"""Why a poem is left to a person whose pictures are too coarse."""
_COARSEST = 37.0
"""Up to here films were judged as without compression; from 38.8 on contacts were up to 86 ms off, from 41 on
cards were no longer read (`benchmarks.compression`)."""
_FEWEST_BITS = 0.01  # a pixel: films with 0.025 (HEVC) and 0.041 (VP8) were judged well, none had fewer
_EVERY = 8  # pictures: what a quantiser does changes slowly
_BETWEEN_PICTURES = frozenset({"h264", "hevc", "vp8", "vp9", "av1"})
_BLOCKS = struct.Struct("<IxxxxQQii")
"""AVVideoEncParams: number of blocks, where they begin, bytes of each, type, quantiser of the picture."""


class Coarseness:
    """Follows the pictures of one film or stream.

    Parameters
    ----------
    codec : FFmpeg's name of it.
    latest : how many of the looked-at pictures count; 0 for all.
    """

    def __init__(self, codec: str, latest: int = 0) -> None:
        self._may_be_coarse = codec in _BETWEEN_PICTURES
        self._latest = latest
        self._pictures = 0
        self._bits = self._pixels = 0.0
        self._told: list[tuple[int, float]] = []

    def note(self, picture: av.VideoFrame, t_ns: int, packet_bytes: int) -> None:
        """Take in a decoded picture, its instant, and what it took."""
        self._bits += 8.0 * packet_bytes
        self._pixels += picture.width * picture.height
        self._pictures += 1
        if self._pictures % _EVERY == 1 and (quantiser := quantiser_of(picture)) is not None:
            self._told.append((t_ns, quantiser))
            if self._latest:
                del self._told[: -self._latest]

    def is_too_coarse(self, from_ns: int | None = None, to_ns: int | None = None) -> bool:
        """Tell whether what these pictures show proves nothing.

        Parameters
        ----------
        from_ns, to_ns : a part of them; where none of it was looked at, all count.
        """
        if not self._may_be_coarse or not self._pictures:
            return False
        if not self._told:
            return self._bits < _FEWEST_BITS * self._pixels
        if from_ns is not None and to_ns is not None:
            part = [quantiser for t_ns, quantiser in self._told if from_ns <= t_ns <= to_ns]
        else:
            part = []
        return median(part or [quantiser for _, quantiser in self._told]) > _COARSEST


def quantiser_of(picture: av.VideoFrame) -> float | None:
    """Return the mean quantiser of a picture's blocks (H.264: 0..51, 6 more are twice as coarse), or None."""
    side_data: Any = picture.side_data
    try:
        data = bytes(side_data[Type.VIDEO_ENC_PARAMS])
    except (KeyError, ValueError):
        return None
    count, begins, size, _, base = _BLOCKS.unpack_from(data)
    if not count:
        return float(base)
    # AVVideoBlockParams: x, y, width, height, and then by how much its quantiser differs from the picture's
    of_block = 16
    blocks = np.frombuffer(data, np.uint8, count * size, begins).reshape(count, size)
    more = blocks[:, of_block : of_block + 4].copy().view("<i4")
    return float(base + more.mean())
