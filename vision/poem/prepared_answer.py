"""An answer about the cards that moved, computed before it is asked for."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Mapping
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import Departure
from vision.launch.strikes import ALIKE_PX

_T = TypeVar("_T")
_Known = tuple[Hashable, NDArray[np.float64] | None]
"""State on which an answer depends while nothing moves, and the place at which a card that slid rests."""


class PreparedAnswer(Generic[_T]):
    """An answer that is found step by step.

    Parameters
    ----------
    moved : the cards that seem to have moved, by slot number, in their present state.
    steps : computes the answer about them.
    """

    def __init__(self, moved: Mapping[int, Departure], steps: Generator[None, None, _T]) -> None:
        self._known = {number: _known_of(one) for number, one in moved.items()}
        self._steps = steps
        self._answer: _T | None = None

    def steps(self) -> Generator[None, None, _T]:
        """Compute the rest, and return the answer."""
        if self._answer is None:
            self._answer = yield from self._steps
        return self._answer

    def step(self) -> bool:
        """Take a step; tell whether the answer is found."""
        if self._answer is None:
            try:
                next(self._steps)
            except StopIteration as end:
                self._answer = end.value
        return self._answer is not None

    def holds(self, moved: Mapping[int, Departure]) -> bool:
        """Tell whether the answer is about these cards and all that it depends on is unchanged."""
        return moved.keys() == self._known.keys() and all(
            _is_alike(_known_of(one), self._known[number]) for number, one in moved.items()
        )


def _known_of(one: Departure) -> _Known:
    state = one, one.seen_gone_ns, one.shown_gone_ns, one.is_complete
    return state, None if one.left else one.final_shift_px


def _is_alike(one: _Known, other: _Known) -> bool:
    (state, at_px), (other_state, other_at_px) = one, other
    if state != other_state or (at_px is None) is not (other_at_px is None):
        return False
    return at_px is None or other_at_px is None or float(np.hypot(*(at_px - other_at_px))) < ALIKE_PX
