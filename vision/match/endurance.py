"""Let a match go on after the eye failed: the officials decide what it could not judge.

A hall has no programmer. When the eye raises an error of its own, the open poem is given up with a gap, the
field is read anew at its next rest, and the error is shown to whoever runs the program. An eye that fails
again at once is broken, so its error is raised.
"""

from __future__ import annotations

from collections.abc import Callable

from vision.match.patience import Patience
from vision.match.watcher import MatchWatcher
from vision.poem.events import WatchEvent


class Endurance:
    """Runs the eye's calls and recovers from its errors.

    `failures`: receives a line for each error, for people to read.
    """

    def __init__(self, eye: MatchWatcher, failures: list[str]) -> None:
        self._failures = failures
        self._eye = eye
        apart_ns = 5_000_000_000  # two failures closer together mean a broken eye, not a mishap
        self._patience = Patience(1, apart_ns)

    def tried(
        self, look: Callable[[], list[WatchEvent]], t_ns: int, *, again: bool = False
    ) -> list[WatchEvent]:
        """Return the events of a call of the eye at `t_ns`, or of giving up the open poem if it fails.

        Parameters
        ----------
        look : the call.
        t_ns : on the film's clock.
        again : whether to repeat the call after giving up the poem, as when the next poem begins.

        Raises
        ------
        Exception
            The error of the call, if the previous failure was less than five seconds of film ago.
        """
        try:
            return look()
        except Exception as error:  # noqa: BLE001 (told to people)
            self._failures.append(self._patience.bear(error, t_ns))
            given_up = self._eye.give_up(t_ns)
            return [*given_up, *look()] if again else given_up
