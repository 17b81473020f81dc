"""Detect pictures that show the field the wrong way: mirrored, or with the players at their sides.

In such pictures cards are found, but none can be read. Programs made to show people themselves mirror a
camera's pictures; a camera on its side turns them. Both look like an unknown deck until the pictures are
flipped or turned.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from calibration.failure import FailedEstimation
from referee.sentence import Sentence
from vision.field.layout_reader import FEW_CARDS, MOSTLY_READ, LayoutReading, read_layout
from vision.frames.frame import Gray
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge


class Wrong(Enum):
    """How pictures show the field, if not the way the near player sees it."""

    MIRRORED = "mirrored"
    SIDEWAYS = "sideways"


MEND: Final = {
    Wrong.MIRRORED: Sentence(
        "switch off mirroring in the camera, or in the program that its pictures come through"
    ),
    Wrong.SIDEWAYS: Sentence(
        "turn the camera by a quarter, so that one player sits at the picture's lower edge"
    ),
}
_FOUND: Final = {
    Wrong.MIRRORED: Sentence("the pictures are mirrored"),
    Wrong.SIDEWAYS: Sentence("the players sit left and right in the pictures"),
}
_HELD: Mapping[Wrong, Callable[[Gray], Gray]] = {Wrong.MIRRORED: np.fliplr, Wrong.SIDEWAYS: np.rot90}


@dataclass(frozen=True, slots=True)
class WrongView(FailedEstimation):
    """No layout is taken, although cards were found: the pictures show the field the wrong way."""

    wrong: Wrong


def held_rightly(
    found: LayoutReading, frames: Sequence[Gray], known: PriorKnowledge = NOTHING_KNOWN
) -> LayoutReading | WrongView:
    """Return what was read, or WrongView if far more can be read with the pictures flipped or turned.

    If few cards could be read, this takes two more readings of the field, else no time.

    `frames`: the pictures it was read in: one or a few gray ones of the resting field, shape (height, width),
    uint8. `known`: the prior knowledge it was read with.
    """
    cards, named = len(found.layout), found.named
    if cards < FEW_CARDS or named >= MOSTLY_READ * cards:
        return found
    for wrong, hold in _HELD.items():
        held = read_layout([np.ascontiguousarray(hold(gray)) for gray in frames], known=known)
        # either way, a card or two of an unknown deck are legible by chance
        if isinstance(held, LayoutReading) and held.named >= max(
            MOSTLY_READ * len(held.layout), FEW_CARDS / 2 + named
        ):
            reason = Sentence(
                "{how}: {cards} cards were found, {named} of them legible",
                how=_FOUND[wrong],
                cards=cards,
                named=named,
            )
            return WrongView(reason, MEND[wrong], wrong)
    return found
