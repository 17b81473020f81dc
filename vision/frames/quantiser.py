"""How coarsely pictures were compressed: too coarse, and what is seen in them decides nothing.

H.264, MPEG-4 and older codecs tell by which quantiser each block was written, whatever the film's rate: a
still scene needs few bits. Of codecs whose decoder does not tell it, the bits for each pixel are all that is
known.
"""

from __future__ import annotations

import math
import struct
from statistics import median
from typing import Any, NamedTuple

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
LATEST = 8
"""Of a stream so many of the looked-at pictures count: a second at 60 pictures."""
_EVERY = 8  # pictures: what a quantiser does changes slowly
_OF_H264, _OF_MPEG = 1, 2
"""Kinds of quantisers (AVVideoEncParamsType) that are understood; VP9 counts on a scale of its own."""
_BLOCKS = struct.Struct("<IxxxxQQii")
"""AVVideoEncParams: number of blocks, where they begin, bytes of each, type, quantiser of the picture."""


class _Look(NamedTuple):
    """Some pictures that follow each other: the first one's instant and quantiser; their bits and pixels."""

    t_ns: int
    quantiser: float | None
    bits: float
    pixels: float


class Coarseness:
    """Follows the pictures of one film or stream.

    Parameters
    ----------
    codec : FFmpeg's name of it, empty where there is nothing yet.
    latest : how many of the looked-at pictures count; 0 for all.
    """

    def __init__(self, codec: str, latest: int = 0) -> None:
        self._may_be_coarse = bool(codec) and av.Codec(codec, "r").lossy
        self._latest = latest
        self._pictures = 0
        self._looks: list[_Look] = []

    def note(self, picture: av.VideoFrame, t_ns: int, packet_bytes: int) -> None:
        """Take in a decoded picture, its instant, and what it took."""
        bits, pixels = 8.0 * packet_bytes, float(picture.width * picture.height)
        if self._pictures % _EVERY == 0:
            self._looks.append(_Look(t_ns, quantiser_of(picture), bits, pixels))
        else:
            look = self._looks[-1]
            self._looks[-1] = look._replace(bits=look.bits + bits, pixels=look.pixels + pixels)
        self._pictures += 1
        longer = 8  # the bits of a second tell little: what rests in it was written before
        if self._latest:
            del self._looks[: -longer * self._latest]

    def is_too_coarse(self, from_ns: int | None = None, to_ns: int | None = None) -> bool:
        """Tell whether what these pictures show proves nothing.

        Parameters
        ----------
        from_ns, to_ns : a part of them; where none of it was looked at, all count. Bits are those of
            all pictures: what rests was written before.
        """
        if not self._may_be_coarse or not self._looks:
            return False
        told = [(look.t_ns, look.quantiser) for look in self._looks if look.quantiser is not None]
        if not told:
            fewest = sum(_FEWEST_BITS * look.pixels for look in self._looks)
            return sum(look.bits for look in self._looks) < fewest
        part = [
            quantiser
            for t_ns, quantiser in told
            if from_ns is not None and to_ns is not None and from_ns <= t_ns <= to_ns
        ]
        return median(part or [quantiser for _, quantiser in told[-self._latest :]]) > _COARSEST


def quantiser_of(picture: av.VideoFrame) -> float | None:
    """Return the mean quantiser of a picture's blocks as H.264 counts it, or None where none is told.

    That is 0..51, 6 more are twice as coarse. Those of MPEG-4 and older codecs are told by their step.
    """
    side_data: Any = picture.side_data
    try:
        data = bytes(side_data[Type.VIDEO_ENC_PARAMS])
    except (KeyError, ValueError):
        return None
    count, begins, size, kind, base = _BLOCKS.unpack_from(data)
    if kind not in (_OF_H264, _OF_MPEG):
        return None
    mean = float(base)
    if count:
        # AVVideoBlockParams: x, y, width, height, and by how much its quantiser differs from the picture's
        of_block = 16
        blocks = np.frombuffer(data, np.uint8, count * size, begins).reshape(count, size)
        mean += float(blocks[:, of_block : of_block + 4].copy().view("<i4").mean())
    finest_step = 0.625  # of H.264: its quantiser 0, in gray levels of a transform that keeps lengths
    return mean if kind == _OF_H264 else 6 * math.log2(max(mean, 1.0) / finest_step)
