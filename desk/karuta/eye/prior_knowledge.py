"""What the eye is told before a match: the deck on the mat, where it is enrolled, and the camera's lens."""

from __future__ import annotations

from typing import Any

from calibration.decks.deck import DeckError
from calibration.field.plane_shape import Lens
from desk.errors import DeskError
from desk.machine.camera_records import record_of
from desk.machine.decks import open_deck
from vision.frames.shutter import LEAST_SIGMA_NS, Readout
from vision.torifuda.enrolled_faces import DeckFaces
from vision.torifuda.prior_knowledge import PriorKnowledge


def known_of(deck: str | None, camera: str | None = None) -> PriorKnowledge:
    """Return what is known.

    Parameters
    ----------
    deck : name of an enrolled deck of torifuda, or a deck's file; None for any printed deck.
    camera : name of a camera, whose record `shinpan calibrate` keeps; None where the pictures are a film's.

    Raises
    ------
    DeskError
        Where there is no such deck, it is another game's, or the camera's record cannot be read.
    """
    measured = {} if camera is None else record_of(camera)
    return PriorKnowledge(
        _lens(measured.get("lens", {})),
        None if deck is None else faces_of(deck),
        readout_of(measured),
    )


def faces_of(deck: str) -> DeckFaces:
    """Return the faces of an enrolled deck; DeskError where there is none or it is not one of torifuda."""
    enrolled = open_deck(deck)
    try:
        return DeckFaces(enrolled)
    except DeckError as error:
        raise DeskError(f"--deck: {error}") from error


def readout_of(record: dict[str, Any]) -> Readout | None:
    """Return the shutter's read-out from a camera's record; None where it was not measured."""
    figures = record.get("shutter", {})
    if not {"readout_s", "unc_s"} <= figures.keys():
        return None
    return Readout(1e9 * figures["readout_s"], max(LEAST_SIGMA_NS, 1e9 * figures["unc_s"] / 1.96))


def _lens(figures: dict[str, Any]) -> Lens | None:
    """Return the lens of a record's figures; None where it was not measured."""
    if not {"k1", "focal_px", "width_px"} <= figures.keys():
        return None
    return Lens(figures["focal_px"][0] / (figures["width_px"] / 2), figures["k1"])
