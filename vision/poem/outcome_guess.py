"""Guess what will have become of the cards while hands are still over the field."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np

from vision.departures.outcome import End, Ending, ending
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid, sights_of
from vision.frames.frame import Frame


class Guesses:
    """Guesses the endings of the cards that are not seen in their places.

    Parameters
    ----------
    field, grid : the resting field.

    Attributes
    ----------
    ends : the latest guesses, by slot number.
    """

    def __init__(self, field: FieldModel, grid: SlotGrid) -> None:
        self._field, self._grid = field, grid
        self.ends: dict[int, Ending] = {}
        self._guessed: dict[int, tuple[int, Hashable]] = {}

    def look(self, frame: Frame, seen: Mapping[int, Hashable], *, hands_left: bool) -> None:
        """Guess again about some cards, first about those with the oldest guesses.

        Parameters
        ----------
        frame : the latest picture.
        seen : coarse descriptions of what the picture shows of each card that is not in its place; a guess
            holds as long as the description does.
        hands_left : whether nothing reaches over the field; then all are guessed at once.
        """
        self.ends = {number: one for number, one in self.ends.items() if number in seen}
        old = [
            number for number, words in seen.items() if self._is_old(number, words, frame.t_ns, hands_left)
        ]
        if not hands_left:
            at_once = 1  # cards guessed again per frame
            old = sorted(old, key=lambda number: self._guessed.get(number, (0,))[0])[:at_once]
        if old:
            sights = sights_of(self._grid.look(frame.gray, np.array(old)), frame.t_ns)
            for number, sight in zip(old, sights, strict=True):
                self.ends[number] = ending(self._field, number, sight, frame.gray)
                self._guessed[number] = frame.t_ns, seen[number]

    def _is_old(self, number: int, words: Hashable, t_ns: int, hands_left: bool) -> bool:
        if number not in self.ends:
            return True
        guessed_ns, then = self._guessed[number]
        if hands_left and (then != words or self.ends[number].end is End.HIDDEN):
            return True
        anew_ns = 240_000_000  # age at which an unchanged guess is renewed
        changed_ns = 60_000_000  # the same after a change: below a moving hand things change in every frame
        return t_ns - guessed_ns > (anew_ns if then == words else changed_ns)
