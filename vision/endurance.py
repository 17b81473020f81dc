"""A match goes on although the eye failed: what it could not judge goes to the officials.

A hall has no programmer. Where the eye raises an error of its own the poem that is open is given up with a
gap, the field is read anew when it rests, and whoever runs the program is told what happened. An eye that
fails again at once is broken, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import shorten
from traceback import extract_tb

from vision.match_watcher import MatchWatcher
from vision.watch_events import WatchEvent

_APART_NS = 5_000_000_000  # failures that come sooner one after the other are no accident of a poem
_TOLD_CHARACTERS = 300  # of an error: some name whole pictures


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
        self._failed_ns: int | None = None

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
        except Exception as error:
            if self._failed_ns is not None and t_ns - self._failed_ns < _APART_NS:
                raise
            self._failed_ns = t_ns
            self._failures.append(told(error))
            given_up = self._eye.give_up(t_ns)
            return [*given_up, *look()] if again else given_up


def told(error: Exception) -> str:
    """Return in a line what an error is, and where it was raised."""
    where = "".join(f", {Path(at.filename).name}:{at.lineno}" for at in extract_tb(error.__traceback__)[-1:])
    text = shorten(str(error), _TOLD_CHARACTERS, placeholder=" ...")
    return f"{text} ({type(error).__name__}{where})"
