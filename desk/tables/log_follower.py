"""A game that follows its log. An event at which its scribe fails is left out and reported; the game goes on.

The log keeps every event, so a corrected scribe can read them all.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from desk.tables.table_events import TakenBack
from vision.match.endurance import error_line

Numbered = tuple[int, Any]  # an event with its number in the log


class TableGame(ABC):
    """A game that follows its log, whose opening has at least `id`, `source`, `deck` and `names`."""

    opened: Any
    players = 2

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the game has ended by its rules."""

    @abstractmethod
    def follow(self, event: Any) -> None:
        """Follow one more event."""

    def implied(self, event: Any) -> object | None:  # noqa: ARG002 (most events imply none)
        """Return the event that people leave unsaid before this one, None if there is none."""
        return None

    def close(self) -> None:  # noqa: B027 (most games leave nothing open)
        """Judge what is still open when the film ends."""


G = TypeVar("G", bound=TableGame)
Opened = TypeVar("Opened")


class ScribeError(Exception):
    """A scribe has failed at event number `seq`; `why` is the error."""

    def __init__(self, seq: int, why: Exception) -> None:
        super().__init__(f"event {seq} cannot be followed: {why}")
        self.seq, self.why = seq, why


def counting(history: Sequence[Numbered], opening: type[Opened]) -> tuple[Opened, list[Numbered]]:
    """Return a log's opening (ValueError without one), and those events that were not taken back."""
    first = history[0][1] if history else None
    if not isinstance(first, opening):
        raise ValueError(  # noqa: TRY004 (the log is wrong, not its type)
            f"the log of a game begins with its opening, got {type(first).__name__}"
        )
    gone = {event.seq for _, event in history if isinstance(event, TakenBack)}
    return first, [(seq, event) for seq, event in history[1:] if seq not in gone]


def followed(game: G, events: Iterable[Numbered]) -> G:
    """Let a game follow events, and return it; after a ScribeError the game is useless."""
    for seq, event in events:
        try:
            game.follow(event)
        except Exception as error:
            raise ScribeError(seq, error) from error
    return game


class Following(Generic[G]):
    """Keeps a game up to date with its log by `read`; `failures`: the errors at events that are left out."""

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
        """Follow one more event of a game without a log, after what it implies."""
        for each in (self.game.implied(event), event):
            if each is not None:
                self.follow(len(self._history), each)

    def rewrite(self, seq: int, event: object) -> None:
        """Follow one more event that can change earlier ones: read all events again, those left out too."""
        self._history.append((seq, event))
        self._left_out.clear()
        self.game = self._read_again()

    def finish(self) -> None:
        """End the game; if that fails, the game stays as it was."""
        try:
            self.game.close()
        except Exception as error:  # noqa: BLE001 (told to people)
            self.failures.append(error_line(error))
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
        self.failures.append(error_line(error))
