"""Let a match go on after the eye failed: the officials decide what it could not judge.

A hall has no programmer. When the eye raises an error of its own, the open poem is given up with a gap, the
field is read anew at its next rest, and the error is shown to whoever runs the program. An eye that fails
again at once is broken, so its error is raised.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from textwrap import shorten
from traceback import extract_tb
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # card tables need no more than patience
    from vision.match.watcher import MatchWatcher
    from vision.poem.events import WatchEvent

Seen = TypeVar("Seen")


class Patience:
    """Tolerates errors up to a limit.

    `most`: how many errors are tolerated within `within_ns`. `within_ns`: that span, on the film's clock.
    """

    def __init__(self, most: int, within_ns: int) -> None:
        self._borne_ns: deque[int] = deque(maxlen=most)
        self._within_ns = within_ns

    def bear(self, error: Exception, t_ns: int) -> str:
        """Return an error at `t_ns` as a line of text; raise it if too many came shortly before."""
        borne_ns = self._borne_ns
        if len(borne_ns) == borne_ns.maxlen and t_ns - borne_ns[0] < self._within_ns:
            raise error
        borne_ns.append(t_ns)
        return error_line(error)


class SkippedLooks:
    """Runs the looks of an eye at a table, and leaves out those that fail.

    `failures`: a line for each failed look, for people to read.
    """

    def __init__(self) -> None:
        self.failures: list[str] = []
        most_looks = 5
        # a table at rest is read again only seconds after a failure: such retries alone stay below the limit
        looks_within_ns = 10_000_000_000
        self._patience = Patience(most_looks, looks_within_ns)

    def tried(self, look: Callable[[], list[Seen]], t_ns: int) -> list[Seen]:
        """Return what a look at `t_ns` of the film tells; nothing if it fails.

        Raises
        ------
        Exception
            The error of the look, if five looks of the last ten seconds have failed already.
        """
        try:
            return look()
        except Exception as error:  # noqa: BLE001 (told to people)
            self.failures.append(self._patience.bear(error, t_ns))
            return []


def error_line(error: Exception) -> str:
    """Return in one line what an error says and where it was raised."""
    where = "".join(f", {Path(at.filename).name}:{at.lineno}" for at in extract_tb(error.__traceback__)[-1:])
    told_characters = 300  # of an error: some contain whole pictures
    text = shorten(str(error), told_characters, placeholder=" ...")
    return f"{text} ({type(error).__name__}{where})"


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
