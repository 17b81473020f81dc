"""What will have become of cards when the hands have left, guessed while these are still over the field."""

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
    ends : what was guessed last, by the numbers of the cards' slots.
    """

    def __init__(self, field: FieldModel, grid: SlotGrid) -> None:
        self._field, self._grid = field, grid
        self.ends: dict[int, Ending] = {}
        self._guessed: dict[int, tuple[int, Hashable]] = {}

    def look(self, frame: Frame, seen: Mapping[int, Hashable], *, hands_left: bool) -> None:
        """Guess anew of some cards, most urgently of those of which it was not guessed for longest.

        Parameters
        ----------
        frame : the latest picture.
        seen : in rough words what it shows of each card that is not in its place: as long as they hold, a
            guess of it does.
        hands_left : nothing reaches over the field: all are guessed at once.
        """
        self.ends = {number: one for number, one in self.ends.items() if number in seen}
        old = [
            number for number, words in seen.items() if self._is_old(number, words, frame.t_ns, hands_left)
        ]
        if not hands_left:
            at_once = 1  # cards of which it is guessed anew in a frame
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
        anew_ns = 240_000_000  # each now and then, and when other things are seen of it
        changed_ns = 60_000_000  # but no sooner than so: below a moving hand these change in every frame
        return t_ns - guessed_ns > (anew_ns if then == words else changed_ns)
