"""The house's policies: what happens to a proposed ruling without a person."""

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

    AUTO = "auto"  # it is final at once; a person can revert it
    PROPOSE = "propose"  # it waits for a person
    LOG = "log"  # it is noted among the reasons but has no effect
    IGNORE = "ignore"  # it is neither noted nor counted


@dataclass(frozen=True, slots=True)
class Policies:
    """The house's policy for each kind of ruling. Doubtful rulings always wait for a person."""

    # for takes; a match needs them to go on, so only `auto` and `propose` are possible
    take: Policy = Policy.AUTO
    fault: Policy = Policy.AUTO  # for faults; a friendly match may ignore them

    def __post_init__(self) -> None:
        if self.take not in {Policy.AUTO, Policy.PROPOSE}:
            raise ValueError(f"the policy for takes is auto or propose, got {self.take}")

    def answer(self, state: MatchState) -> Confirm | Overrule | None:
        """Return the policy's decision on the ruling proposed in `state`; None leaves it to a person."""
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
    """Return the ruling without its faults; the taker stays, and the sends are counted anew."""
    none = BySide.both(0)
    home = state.home.side_of(ruling.poem)
    robber = ruling.taken_by if ruling.taken_by is not home else None
    left = state.home.counts() if ruling.taken_by is None else state.home.without(ruling.poem).counts()
    return replace(ruling, faults=none, sends=cards_to_send(robber, none, left, state.settings.rules))


def _reasons_without_faults(state: MatchState, ruling: Ruling) -> tuple[str, ...]:
    """Return the reasons of a ruling based on the contacts with the target alone."""
    facts = [fact for fact in state.facts if not isinstance(fact, Touch) or fact.card == ruling.poem]
    return judge_poem(ruling.poem, state.home, facts, state.settings.rules).reasons
