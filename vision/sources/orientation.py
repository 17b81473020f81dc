"""How stored pictures are to be turned and mirrored, by their display matrix.

Containers keep the matrix for the whole film, H.264 and HEVC may keep one with a picture (SEI), and a JPEG
gives its orientation in EXIF. A camera held upright turns its pictures; selfie cameras and editing programs
mirror them. A matrix with a negative determinant mirrors: its angle alone would turn such pictures by half,
and near would be far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import av
import numpy as np
from av.sidedata.sidedata import Type

from vision.frames.frame import Gray
from vision.sources.source import SourceError

_EXIF, _BLANK = b"Exif\0\0", b"\0" * 6


@dataclass(frozen=True, slots=True)
class Orientation:
    """Turns stored pictures the way they are to be seen."""

    transposed: bool = False  # whether rows become columns, before anything is mirrored
    mirrored: bool = False  # whether left and right are swapped
    upended: bool = False  # whether top and bottom are swapped

    @property
    def mirrors(self) -> bool:
        """Whether the displayed picture is a mirror image of the stored one."""
        return self.transposed ^ self.mirrored ^ self.upended

    def __call__(self, picture: Gray) -> Gray:
        """Return a picture as it is to be seen, shape (height, width) or (height, width, 3)."""
        if self == AS_STORED:
            return picture
        held = picture.swapaxes(0, 1) if self.transposed else picture
        return np.ascontiguousarray(held[:: -1 if self.upended else 1, :: -1 if self.mirrored else 1])


AS_STORED = Orientation()


def orientation_of(picture: av.VideoFrame) -> Orientation | None:
    """Return how a decoded picture is to be turned; None if neither film nor picture says.

    Raises SourceError if it is to be shown tilted.
    """
    try:
        data = bytes(cast("Mapping[Type, Any]", picture.side_data)[Type.DISPLAYMATRIX])
    except KeyError:
        return None
    except ValueError:  # PyAV cannot list a kind of data without a name of its own, but it knows the angle
        return turned_by(picture.rotation)
    return of_matrix([int(value) for value in np.frombuffer(data, np.int32)])


def of_matrix(matrix: list[int]) -> Orientation:
    """Return the orientation that a display matrix [a, b, u, c, d, v, x, y, w] gives.

    A point (x, y) of the stored picture is shown at (a x + c y, b x + d y). Raises SourceError if it shows
    pictures tilted.
    """
    one = 65536  # display matrices are fixed-point numbers in units of 1/65536
    a, b, c, d = (matrix[place] / one for place in (0, 1, 3, 4))
    transposed = abs(b * c) > abs(a * d)
    (across, aside), (down, below) = ((c, a), (b, d)) if transposed else ((a, c), (d, b))
    if across * down == 0:
        return AS_STORED  # a matrix of zeros was never filled in, and players ignore it
    # Tangent of 20 degrees: a matrix farther from quarter turns shows pictures tilted.
    most_aside = 0.36
    if max(abs(aside / across), abs(below / down)) > most_aside:
        raise SourceError(
            "its display matrix tilts the pictures: export the film upright or in quarter turns"
        )
    return Orientation(transposed, mirrored=across < 0, upended=down < 0)


def without_exif(packet: av.Packet[av.VideoStream]) -> av.Packet[av.VideoStream]:
    """Return a packet whose JPEG has no EXIF orientation, since the film gives it."""
    plain = cast("av.Packet[av.VideoStream]", av.Packet(bytes(packet).replace(_EXIF, _BLANK, 1)))
    plain.pts, plain.dts = packet.pts, packet.dts
    return plain


def turned_by(degrees: int) -> Orientation:
    """Return a counterclockwise turn by the nearest quarter."""
    return {
        0: AS_STORED,
        1: Orientation(transposed=True, upended=True),
        2: Orientation(mirrored=True, upended=True),
        3: Orientation(transposed=True, mirrored=True),
    }[round(degrees / 90) % 4]


def stretch_of(stream: av.VideoStream) -> tuple[float, float]:
    """Return by how much stored pictures are widened and heightened for square pixels, none below 1."""
    wide = float(stream.sample_aspect_ratio or 1)
    least_stretch, most_stretch = 1.01, 2.5  # of pixels that are no squares: less is rounding, more no camera
    if not least_stretch <= max(wide, 1 / wide) <= most_stretch:
        return 1.0, 1.0
    return max(wide, 1.0), max(1 / wide, 1.0)
