"""The eye's knowledge of a hall before the first picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from calibration.field.plane_shape import Lens
from vision.frames.shutter import Readout
from vision.torifuda.enrolled_faces import DeckFaces


@dataclass(frozen=True, slots=True)
class Hall:
    """What trials in a hall told of its floor, its lamps and its camera (`shinpan trials table`).

    It only makes the eye more careful: where nothing was measured, all is as it is by default.
    """

    floor_mm: float = 0.0  # how far floor, people and camera moved a card that nobody touched
    ripple: float = 0.0  # how far the light of the lamps oscillates, as a share of its mean
    lag_ns: float = 0.0  # how late the camera's noise reduction shows a motion


@dataclass(frozen=True, slots=True, eq=False)
class PriorKnowledge:
    """Everything known before the first picture."""

    lens: Lens | None = None  # the camera's lens, if `shinpan calibrate --lens` measured it
    faces: DeckFaces | None = None  # those of the deck in play, if its owner enrolled it
    # that of the camera's shutter, if `shinpan calibrate --shutter` measured it
    readout: Readout | None = None
    hall: Hall = Hall()  # what trials in the hall told


NOTHING_KNOWN: Final = PriorKnowledge()
