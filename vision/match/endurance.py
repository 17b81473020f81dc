"""A match goes on although the eye failed: what it could not judge goes to the officials.

A hall has no programmer. Where the eye raises an error of its own the poem that is open is given up with a
gap, the field is read anew when it rests, and whoever runs the program is told what happened. An eye that
fails again at once is broken, and says so.
"""

from __future__ import annotations

from collections.abc import Callable

from vision.match.patience import Patience
from vision.match.watcher import MatchWatcher
from vision.poem.events import WatchEvent


class Endurance:
    """Lets an eye look, and helps it on where it fails.

    Parameters
    ----------
    eye : the eye.
    failures : where it is written down what went wrong, for people.
    """

    def __init__(self, eye: MatchWatcher, failures: list[str]) -> None:
        self._failures = failures
        self._eye = eye
        apart_ns = 5_000_000_000  # failures that come sooner one after the other are no accident of a poem
        self._patience = Patience(1, apart_ns)

    def tried(
        self, look: Callable[[], list[WatchEvent]], t_ns: int, *, again: bool = False
    ) -> list[WatchEvent]:
        """Return what a look of the eye at `t_ns` tells, or that the open poem is given up.

        Parameters
        ----------
        look : what the eye is to do.
        t_ns : on the film's clock.
        again : try it once more when that poem is given up: the next poem is to begin.

        Raises
        ------
        Exception
            What the look raised, where the latest failure was less than five seconds of film ago.
        """
        try:
            return look()
        except Exception as error:  # noqa: BLE001 (told to people)
            self._failures.append(self._patience.bear(error, t_ns))
            given_up = self._eye.give_up(t_ns)
            return [*given_up, *look()] if again else given_up
