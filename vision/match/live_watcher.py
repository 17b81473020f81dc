"""Watch a live source: a match's layouts and poems, each poem with the gaps that fall into it.

Unlike `MatchWatcher`, it tells at once which cards are seen to move, and when the camera was lost or knocked
or changed its picture. A poem during which the eye saw nothing for a while has that gap among its facts.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from referee.facts import Gap, PoemStarted
from vision.departures.card_track import EarlySighting
from vision.frames.frame import Frame
from vision.match.endurance import Endurance
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.poem.knock_watch import KnockWatch
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge
from vision.witnesses.second_camera import SecondWitness

LiveEvent = WatchEvent | Gap | EarlySighting

_MOST_GAPS = 200  # kept for the open poem: three minutes of a camera that fails every second


class LiveWatch:
    """Follows a live match.

    `second`: a second camera of the same field. `known`: prior knowledge of the camera's lens and of the
    deck.

    `watcher`: the eye itself; it begins anew when the picture changes its size. `failures`: the eye's errors
    so far, for people to read.
    """

    def __init__(self, second: SecondWitness | None = None, known: PriorKnowledge = NOTHING_KNOWN) -> None:
        self._second, self._known = second, known
        self.failures: list[str] = []
        self._begin()
        self._knocks = KnockWatch()
        self._gaps: deque[Gap] = deque(maxlen=_MOST_GAPS)
        self._moving: set[int | None] = set()
        self._latest_ns = 0

    def poem_started(self, start: PoemStarted) -> list[LiveEvent]:
        """Note a poem's first sound."""
        look = partial(self.watcher.poem_started, start)
        events = self._with_known_gaps(self._endurance.tried(look, start.t_ns, again=True))
        # frames may be missing as the poem begins: its first sound is known only once they are back
        self._gaps = deque((gap for gap in self._gaps if gap.t_to_ns >= start.t_ns), _MOST_GAPS)
        return events

    def feed(self, item: Frame | Gap) -> list[LiveEvent]:
        """Look at the next picture, or note a gap; return what has become known."""
        if isinstance(item, Gap):
            return self._missed(item)
        events: list[LiveEvent] = []
        knocked = self._knocks.feed(item)
        if knocked is not None:
            events += self._missed(knocked)
        self._latest_ns = item.t_ns
        found = self._endurance.tried(partial(self.watcher.feed, item), item.t_ns)
        events += self._stirred()
        return events + self._with_known_gaps(found)

    def close(self, unseen: Gap | None = None) -> list[LiveEvent]:
        """End the watch and close an open poem with what was seen of it; `unseen` is a last gap."""
        if unseen is not None:
            self._gaps.append(unseen)
        return self._with_known_gaps(self._endurance.tried(self.watcher.close, self._latest_ns))

    def _begin(self) -> None:
        self.watcher = MatchWatcher(second=self._second, known=self._known)
        self._endurance = Endurance(self.watcher, self.failures)

    def _missed(self, gap: Gap) -> list[LiveEvent]:
        events: list[LiveEvent] = [gap]
        self._gaps.append(gap)
        if gap.reason == "size_changed":
            events += self.close()
            self._begin()
            self._knocks = KnockWatch()
        return events

    def _stirred(self) -> Iterator[EarlySighting]:
        for moving in self.watcher.moving():
            if moving.card not in self._moving:
                self._moving.add(moving.card)
                yield moving

    def _with_known_gaps(self, events: list[WatchEvent]) -> list[LiveEvent]:
        return [self._with_gaps(event) if isinstance(event, PoemSeen) else event for event in events]

    def _with_gaps(self, seen: PoemSeen) -> PoemSeen:
        gaps = [gap for gap in self._gaps if gap.t_to_ns >= seen.start.t_ns]
        self._moving = set()
        return replace(seen, facts=(*seen.facts, *gaps))
