"""The eye's knowledge of a hall before the first picture."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Deck, DeckError
from calibration.field.plane_shape import Lens
from referee.cards.poems import POEMS
from vision.cards.poses import CROP_HEIGHT_PX, CROP_WIDTH_PX
from vision.frames.shutter import Readout

Floats = NDArray[np.float64]

SHIFTS: Final = range(-2, 3)  # cells by which a card's outline may be off, in each direction


class DeckFaces:
    """The faces of a deck, ready for comparison with crops of `vision.cards.poses`.

    Raises DeckError if it is another game's.

    `deck`: of the game `karuta`.
    """

    def __init__(self, deck: Deck) -> None:
        if deck.game != "karuta":
            raise DeckError(
                "torifuda are read from a deck of karuta, {name!r} is one of {game}",
                name=deck.name,
                game=deck.game,
            )
        crops = [
            cv2.resize(
                cv2.cvtColor(deck.pictures[str(number)], cv2.COLOR_BGR2GRAY),
                (CROP_WIDTH_PX, CROP_HEIGHT_PX),
                interpolation=cv2.INTER_AREA,
            )
            for number in sorted(POEMS)
        ]
        cells = _cells(np.array(crops, np.uint8))
        shifted = [np.roll(cells, (down, right), axis=(1, 2)) for down in SHIFTS for right in SHIFTS]
        self._faces = _inner(np.stack(shifted, axis=1).reshape(-1, *cells.shape[1:]))

    def likeness(self, crops: NDArray[np.uint8]) -> Floats:
        """Compare faces with the deck.

        `crops`: shape (N, CROP_HEIGHT_PX, CROP_WIDTH_PX), upright.

        Returns: shape (N, 100); correlation with each poem's face at its best place, 1 for the same picture.
        """
        every = _inner(_cells(crops)) @ self._faces.T
        return np.asarray(every.reshape(len(crops), len(POEMS), -1).max(axis=2), np.float64)


def _cells(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    # Faces are compared in cells of this many pixels of a crop: finer than strokes, coarser than focus
    # errors.
    cell_px = 2
    rows, columns = CROP_HEIGHT_PX // cell_px, CROP_WIDTH_PX // cell_px
    parts = crops.reshape(len(crops), rows, cell_px, columns, cell_px)
    return np.asarray(parts.mean(axis=(2, 4), dtype=np.float32))


def _inner(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the part with the text, without its mean and scale, as unit vectors, shape (N, cells)."""
    edge_cells = (4, 3)  # rows and columns of cells around a face that belong to its border
    down, right = edge_cells
    text = cells[:, down:-down, right:-right].reshape(len(cells), -1)
    text = text - text.mean(axis=1, keepdims=True)
    return np.asarray(text / np.maximum(np.linalg.norm(text, axis=1, keepdims=True), 1e-3), np.float32)


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
