"""Checks of a running source's pictures, once a second in a thread of their own.

A camera that was good at the set-up may be bumped, lose its focus or its light, or be hidden by somebody's
head an hour later. The page shows the findings; they do not affect rulings, which are the eye's business.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from desk.karuta.eye.source_findings import SourceRate, examine
from desk.panel.house.port import FindingShown
from vision.field.layout_reader import LayoutReading
from vision.field.picture_quality import PAPER
from vision.frames.frame import Frame
from vision.frames.light_meter import LightMeter

_LOOK_NS = 1_000_000_000
_LOOKS = 8
"""Number of latest checks that count, so that intermittent problems (a hunting lens) stay on the page."""

_MANY_LOST = 6  # pictures lost in five seconds: one in fifty at 60 fps


class PictureChecks:
    """Checks a source's pictures; all methods but `warnings` and `close` run in the eye's thread.

    `findings`: findings of the latest check, for the set-up; empty before the first.
    """

    def __init__(self) -> None:
        self.findings: list[FindingShown] = []
        self._light = LightMeter()
        self._looks: deque[frozenset[str]] = deque(maxlen=_LOOKS)
        self._work: Future[list[FindingShown]] | None = None
        self._worker = ThreadPoolExecutor(1, "picture checks")
        self._looked_ns: int | None = None
        self._reading: LayoutReading | None = None
        self._t_ns = 0
        self._moved_ns: int | None = None
        self._wandered_ns: int | None = None
        self._clear_ns: int | None = None

    def feed(self, frame: Frame, *, moved: bool, covered: bool) -> None:
        """Take in the next picture. `covered`: whether something hides the field, or much of it."""
        self._t_ns = frame.t_ns
        self._light.feed(frame)
        if moved:
            self._moved_ns = frame.t_ns
        if not covered or self._clear_ns is None:
            self._clear_ns = frame.t_ns

    def is_due(self, reading: LayoutReading | None) -> bool:
        """Tell whether a check is due, and take in the findings of the latest one.

        A check is due at once if the reading of the field has changed, as when a person named a card.
        """
        work = self._work
        if work is not None and not work.done():
            return False
        if work is not None:
            self._work = None
            error = work.exception()
            if error is None:
                self._take(work.result())
            else:  # the match goes on without this check
                sys.stderr.write(f"shinpan: the pictures could not be examined: {error}\n")
        if self._looked_ns is None or reading is not self._reading:
            return True
        return self._t_ns - self._looked_ns >= _LOOK_NS

    def look(self, rate: SourceRate, recent: Sequence[Frame], reading: LayoutReading | None) -> None:
        """Start a check of the latest pictures in a thread of its own; see `examine`."""
        self._looked_ns, self._reading = self._t_ns, reading
        self._work = self._worker.submit(examine, rate, tuple(recent), reading)

    def warnings(self) -> Iterator[str]:
        """Yield the ids of the present warnings, see `desk.panel.phrases.WARNINGS`."""
        told_ns = 10_000_000_000  # how long a knock is shown
        if self._moved_ns is not None and self._t_ns - self._moved_ns < told_ns:
            yield "camera_moved"
        hidden_ns = 4_000_000_000  # hands that play or tidy up leave the view sooner
        if self._clear_ns is not None and self._t_ns - self._clear_ns > hidden_ns:
            yield "view_blocked"
        times = Counter(name for look in tuple(self._looks) for name in look)
        fewest_looks = 2
        yield from sorted(name for name, count in times.items() if count >= fewest_looks)

    @property
    def light_is_unsteady(self) -> bool:
        """Whether the latest check found that the light flickers or changes."""
        return bool(self._looks) and "unsteady_light" in self._looks[-1]

    def light_wandered_since(self, t_ns: int) -> bool:
        """Tell whether at least half of the picture became brighter or darker since an instant."""
        return self._wandered_ns is not None and self._wandered_ns >= t_ns

    def close(self) -> None:
        self._worker.shutdown(cancel_futures=True)

    def _take(self, findings: list[FindingShown]) -> None:
        self.findings = findings
        self._looks.append(frozenset(self._lacks(findings)))

    def _lacks(self, findings: list[FindingShown]) -> Iterator[str]:
        for finding in findings:
            values = finding["values"]
            match finding["id"], finding["status"]:
                case "light", "fail":
                    yield "dark" if values["paper"] < PAPER.least else "too_bright"
                case "steady", _ if values["lost"] > _MANY_LOST:
                    yield "drops"
                case name, "fail":
                    yield _WARNING_OF[name]
        if self._light.wanders:
            self._wandered_ns = self._t_ns
        if self._light.is_unsteady:
            yield "unsteady_light"


_WARNING_OF = {
    "fps": "few_pictures",
    "noise": "noisy",
    "blur": "blurred",
    "scale": "small_cards",
    "angle": "aslant",
    "in_view": "field_not_in_view",
}
