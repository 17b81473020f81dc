"""The field as it last rested, and the pictures since."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from referee.facts import Testimony, Touch
from vision.contact.rearrangement import is_tidied
from vision.frames.frame import Frame


class LastRest:
    """Keeps the pictures of the field at rest.

    `frames`: pictures of the field's last rest; empty if unknown. `since`: the latest pictures after them.
    """

    def __init__(self, *, keeps_since: bool) -> None:
        self._keeps_since = keeps_since
        self.frames: list[Frame] = []
        most_unread = 150  # 0.6 s at 240 fps, between the field at rest and a poem's first sound
        self.since: deque[Frame] = deque(maxlen=most_unread)

    @property
    def is_long_ago(self) -> bool:
        """Whether more pictures have come since than are kept."""
        return len(self.since) == self.since.maxlen

    def note(self, frame: Frame, resting: list[Frame]) -> None:
        """Take in the next picture; `resting` holds those of the field at rest, empty while it moves."""
        if resting:
            self.frames = resting
            self.since.clear()
        elif self._keeps_since:
            self.since.append(frame)

    def forget(self) -> None:
        """Forget how the field rested: its cards have moved."""
        self.frames = []

    def holds_after(self, seen: Sequence[Testimony]) -> bool:
        """Tell whether the field has rested since the last fact in `seen` that moved a card."""
        if any(isinstance(fact, Touch) for fact in seen):
            return False
        moved_ns = max((fact.t_ns for fact in seen if is_tidied(fact)), default=0)
        return bool(self.frames) and self.frames[0].t_ns > moved_ns
