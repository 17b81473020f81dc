"""A poem that is over but may still be renamed, should it turn out that another one was read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.facts import Gap, PoemStarted, Testimony
from referee.layout import Layout
from vision.contact.rearrangement import Manner, may_be_carried, told_apart
from vision.field.picture_quality import lies_out_of_view
from vision.poem.events import PoemSeen

OUT_OF_VIEW = "out_of_view"


def told_by_name(
    contacts: Sequence[Testimony],
    manners: Mapping[int | None, Manner],
    start: PoemStarted,
    before: Layout,
    look_after: Callable[[], Layout],
) -> list[Testimony]:
    """Return a poem's contacts; those that only tidied a card are reported as tidying.

    `contacts`, `manners`: as `vision.poem.watcher.PoemWatcher` has them. `look_after`: returns the field as
    it lies now. It costs a reading, so it is called only if needed.
    """
    after = look_after() if may_be_carried(manners, contacts, start) else Layout(())
    return told_apart(contacts, manners, start, before, after)


@dataclass(frozen=True, eq=False)
class ClosedPoem:
    """A poem that was reported, with everything but its name that its facts depend on."""

    seen: PoemSeen
    # contacts, manners, look_after: as `told_by_name` takes them
    contacts: Sequence[Testimony]
    manners: Mapping[int | None, Manner]
    look_after: Callable[[], Layout]

    def named(self, start: PoemStarted) -> ClosedPoem:
        seen = self.seen
        was, now = self._testimony(seen.start), self._testimony(start)
        kept = set(map(_which, seen.facts))
        left_out = {_which(fact) for fact in was} - kept
        beside = [fact for fact in seen.facts if fact not in was and not _is_out_of_view(fact)]
        facts = [*(fact for fact in now if _which(fact) not in left_out), *beside]
        if lies_out_of_view(seen.before, start.poem):
            facts.append(Gap(start.t_ns, seen.t_closed_ns, OUT_OF_VIEW))
        return replace(self, seen=replace(seen, start=start, facts=tuple(facts)))

    def _testimony(self, start: PoemStarted) -> list[Testimony]:
        return told_by_name(self.contacts, self.manners, start, self.seen.before.layout, self.look_after)


def _which(fact: Testimony) -> object:
    """Return what identifies a fact, however it is reported."""
    return fact if isinstance(fact, Gap) else (fact.card, fact.t_ns)


def _is_out_of_view(fact: Testimony) -> bool:
    return isinstance(fact, Gap) and fact.reason == OUT_OF_VIEW
