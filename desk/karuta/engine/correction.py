"""Correcting the latest poem: if another poem was read, revert it and referee it anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import PoemCorrected
from referee.facts import (
    HEARSAY,
    FieldSettled,
    Gap,
    KimarijiCompleted,
    PoemStarted,
    Testimony,
    Touch,
    Unprovable,
)
from referee.karuta.declarations import BrokeRule, SharedFault, WrongHand
from referee.karuta.flow.events import Event, PoemFinished, Revert
from referee.karuta.flow.state import Phase


@dataclass(frozen=True, slots=True)
class LatestPoem:
    """The poem that is being read, or was ruled on last if no other one has begun."""

    seq: int  # number of its first sound in the log
    start: PoemStarted
    seen: tuple[Testimony, ...]  # the eye's facts about it
    declared: tuple[WrongHand | SharedFault | BrokeRule, ...]
    is_over: bool


def latest_poem(engine: Engine) -> LatestPoem | None:
    """Return the poem that can still be corrected, None if there is none."""
    state = engine.state
    poem = state.poem
    if state.phase is Phase.RESTORE and state.records:
        poem = state.records[-1].poem
    if poem is None or state.phase not in (Phase.READING, Phase.RULING, Phase.RESTORE):
        return None
    started = next(
        place
        for place in reversed(range(len(engine.history)))
        if isinstance(event := engine.history[place].event, PoemStarted) and event.poem == poem
    )
    since = [happened.event for happened in engine.history[started + 1 :]]
    over = next((place for place, event in enumerate(since) if isinstance(event, PoemFinished)), len(since))
    start = engine.history[started].event
    assert isinstance(start, PoemStarted), "it was looked for"
    return LatestPoem(
        engine.history[started].seq,
        start,
        tuple(event for event in since[:over] if _was_seen(event)),
        tuple(event for event in since if isinstance(event, WrongHand | SharedFault | BrokeRule)),
        state.phase is not Phase.READING,
    )


def _was_seen(event: object) -> TypeGuard[Testimony]:
    """Tell whether an event is the eye's; that the ear was unsure of the poem is over once it is named."""
    if isinstance(event, Gap):
        return event.reason not in HEARSAY
    return isinstance(event, Touch | Unprovable)


def correct_poem(
    engine: Engine,
    was: LatestPoem,
    sounds: Sequence[PoemStarted | KimarijiCompleted],
    seen: Sequence[Testimony],
    origin: Origin,
) -> int:
    """Revert the latest poem, referee it as another one, and return the number of its first sound in the log.

    `sounds`: first sound of the poem that was really read, and the end of its kimariji if it is known.
    `seen`: the eye's facts under the right name.
    """
    number = engine.game_number(was.seq)
    assert number is not None, "a first sound is an event of the game"
    settled = engine.state.observed
    engine.note(PoemCorrected(was.start.poem, sounds[0].poem), origin)
    engine.submit(Revert(number), origin)
    begun, *_ = [engine.submit(event, origin).seq for event in (*sounds, *was.declared)]
    told: list[Event] = [*seen]
    if was.is_over:
        told.append(PoemFinished())
        if settled is not None:
            told.append(FieldSettled(settled, was.start.t_ns))
    for event in told:
        engine.submit(event, Origin.EYE)
    return begun
