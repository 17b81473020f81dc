"""What the eye knows before a match: the enrolled deck, the camera's lens and shutter, the hall."""

from typing import Any

from calibration.decks.deck import DeckError
from calibration.field.plane_shape import Lens
from desk.errors import DeskError
from desk.machine.camera_records import record_of
from desk.machine.decks import open_deck
from vision.frames.shutter import LEAST_SIGMA_NS, Readout
from vision.torifuda.prior_knowledge import DeckFaces, Hall, PriorKnowledge


def known_of(deck: str | None, camera: str | None = None, filmed_by: str | None = None) -> PriorKnowledge:
    """Return what is known of a deck and a camera.

    Raises DeskError if there is no such deck, it belongs to another game, the camera's record cannot be read,
    or no trials were measured with the camera that filmed. `deck`: name of an enrolled deck of torifuda, or a
    deck's file; None for any printed deck. `camera`: name of a camera, to look up the record of `shinpan
    calibrate`; None for a film. `filmed_by`: for a film, the camera whose hall it shows; lens and shutter are
    left out, since a film may be cut or scaled.
    """
    measured = {} if camera is None else record_of(camera)
    if filmed_by is not None:
        measured = {"hall": record_of(filmed_by).get("hall")}
        if not measured["hall"]:
            raise DeskError(
                "--camera: no trials were measured with {camera}: "
                "shinpan trials table FILM LIST --camera SOURCE",
                camera=filmed_by,
            )
    return PriorKnowledge(
        _lens(measured.get("lens", {})),
        None if deck is None else faces_of(deck),
        readout_of(measured),
        hall_of(measured),
    )


def faces_of(deck: str) -> DeckFaces:
    """Return the faces of an enrolled deck; DeskError if there is none, or it is no deck of torifuda."""
    enrolled = open_deck(deck)
    with DeskError.wrapping("--deck: {why}", DeckError):
        return DeckFaces(enrolled)


def readout_of(record: dict[str, Any]) -> Readout | None:
    figures = record.get("shutter", {})
    if not {"readout_s", "unc_s"} <= figures.keys():
        return None
    return Readout(1e9 * figures["readout_s"], max(LEAST_SIGMA_NS, 1e9 * figures["unc_s"] / 1.96))


def hall_of(record: dict[str, Any]) -> Hall:
    """Return what trials told of the hall in which a camera hangs; nothing if none were filmed."""
    figures = record.get("hall", {})
    floor_mm, ripple, lag_ms = (figures.get(name) or 0.0 for name in ("floor_mm", "ripple_share", "lag_ms"))
    return Hall(floor_mm, ripple, 1e6 * lag_ms)


def _lens(figures: dict[str, Any]) -> Lens | None:
    if not {"k1", "focal_px", "width_px"} <= figures.keys():
        return None
    return Lens(figures["focal_px"][0] / (figures["width_px"] / 2), figures["k1"])
