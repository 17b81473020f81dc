"""A game follows its log. What its scribe fails at is left out and told, and the game goes on.

What was seen and said stays in the log: a scribe that has been mended reads it all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from vision.match.patience import told

Numbered = tuple[int, Any]
"""An event with its number in the log."""


class TableGame(Protocol):
    """A game read out of its log."""

    def follow(self, event: Any) -> None:
        """Take one more event."""


G = TypeVar("G", bound=TableGame)


class ScribeError(Exception):
    """A scribe has failed at event number `seq`; `why` is what it raised."""

    def __init__(self, seq: int, why: Exception) -> None:
        super().__init__(f"event {seq} cannot be followed: {why}")
        self.seq, self.why = seq, why


def followed(game: G, events: Iterable[Numbered]) -> G:
    """Return a game that has followed events.

    Raises
    ------
    ScribeError
        Where it fails at one of them; it is of no use afterwards.
    """
    for seq, event in events:
        try:
            game.follow(event)
        except Exception as error:
            raise ScribeError(seq, error) from error
    return game


class Following(Generic[G]):
    """Keeps a game up with its log.

    Attributes
    ----------
    game : as it stands now.
    failures : what went wrong at each event that is left out, for people.

    Parameters
    ----------
    read : returns the game of a log; raises `ScribeError` where that cannot be followed.
    history : the log.
    """

    def __init__(self, read: Callable[[Sequence[Numbered]], G], history: Sequence[Numbered]) -> None:
        self.failures: list[str] = []
        self._read, self._history = read, list(history)
        self._left_out: set[int] = set()
        self.game = self._read_again()

    def follow(self, seq: int, event: object) -> None:
        """Take one more event."""
        self._history.append((seq, event))
        try:
            self.game.follow(event)
        except Exception as error:  # noqa: BLE001 (told to people)
            self._leave_out(seq, error)
            self.game = self._read_again()

    def tell(self, event: object) -> None:
        """Take one more event of a game that nobody logs."""
        self.follow(len(self._history), event)

    def rewrite(self, seq: int, event: object) -> None:
        """Take one more event, which can change what came before it: what was left out is tried again."""
        self._history.append((seq, event))
        self._left_out.clear()
        self.game = self._read_again()

    def finish(self, end: Callable[[G], None]) -> None:
        """End the game; where that fails it stays as it stood."""
        try:
            end(self.game)
        except Exception as error:  # noqa: BLE001 (told to people)
            self.failures.append(told(error))
            self.game = self._read_again()

    def _read_again(self) -> G:
        while True:
            kept = [(seq, event) for seq, event in self._history if seq not in self._left_out]
            try:
                return self._read(kept)
            except ScribeError as failed:
                self._leave_out(failed.seq, failed.why)

    def _leave_out(self, seq: int, error: Exception) -> None:
        self._left_out.add(seq)
        self.failures.append(told(error))
