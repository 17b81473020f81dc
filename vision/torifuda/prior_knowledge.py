"""The eye's knowledge of a hall before the first picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from calibration.field.plane_shape import Lens
from vision.frames.shutter import Readout
from vision.torifuda.enrolled_faces import DeckFaces


@dataclass(frozen=True, slots=True, eq=False)
class PriorKnowledge:
    """Everything known before the first picture.

    Attributes
    ----------
    lens : the camera's lens, if `shinpan calibrate --lens` measured it.
    faces : those of the deck in play, if its owner enrolled it.
    readout : that of the camera's shutter, if `shinpan calibrate --shutter` measured it.
    """

    lens: Lens | None = None
    faces: DeckFaces | None = None
    readout: Readout | None = None


NOTHING_KNOWN: Final = PriorKnowledge()
