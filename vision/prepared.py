"""The answer to what happened to the cards, found before it is asked, and whether it still holds then."""

from __future__ import annotations

import time
from collections.abc import Generator, Hashable, Mapping

import numpy as np

from referee.facts import Testimony
from vision.departure import Departure
from vision.ending import Ending
from vision.strikes import ALIKE_PX


class Prepared:
    """An answer that is found step by step.

    Parameters
    ----------
    state : what it hangs on beside the endings.
    ends : how each slot looks in the picture that it is found in, by its number.
    steps : they find it.

    Attributes
    ----------
    state, ends : see there.
    """

    def __init__(
        self, state: Hashable, ends: Mapping[int, Ending], steps: Generator[None, None, list[Testimony]]
    ) -> None:
        self.state, self.ends, self._steps = state, ends, steps
        self._facts: list[Testimony] | None = None

    def steps(self) -> Generator[None, None, list[Testimony]]:
        """Find what is not found yet, and return the answer."""
        if self._facts is None:
            self._facts = yield from self._steps
        return self._facts

    def go_on(self, until_ns: int) -> None:
        """Take steps until about `until_ns` of the thread's CPU time."""
        while self._facts is None and time.thread_time_ns() < until_ns:
            try:
                next(self._steps)
            except StopIteration as end:
                self._facts = end.value

    def holds(self, state: Hashable, ends: Mapping[int, Ending]) -> bool:
        """Tell whether all that the answer hangs on is as it was."""
        return state == self.state and are_alike(ends, self.ends)


def state_of(departures: Mapping[int, Departure]) -> Hashable:
    """Return what is known of departures, as far as an answer hangs on it while nothing moves."""
    return frozenset(
        (one, one.seen_gone_ns, one.shown_gone_ns, one.left, one.bared, one.proven, one.is_complete)
        for one in departures.values()
    )


def are_alike(ends: Mapping[int, Ending], others: Mapping[int, Ending]) -> bool:
    """Tell whether slots, by their numbers, look as they do in `others`, which may be of more slots."""
    return all(number in others and _is_alike(one, others[number]) for number, one in ends.items())


def _is_alike(one: Ending, other: Ending) -> bool:
    if one.end is not other.end or (one.shift_px is None) is not (other.shift_px is None):
        return False
    if one.shift_px is None or other.shift_px is None:
        return True
    return float(np.hypot(*(one.shift_px - other.shift_px))) < ALIKE_PX
