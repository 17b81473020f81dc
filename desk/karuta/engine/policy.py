"""The house's policies: what happens to a proposed ruling without a person."""

from dataclasses import dataclass, replace
from enum import StrEnum

from referee.facts import Touch
from referee.karuta.flow.events import Confirm, Overrule
from referee.karuta.flow.state import MatchState
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import RuleSet
from referee.karuta.ruling import Status, cards_to_send
from referee.layout import Layout
from referee.sides import BySide, Side


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
        if self.fault is Policy.AUTO or not (ruling.faults.near or ruling.faults.far):
            return Confirm()
        if self.fault is Policy.PROPOSE:
            return None
        none, rules = BySide.both(0), state.settings.rules
        sends = sends_of(ruling.poem, state.home, ruling.taken_by, none, rules)
        faultless = replace(ruling, faults=none, sends=sends)
        if self.fault is Policy.LOG:
            return Overrule(faultless)
        # its reasons are those of the contacts with the target alone
        facts = [fact for fact in state.facts if not isinstance(fact, Touch) or fact.card == ruling.poem]
        return Overrule(replace(faultless, reasons=judge_poem(ruling.poem, state.home, facts, rules).reasons))


def sends_of(
    poem: int, before: Layout, taken_by: Side | None, faults: BySide[int], rules: RuleSet
) -> BySide[int]:
    """Return how many cards each player sends after a take on the layout before it, and faults."""
    robber = None if taken_by is before.side_of(poem) else taken_by
    left = (before if taken_by is None else before.without(poem)).counts()
    return cards_to_send(robber, faults, left, rules)
