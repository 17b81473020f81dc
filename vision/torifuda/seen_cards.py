"""Cards with their faces: where they lie, which way up, and what the reader reads on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.field.geometry import FieldGeometry
from referee.layout import CARD_WIDTH_M
from vision.cards.poses import CardPoses, joined
from vision.frames.frame import Gray
from vision.torifuda.enrolled_faces import DeckFaces
from vision.torifuda.face_reader import MIN_LIKENESS, FaceReadings, TorifudaReader

READS_WELL: Final = -1.2  # log-likelihood per slot above which a face need not be tried the other way up


@dataclass(frozen=True, slots=True, eq=False)
class SeenCards:
    """Cards of a picture."""

    poses: CardPoses
    upside_down: NDArray[np.bool_]  # shape (N,); whether the text is upside down in the picture
    readings: FaceReadings
    # shape (N,); whether print proves that a card lies there, whatever its paper looks like
    printed: NDArray[np.bool_]

    def only(self, keep: NDArray[np.bool_]) -> SeenCards:
        return SeenCards(
            self.poses[keep], self.upside_down[keep], self.readings.only(keep), self.printed[keep]
        )

    def joined(self, other: SeenCards) -> SeenCards:
        return SeenCards(
            joined(self.poses, other.poses),
            np.concatenate([self.upside_down, other.upside_down]),
            self.readings.joined(other.readings),
            np.concatenate([self.printed, other.printed]),
        )

    def completed_by(self, more: SeenCards) -> SeenCards:
        """Add cards that can be read, each once.

        An illegible find in the same place was a bad outline of the same card, and is dropped.
        """
        clear = self.readings.best() > MIN_LIKENESS
        same_place = self._same_place(more)
        new = more.only(np.asarray(~same_place[clear].any(axis=0)))
        return self.only(np.asarray(clear | ~same_place.any(axis=1))).joined(new)

    def with_printed(self, more: SeenCards) -> SeenCards:
        """Add illegible cards that have print; mark earlier outlines in the same place as printed, too."""
        same_place = self._same_place(more)
        new = more.only(np.asarray(~same_place.any(axis=0)))
        confirmed = replace(self, printed=self.printed | same_place.any(axis=1))
        return confirmed.joined(replace(new, printed=np.ones(len(new.poses), bool)))

    def _same_place(self, other: SeenCards) -> NDArray[np.bool_]:
        """Tell which of the other's M cards lie in the same place as which of these N, shape (N, M)."""
        away_m = self.poses.centres_m[:, None] - other.poses.centres_m[None]
        return np.asarray(np.linalg.norm(away_m, axis=2) < 0.7 * CARD_WIDTH_M)


def read_both_ways(
    gray: Gray,
    geometry: FieldGeometry,
    poses: CardPoses,
    upside_down: NDArray[np.bool_],
    faces: DeckFaces | None,
) -> SeenCards:
    """Read every face the expected way up, and those that read badly the other way up, too.

    `gray`: shape (height, width), uint8. `upside_down`: shape (N,); which cards are expected upside down in
    the picture.
    """
    reader = TorifudaReader()
    corners = geometry.to_image(poses.corners_m())
    corners[upside_down] = np.roll(corners[upside_down], -2, axis=1)
    first = reader.read(gray, corners, faces)
    doubtful = np.flatnonzero(first.best() < READS_WELL)
    second = reader.read(gray, np.roll(corners[doubtful], -2, axis=1), faces)
    better = second.best() > first.best()[doubtful]
    turned, upside_down = doubtful[better], upside_down.copy()
    upside_down[turned] = ~upside_down[turned]
    readings = first.replaced(turned, second.only(better))
    return SeenCards(poses, upside_down, readings, np.zeros(len(poses), bool))


def read_by_colour(
    pale: Gray, geometry: FieldGeometry, seen: SeenCards, unnamed: NDArray[np.bool_], faces: DeckFaces | None
) -> SeenCards:
    """Read cards again in a picture in which coloured print pales, and keep the better reading of each.

    `pale`: the picture by its `vision.frames.frame.brightest_channel`, shape (height, width), uint8.
    `unnamed`: which cards to read again, shape (N,).
    """
    again = read_both_ways(pale, geometry, seen.poses[unnamed], seen.upside_down[unnamed], faces)
    better = again.readings.best() > seen.readings.best()[unnamed]
    places, upside_down = np.flatnonzero(unnamed)[better], seen.upside_down.copy()
    upside_down[places] = again.upside_down[better]
    readings = seen.readings.replaced(places, again.readings.only(better))
    return replace(seen, upside_down=upside_down, readings=readings)
