"""Measure how coarsely pictures were compressed: if too coarsely, what they show decides nothing.

H.264, MPEG-4 and older codecs tell the quantiser of each block. It is a better measure than the film's bit
rate, since a still scene needs few bits. For codecs whose decoder does not tell it, the bits per pixel are
all that is known.
"""

import math
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from statistics import median
from typing import Any, NamedTuple

import av
import numpy as np
from av.sidedata.sidedata import Type

EXPORT = {"export_side_data": "venc_params"}  # decoder options that make it report its quantisers
POOR_PICTURES = "poor_pictures"  # reason for leaving a poem to a person if its pictures are too coarse
_COARSEST = 37.0
"""Up to this quantiser films were judged as well as without compression; from 38.8 on contacts were up to 86
ms off, from 41 on cards could no longer be read (`benchmarks.compression`)."""
_FEWEST_BITS = 0.01  # per pixel: films with 0.025 (HEVC) and 0.041 (VP8) were judged well, none had fewer
LATEST = 8  # number of measured pictures of a stream that count: a second at 60 pictures
_EVERY = 8  # one picture in this many is measured: quantisers change slowly
_OF_H264, _OF_MPEG = 1, 2
"""Kinds of quantisers (AVVideoEncParamsType) that are understood; VP9 has a scale of its own."""
_BLOCKS = struct.Struct("<IxxxxQQii")
"""AVVideoEncParams: number of blocks, their offset, bytes of each, type, quantiser of the picture."""


class _Look(NamedTuple):
    """A run of successive pictures: instant and quantiser of the first; bits and pixels of all."""

    t_ns: int
    quantiser: float | None
    bits: float
    pixels: float


class Coarseness:
    """Measures the pictures of one film or stream.

    `codec`: FFmpeg's name of it, empty if there is none yet. `latest`: how many of the measured pictures
    count; 0 for all.
    """

    def __init__(self, codec: str, latest: int = 0) -> None:
        self._may_be_coarse = bool(codec) and av.Codec(codec, "r").lossy
        self._latest = latest
        self._pictures = 0
        self._looks: list[_Look] = []
        self._is_told = False
        self._bits = self._pixels = 0.0  # of all looks: a film's are asked for at each of its pictures

    def note(self, picture: av.VideoFrame, t_ns: int, packet_bytes: int) -> None:
        """Note a decoded picture, its instant, and the size of its packet."""
        bits, pixels = 8.0 * packet_bytes, float(picture.width * picture.height)
        if self._pictures % _EVERY == 0:
            self._looks.append(_Look(t_ns, quantiser_of(picture), bits, pixels))
            self._is_told |= self._looks[-1].quantiser is not None
        else:
            look = self._looks[-1]
            self._looks[-1] = look._replace(bits=look.bits + bits, pixels=look.pixels + pixels)
        self._pictures += 1
        self._bits += bits
        self._pixels += pixels
        longer = 8  # the bits of one second tell little: still parts were written before
        if self._latest and len(self._looks) > longer * self._latest:
            oldest = self._looks.pop(0)
            self._bits -= oldest.bits
            self._pixels -= oldest.pixels

    def is_too_coarse(self, from_ns: int | None = None, to_ns: int | None = None) -> bool:
        """Tell whether these pictures are too coarse to prove anything.

        `from_ns`, `to_ns`: the part to judge; if nothing in it was measured, all count. Bits are always those
        of all pictures, since still parts were written before.
        """
        if not self._may_be_coarse or not self._looks:
            return False
        if self._is_told and from_ns is not None and to_ns is not None:
            begin = bisect_left(self._looks, from_ns, key=_instant)
            if part := _quantisers(
                self._looks[begin : bisect_right(self._looks, to_ns, begin, key=_instant)]
            ):
                return median(part) > _COARSEST
        if self._is_told and (told := _quantisers(self._looks)[-self._latest :]):
            return median(told) > _COARSEST
        return self._bits < _FEWEST_BITS * self._pixels


def _instant(look: _Look) -> int:
    return look.t_ns


def _quantisers(looks: Iterable[_Look]) -> list[float]:
    return [look.quantiser for look in looks if look.quantiser is not None]


def quantiser_of(picture: av.VideoFrame) -> float | None:
    """Return the mean quantiser of a picture's blocks on H.264's scale, or None if unknown.

    The scale is 0..51, and 6 more mean twice as coarse. Quantisers of MPEG-4 and older codecs are converted
    by their step.
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
        # AVVideoBlockParams: x, y, width, height, and the difference of its quantiser from the picture's
        of_block = 16
        blocks = np.frombuffer(data, np.uint8, count * size, begins).reshape(count, size)
        mean += float(blocks[:, of_block : of_block + 4].copy().view("<i4").mean())
    finest_step = 0.625  # H.264's step at quantiser 0, in gray levels of a length-preserving transform
    return mean if kind == _OF_H264 else 6 * math.log2(max(mean, 1.0) / finest_step)
