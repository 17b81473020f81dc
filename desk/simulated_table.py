"""A simulated match as it would come from a hall: pictures, the reader's starts, and an official who knows.

The eye gets the pictures and the starts and nothing else. The truth goes to the simulated official, who looks
only at what the machine itself would not decide, and to the report.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from desk.engine import Engine, Origin
from referee.facts import PoemStarted
from referee.karuta.events import Confirm, FieldAccepted, Overrule
from referee.karuta.ruling import Ruling
from referee.karuta.state import Phase
from referee.sides import BySide, Side
from vision.frames import Frame
from vision.simulator.match import SimulatedMatch

READER_UNC_NS = 1_000_000
"""A program that starts the sound itself knows the instant to about a millisecond."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PoemRead:
    """A poem's first sound, and what really happens in it."""

    start: PoemStarted
    truth: Ruling
    scenario: str


def happenings(match: SimulatedMatch) -> Iterator[PoemRead | Frame]:
    """Yield the pictures of a match with each poem's start before the first picture that follows it."""
    episodes = match.episodes()
    upcoming = next(episodes, None)
    for frame in match:
        while upcoming is not None and round(upcoming.t_s * 1e9) <= frame.t_ns:
            start = PoemStarted(upcoming.poem, round(upcoming.t_s * 1e9), READER_UNC_NS)
            yield PoemRead(start, _true_ruling(upcoming.poem, upcoming.truth), upcoming.truth["scenario"])
            upcoming = next(episodes, None)
        yield frame


def ahead(items: Iterable[T], most: int) -> Generator[T, None, None]:
    """Yield `items`, made in a thread of their own that runs at most `most` items ahead.

    Close the generator to end the thread before the items are exhausted.
    """
    made: queue.Queue[T | _End] = queue.Queue(most)
    stop = threading.Event()

    def put(item: T | _End) -> bool:
        while not stop.is_set():
            try:
                made.put(item, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

    def make() -> None:
        end = _End()
        try:
            for item in items:
                if not put(item):
                    return
        except Exception as error:  # noqa: BLE001 -- raised again in the thread that takes the items
            end.error = error
        put(end)

    maker = threading.Thread(target=make, name="simulator", daemon=True)
    maker.start()
    try:
        while not isinstance(item := made.get(), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        stop.set()
        maker.join()


class _End:
    """Marks the end of the items, and why it came where it came early."""

    error: Exception | None = None


class SimulatedOfficial:
    """Decides what the machine leaves to a person, by looking at what really happened.

    Attributes
    ----------
    looked : poems whose ruling the machine left open, and whether what it proposed was right.
    fields_accepted : how often a poem was read although the field was not in order by the machine's book.
    """

    def __init__(self, engine: Engine) -> None:
        self.looked: dict[int, bool] = {}
        self.fields_accepted = 0
        self._engine = engine
        self._truths: dict[int, Ruling] = {}

    def learn(self, read: PoemRead) -> None:
        """Keep in mind what really happens in a poem."""
        self._truths[read.start.poem] = read.truth

    def attend(self) -> None:
        """Decide a ruling that waits for a person."""
        state = self._engine.state
        if state.phase is not Phase.RULING or state.ruling is None or state.paused:
            return
        truth = self._truths[state.ruling.poem]
        right = same_outcome(state.ruling, truth)
        self.looked[truth.poem] = right
        self._engine.submit(Confirm() if right else Overrule(truth), Origin.OPERATOR)

    def before_poem(self) -> None:
        """Let the reader go on where the field lies otherwise than the book says."""
        state = self._engine.state
        if state.phase is Phase.RESTORE and not state.ready and state.observed is not None:
            self.fields_accepted += 1
            self._engine.submit(FieldAccepted(), Origin.OPERATOR)


def same_outcome(ruling: Ruling, truth: Ruling) -> bool:
    """Tell whether taker, faults and sends are the same."""
    return (ruling.taken_by, ruling.faults, ruling.sends) == (truth.taken_by, truth.faults, truth.sends)


def _true_ruling(poem: int, truth: dict[str, Any]) -> Ruling:
    ruling = truth["ruling"]
    taken_by = ruling["taken_by"]
    return Ruling(
        poem,
        None if taken_by is None else Side(taken_by),
        BySide(ruling["faults"]["near"], ruling["faults"]["far"]),
        BySide(ruling["sends"]["near"], ruling["sends"]["far"]),
    )
