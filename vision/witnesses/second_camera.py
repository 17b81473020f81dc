"""A second camera of the same field: it watches each poem by itself, and testifies when the poem is over.

Its pictures are mapped onto the first camera's (`vision.witnesses.second_view`), so that it judges the same
places with the same eye, but sees hands and heads from elsewhere. Its clock is its own: `offset` tells how
far it is ahead, roughly at first, and exactly once both cameras have seen a few cards set off. Of a poem that
it did not see from the field at rest to the end it reports nothing.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.clocks.clock_offset import refined
from calibration.clocks.latency import Offset
from calibration.failure import FailedEstimation
from referee.facts import Gap, Testimony
from vision.departures.outcome import End
from vision.field.layout_reader import LayoutReading
from vision.field.stillness import RESTING_FRAMES, StillnessMeter
from vision.frames.frame import Frame, Gray
from vision.frames.shutter import Readout, RowClock
from vision.launch.territory_exit import territories_px
from vision.poem.closure import CLOSES_NS
from vision.poem.disturbance import disturbance
from vision.poem.watcher import PoemWatcher
from vision.witnesses.joint_facts import Account, differences, joined
from vision.witnesses.second_view import SecondView, match_views

_MOST_SINCE_REST = 150


def account_of(watcher: PoemWatcher, facts: Sequence[Testimony]) -> Account:
    """Return what a camera's watcher reports of a poem.

    `watcher`: asked to `finish` just before. `facts`: its answer, and what else is known of the poem.
    """
    ends = [
        (slot.card, one.end)
        for slot, one in zip(watcher.field.slots, watcher.ends, strict=False)
        if slot.card is not None
    ]
    touched = {fact.card for fact in facts if not isinstance(fact, Gap)}
    return Account(
        tuple(facts),
        in_place=frozenset(card for card, end in ends if end is End.IN_PLACE and card not in touched),
        away=frozenset(card for card, end in ends if end is End.GONE),
    )


class SecondWitness:
    """Watches poems through a second camera.

    `offset`: by how much its clock is ahead of the first camera's.

    Attributes
    ----------
    offset : the same, as far as it is known now.
    problem : why it could not testify about the latest poem; None if it could.
    view : the map to the first camera's pictures, None before it was found.
    """

    def __init__(self, offset: Offset, readout: Readout | None = None) -> None:
        self.offset = offset
        self.problem: str | None = None
        self.view: SecondView | None = None
        self.poems = 0
        self._prior = offset
        most_events = 200
        self._apart: deque[tuple[float, float]] = deque(maxlen=most_events)
        self._rows = RowClock(readout)
        self._stillness = StillnessMeter()
        self._recent: deque[Frame] = deque(maxlen=RESTING_FRAMES)
        self._rest: list[Frame] = []
        self._since_rest: deque[Frame] = deque(maxlen=_MOST_SINCE_REST)
        self._watcher: PoemWatcher | None = None
        self._placed: LayoutReading | None = None
        self._retry_ns = 0
        self._latest: Frame | None = None
        self._usual_ns = 0.0

    def feed(self, frame: Frame) -> None:
        """Look at the next frame, on its own clock."""
        latest, self._latest = self._latest, frame
        if latest is not None and self._is_hole(frame.t_ns - latest.t_ns):
            self._forget("the second camera was lost for a while")
        elif latest is not None and frame.gray.shape != latest.gray.shape:
            self._forget("the second camera's pictures changed their size")
        if self._watcher is not None and self.view is not None:
            self._watcher.feed(self._as_first(frame, self.view))
        # a poem that nobody touched ends only when the next one begins, and that needs a field at rest
        self._stillness.feed(frame)
        self._recent.append(frame)
        if self._stillness.is_at_rest(frame.t_ns):
            self._rest = self._stillness.at_rest(self._recent)
            self._since_rest.clear()
            self._rows.note(frame)
        else:
            self._since_rest.append(frame)

    def place(self, reading: LayoutReading, resting: Gray) -> None:
        """Find where the camera stands, before a poem begins; the first time takes a second.

        `resting`: shape (height, width); the first camera's picture of it.
        """
        rest = self._rest or self._stillness.at_rest(self._recent)
        if self._watcher is not None or not rest or (self.view is None and rest[-1].t_ns < self._retry_ns):
            return
        view = match_views(resting, reading.geometry, reading.corners_px, rest[-1].gray, self.view)
        if isinstance(view, FailedEstimation):
            self.view, self.problem = None, str(view)
            # Time until the camera is searched for again if it was not found, since that takes a second or
            # two.
            retry_ns = 20_000_000_000
            self._retry_ns = rest[-1].t_ns + retry_ns
            return
        self.view, self.problem, self._placed = view, None, reading

    def begin(self, reading: LayoutReading, resting: Gray) -> None:
        """Begin to watch a poem.

        `reading`: the layout on which it is played, by the first camera. `resting`: shape (height, width);
        the first camera's picture of it.
        """
        if self._watcher is not None:  # the previous poem was never reported: nobody knows what moved in it
            self._watcher = None
            self._rest_again()
        rest = self._rest or self._stillness.at_rest(self._recent)
        if self._placed is not reading:
            self.place(reading, resting)
        view = self.view
        if not rest or view is None:
            self.problem = self.problem or "no picture has come from the second camera"
            return
        slots = [slot for slot in reading.slots() if view.sees(slot.corners_px)]
        self._watcher = PoemWatcher(
            slots,
            [view.as_first(frame.gray) for frame in rest],
            self._rows,
            territories_px(reading.geometry),
            view.row_shares(np.array([slot.centre_px for slot in slots])),
        )
        self.problem = None
        for frame in self._since_rest:
            self._watcher.feed(self._as_first(frame, view))
        self._rest_again()

    def joined(self, first: Account, t_ns: int) -> Sequence[Testimony]:
        """End the poem and combine its facts with the first camera's."""
        watcher = self._watcher
        if watcher is None or self._latest is None:
            return first.facts
        behind_ns = t_ns + self.offset.mean_ns - self._latest.t_ns
        # everything that counts was seen by the time a poem is closed
        if behind_ns > CLOSES_NS + self.offset.unc_ns:
            self._forget(
                f"the second camera's pictures were {behind_ns / 1e9:.1f} s behind at the poem's end"
            )
            return first.facts
        if self._is_spoiled(watcher, self._latest):
            self._forget("the second camera was knocked, or its light changed")
            return first.facts
        self._watcher = None
        second = account_of(watcher, watcher.finish())
        self.poems += 1
        facts = joined(first, second, self.offset)
        moved_ns = max((fact.t_ns for fact in facts if not isinstance(fact, Gap)), default=0)
        if not self._rest or self._rest[0].t_ns <= moved_ns + self.offset.mean_ns + self.offset.unc_ns:
            self._rest_again()  # as it last rested, the field lay as before
        self._apart.extend((apart, unc_ns) for _, apart, unc_ns in differences(first, second))
        self.offset = refined(self._prior, self._apart)
        return facts

    def _is_spoiled(self, watcher: PoemWatcher, latest: Frame) -> bool:
        """Tell whether all cards lie elsewhere in the picture than at first, or in another light."""
        assert self.view is not None
        now = self.view.as_first(latest.gray)
        return disturbance(watcher.grid, now, watcher.px_per_mm, latest.t_ns, latest.t_ns) is not None

    def _is_hole(self, step_ns: int) -> bool:
        """Tell whether pictures are missing between two neighbours."""
        usual_ns = self._usual_ns or step_ns
        self._usual_ns = usual_ns + (min(step_ns, 2 * usual_ns) - usual_ns) / 10
        # Time without pictures, and multiple of the usual step, from which the camera was lost or too slow.
        hole_ns, hole_frames = 60_000_000, 2.5
        return step_ns > max(hole_ns, hole_frames * usual_ns)

    def _forget(self, problem: str) -> None:
        """Do not testify about the open poem; the camera may stand elsewhere now."""
        if self._watcher is not None:  # between poems nothing was missed
            self.problem = problem
        self._watcher = self._placed = None
        self._stillness = StillnessMeter()
        self._rest_again()

    def _rest_again(self) -> None:
        """Forget how the field last rested, so that it must be seen at rest again."""
        self._rest, self._since_rest = [], deque(maxlen=_MOST_SINCE_REST)
        self._recent.clear()

    @staticmethod
    def _as_first(frame: Frame, view: SecondView) -> Frame:
        return replace(frame, picture=view.as_first(frame.gray), jpeg=None, render_colour=None)
