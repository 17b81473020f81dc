"""A simulated match as it would come from a table: pictures, and the starts of poems.

The eye gets only the pictures and the starts. The truth goes to the simulated official (`official`), and to
the report.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from desk.karuta.readers.simulated_reader import kimariji_completed, ku_instants_ns
from referee.facts import KimarijiCompleted, PoemStarted
from referee.karuta.ruling import Ruling
from referee.sides import BySide, Side
from vision.frames.frame import Frame
from vision.simulator.hall.match import SimulatedMatch

READER_UNC_NS = 1_000_000  # a program that plays the sound itself knows its start to about a millisecond


@dataclass(frozen=True, slots=True)
class PoemRead:
    """A poem's first sound (see `desk.tables.table.Cue`), and what really happens in it."""

    start: PoemStarted
    truth: Ruling
    scenario: str

    @property
    def t_ku_ns(self) -> Sequence[int]:
        return ku_instants_ns(self.start)

    def decided(self, unread: Collection[int]) -> KimarijiCompleted:
        return kimariji_completed(self.start, unread)


def happenings(match: SimulatedMatch) -> Iterator[PoemRead | Frame]:
    """Yield the pictures of a match; each poem's start comes before the first picture after it."""
    episodes = match.episodes()
    upcoming = next(episodes, None)
    for frame in match:
        while upcoming is not None and round(upcoming.t_s * 1e9) <= frame.t_ns:
            start = PoemStarted(upcoming.poem, round(upcoming.t_s * 1e9), READER_UNC_NS)
            truth = ruling_told(upcoming.poem, upcoming.truth["ruling"])
            yield PoemRead(start, truth, upcoming.truth["scenario"])
            upcoming = next(episodes, None)
        yield frame


def rested(
    items: Iterator[PoemRead | Frame], is_read: Callable[[], bool], interval_ns: int
) -> Iterator[PoemRead | Frame]:
    """Yield a match whose field rests before its first poem until `is_read` says so.

    While it rests, the latest picture comes again and again; all that follows comes so much later.
    """
    latest: Frame | None = None
    rests = 0
    for item in items:
        if isinstance(item, Frame):
            latest = item
        elif latest is not None:
            while not is_read():
                rests += 1
                yield _later(latest, rests, interval_ns)
        if isinstance(item, Frame):
            yield _later(item, rests, interval_ns)
        else:
            start = replace(item.start, t_ns=item.start.t_ns + rests * interval_ns)
            yield replace(item, start=start)


def _later(frame: Frame, rests: int, interval_ns: int) -> Frame:
    return replace(frame, t_ns=frame.t_ns + rests * interval_ns, index=frame.index + rests)


def ruling_told(poem: int, told: dict[str, Any]) -> Ruling:
    """Return the outcome that a ruling as JSON tells, without its reasons."""
    faults, sends = (BySide(told[name]["near"], told[name]["far"]) for name in ("faults", "sends"))
    return Ruling(poem, None if told["taken_by"] is None else Side(told["taken_by"]), faults, sends)
