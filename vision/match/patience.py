"""What an eye fails at is told to people and left out, as long as it is rare.

A hall has no programmer: one error of the eye's own is no reason to lose a game. An eye that fails again and
again is broken, and says so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from textwrap import shorten
from traceback import extract_tb
from typing import TypeVar

Seen = TypeVar("Seen")


class Patience:
    """Bears errors.

    Parameters
    ----------
    most : so many are borne,
    within_ns : in any span of the film as long as this.
    """

    def __init__(self, most: int, within_ns: int) -> None:
        self._borne_ns: deque[int] = deque(maxlen=most)
        self._within_ns = within_ns

    def bear(self, error: Exception, t_ns: int) -> str:
        """Return an error of the instant `t_ns` in words; where too many came shortly before, raise it."""
        borne_ns = self._borne_ns
        if len(borne_ns) == borne_ns.maxlen and t_ns - borne_ns[0] < self._within_ns:
            raise error
        borne_ns.append(t_ns)
        return told(error)


class LookByLook:
    """Lets an eye look at a table; looks at which it fails are left out.

    Attributes
    ----------
    failures : what went wrong at each of these, for people.
    """

    def __init__(self) -> None:
        self.failures: list[str] = []
        most_looks = 5
        # A table that rests is read again after some seconds where that failed: it alone breaks no eye.
        looks_within_ns = 10_000_000_000
        self._patience = Patience(most_looks, looks_within_ns)

    def tried(self, look: Callable[[], list[Seen]], t_ns: int) -> list[Seen]:
        """Return what a look at `t_ns` of the film tells, nothing where it fails.

        Raises
        ------
        Exception
            What the look raised, where five looks of the last ten seconds have failed already.
        """
        try:
            return look()
        except Exception as error:  # noqa: BLE001 (told to people)
            self.failures.append(self._patience.bear(error, t_ns))
            return []


def told(error: Exception) -> str:
    """Return in a line what an error is, and where it was raised."""
    where = "".join(f", {Path(at.filename).name}:{at.lineno}" for at in extract_tb(error.__traceback__)[-1:])
    told_characters = 300  # Of an error: some name whole pictures.
    text = shorten(str(error), told_characters, placeholder=" ...")
    return f"{text} ({type(error).__name__}{where})"
