"""Events of a watched match: settled layouts, and poems with their facts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.facts import FieldSettled, Gap, PoemStarted, Testimony
from vision.field.layout_reader import LayoutReading


@dataclass(frozen=True, slots=True, eq=False)
class PoemSeen:
    """One poem and everything seen of it."""

    start: PoemStarted
    before: LayoutReading  # the layout it was played on, with the cards' places in the picture
    facts: tuple[Testimony, ...]  # contacts, unprovable touches, and gaps
    t_closed_ns: int  # instant from which nothing more was counted

    def left_open(self, *reasons: str) -> PoemSeen:
        """Return the poem with a gap over all of it for each reason, so that a person decides."""
        from_ns, to_ns = self.start.t_ns, max(self.t_closed_ns, self.start.t_ns)
        return replace(self, facts=(*self.facts, *(Gap(from_ns, to_ns, reason) for reason in reasons)))


WatchEvent = FieldSettled | PoemSeen
