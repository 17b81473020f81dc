"""The machine proposes, the house decides: what becomes of a proposed ruling before a person has seen it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from referee.facts import Touch
from referee.karuta.flow.events import Confirm, Overrule
from referee.karuta.flow.state import MatchState
from referee.karuta.judge import judge_poem
from referee.karuta.ruling import Ruling, Status
from referee.karuta.sending import cards_to_send
from referee.sides import BySide


class Policy(StrEnum):
    """What to do with a part of a ruling."""

    AUTO = "auto"
    """It stands at once; a person can take it back."""
    PROPOSE = "propose"
    """It waits for a person."""
    LOG = "log"
    """It is noted among the reasons and counts for nothing."""
    IGNORE = "ignore"
    """It is neither noted nor counted."""


@dataclass(frozen=True, slots=True)
class Policies:
    """The house's policy for each kind of ruling. What is in doubt always waits for a person.

    Attributes
    ----------
    take : who takes the card; a match cannot go on without it, so only `auto` and `propose` are possible.
    fault : who faulted; a friendly match may leave faults out.
    """

    take: Policy = Policy.AUTO
    fault: Policy = Policy.AUTO

    def __post_init__(self) -> None:
        if self.take not in {Policy.AUTO, Policy.PROPOSE}:
            raise ValueError(f"the policy for takes is auto or propose, got {self.take}")

    def answer(self, state: MatchState) -> Confirm | Overrule | None:
        """Return what the house says to the ruling proposed in `state`; None leaves it to a person."""
        ruling = state.ruling
        if ruling is None or ruling.status is Status.REVIEW or self.take is Policy.PROPOSE:
            return None
        if not (ruling.faults.near or ruling.faults.far):
            return Confirm()
        match self.fault:
            case Policy.AUTO:
                return Confirm()
            case Policy.PROPOSE:
                return None
            case Policy.LOG:
                return Overrule(_without_faults(state, ruling))
            case Policy.IGNORE:
                silent = replace(
                    _without_faults(state, ruling), reasons=_reasons_without_faults(state, ruling)
                )
                return Overrule(silent)


def _without_faults(state: MatchState, ruling: Ruling) -> Ruling:
    """Return the ruling as if the faults were none: who takes stays, what is sent is counted anew."""
    none = BySide.both(0)
    home = state.home.side_of(ruling.poem)
    robber = ruling.taken_by if ruling.taken_by is not home else None
    left = state.home.counts() if ruling.taken_by is None else state.home.without(ruling.poem).counts()
    return replace(ruling, faults=none, sends=cards_to_send(robber, none, left, state.settings.rules))


def _reasons_without_faults(state: MatchState, ruling: Ruling) -> tuple[str, ...]:
    """Return the reasons of a ruling on the contacts with the target alone."""
    facts = [fact for fact in state.facts if not isinstance(fact, Touch) or fact.card == ruling.poem]
    return judge_poem(ruling.poem, state.home, facts, state.settings.rules).reasons
