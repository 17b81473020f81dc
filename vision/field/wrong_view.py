"""Pictures that show the field the wrong way: mirrored, or with the players at their sides.

Cards are found in such pictures and none of them can be read. Programs that show people themselves mirror
what a camera sees; a camera on its side turns it. Both look like a deck that nobody knows, until the pictures
are held the other way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from calibration.failure import FailedEstimation
from vision.field.layout_reader import FEW_CARDS, MOSTLY_READ, LayoutReading, read_layout
from vision.frames.frame import Gray
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge


class Wrong(Enum):
    """How pictures show the field, if not as the near player sees it."""

    MIRRORED = "mirrored"
    SIDEWAYS = "sideways"


MEND: Final = {
    Wrong.MIRRORED: "switch off mirroring in the camera, or in the program that its pictures come through",
    Wrong.SIDEWAYS: "turn the camera by a quarter, so that one player sits at the picture's lower edge",
}
_FOUND: Final = {
    Wrong.MIRRORED: "the pictures are mirrored",
    Wrong.SIDEWAYS: "the players sit left and right in the pictures",
}
_HELD: Mapping[Wrong, Callable[[Gray], Gray]] = {Wrong.MIRRORED: np.fliplr, Wrong.SIDEWAYS: np.rot90}


@dataclass(frozen=True, slots=True)
class WrongView(FailedEstimation):
    """Why no layout is taken from pictures in which cards were found.

    Attributes
    ----------
    wrong : how they show the field.
    """

    wrong: Wrong


def held_rightly(
    found: LayoutReading, frames: Sequence[Gray], known: PriorKnowledge = NOTHING_KNOWN
) -> LayoutReading | WrongView:
    """Return what was read, or WrongView where far more of it can be read with the pictures held otherwise.

    It takes two more readings of the field where few of its cards could be read, and no time at all else.

    Parameters
    ----------
    found : what was read.
    frames : one or a few gray pictures of the resting field, shape (height, width), uint8, it was read in.
    known : what it was read with.
    """
    cards, named = len(found.layout), found.named
    if cards < FEW_CARDS or named >= MOSTLY_READ * cards:
        return found
    for wrong, hold in _HELD.items():
        held = read_layout([np.ascontiguousarray(hold(gray)) for gray in frames], known=known)
        # a card or two of an unknown deck are legible by chance, either way
        if isinstance(held, LayoutReading) and held.named >= max(
            MOSTLY_READ * len(held.layout), FEW_CARDS / 2 + named
        ):
            return WrongView(
                f"{_FOUND[wrong]}: {cards} cards were found, {named} of them legible", MEND[wrong], wrong
            )
    return found
