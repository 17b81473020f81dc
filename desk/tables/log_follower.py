"""A game that follows its log. An event at which its scribe fails is left out and reported; the game goes on.

The log keeps every event, so a corrected scribe can read them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from vision.match.patience import told

Numbered = tuple[int, Any]
"""An event with its number in the log."""


class TableGame(Protocol):
    """A game that follows the events of its log."""

    def follow(self, event: Any) -> None:
        """Follow one more event."""


G = TypeVar("G", bound=TableGame)


class ScribeError(Exception):
    """A scribe has failed at event number `seq`; `why` is the error."""

    def __init__(self, seq: int, why: Exception) -> None:
        super().__init__(f"event {seq} cannot be followed: {why}")
        self.seq, self.why = seq, why


def followed(game: G, events: Iterable[Numbered]) -> G:
    """Let a game follow events, and return it.

    Raises
    ------
    ScribeError
        If it fails at one of them; the game is useless afterwards.
    """
    for seq, event in events:
        try:
            game.follow(event)
        except Exception as error:
            raise ScribeError(seq, error) from error
    return game


class Following(Generic[G]):
    """Keeps a game up to date with its log.

    Attributes
    ----------
    game : the present game.
    failures : the error at each event that is left out, for people.

    Parameters
    ----------
    read : returns the game of a log; raises `ScribeError` if it fails at an event.
    history : the log.
    """

    def __init__(self, read: Callable[[Sequence[Numbered]], G], history: Sequence[Numbered]) -> None:
        self.failures: list[str] = []
        self._read, self._history = read, list(history)
        self._left_out: set[int] = set()
        self.game = self._read_again()

    def follow(self, seq: int, event: object) -> None:
        """Follow one more event; leave it out if the scribe fails at it."""
        self._history.append((seq, event))
        try:
            self.game.follow(event)
        except Exception as error:  # noqa: BLE001 (told to people)
            self._leave_out(seq, error)
            self.game = self._read_again()

    def tell(self, event: object) -> None:
        """Follow one more event of a game without a log."""
        self.follow(len(self._history), event)

    def rewrite(self, seq: int, event: object) -> None:
        """Follow one more event that can change earlier ones: read all events again, those left out too."""
        self._history.append((seq, event))
        self._left_out.clear()
        self.game = self._read_again()

    def finish(self, end: Callable[[G], None]) -> None:
        """End the game; if that fails, the game stays as it was."""
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
