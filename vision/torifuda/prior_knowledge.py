"""What the eye knows of a hall before it sees the first picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from calibration.field.plane_shape import Lens
from vision.frames.shutter import Readout
from vision.torifuda.enrolled_faces import DeckFaces


@dataclass(frozen=True, slots=True, eq=False)
class PriorKnowledge:
    """What is known beforehand.

    Attributes
    ----------
    lens : the camera's lens, where `shinpan calibrate --lens` measured it.
    faces : of the deck that is played with, where its owner enrolled it.
    readout : of the camera's shutter, where `shinpan calibrate --shutter` measured it.
    """

    lens: Lens | None = None
    faces: DeckFaces | None = None
    readout: Readout | None = None


NOTHING_KNOWN: Final = PriorKnowledge()
