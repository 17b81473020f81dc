"""The official of a simulated match, who uses the truth only for what the machine leaves open."""

from collections import Counter

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.minutes import Standing, read_minutes
from desk.karuta.simulated_hall.table import PoemRead
from desk.tables.table import Cue
from referee.karuta.flow.events import Confirm, FieldAccepted, Overrule
from referee.karuta.flow.follow_ups import NoticeId
from referee.karuta.flow.state import MatchState, Phase
from referee.karuta.ruling import Ruling

MISSED_FOR_GOOD = 2  # a card that was not seen for more poems than this has left the field


class SimulatedOfficial:
    """Decides by the truth what the machine leaves to a person.

    That is a ruling that it left open, and the last ruling if the field does not match it (players act on
    what they saw, not on what the machine said). What a person decided stays.

    `read`: the poems that began. `looked`: poems whose ruling the machine left open, and whether its proposal
    was right. `corrected`: poems that the machine decided wrongly, which the field revealed.
    `fields_accepted`: how often a poem was read although the machine did not find the field in order.
    """

    def __init__(self, engine: Engine) -> None:
        self.read: list[PoemRead] = []
        self.looked: dict[int, bool] = {}
        self.corrected: list[int] = []
        self.fields_accepted = 0
        self._engine = engine
        self._truths: dict[int, Ruling] = {}
        self._missed: Counter[int] = Counter()

    def learn(self, cue: Cue) -> None:
        assert isinstance(cue, PoemRead), "only the simulator knows what really happens"
        self.read.append(cue)
        self._truths[cue.start.poem] = cue.truth

    def attend(self) -> None:
        state = self._engine.state
        if state.phase is not Phase.RULING or state.ruling is None or state.paused:
            return
        truth = self._truths[state.ruling.poem]
        right = same_outcome(state.ruling, truth)
        self.looked[truth.poem] = right
        self._engine.submit(Confirm() if right else Overrule(truth), Origin.SIMULATED)

    def before_poem(self) -> None:
        """Clear the way for the next poem: correct a wrong ruling, or accept the field as it lies."""
        state = self._engine.state
        if self._field_is_off(state) and state.records:
            last = state.records[-1].ruling
            truth = self._truths[last.poem]
            if not same_outcome(last, truth) and not self._a_person_decided():
                self.corrected.append(last.poem)
                self._engine.submit(Overrule(truth), Origin.SIMULATED)
                state = self._engine.state
        if not self._field_is_off(state):
            self._missed.clear()
            return
        self.fields_accepted += 1
        gone = {notice.params["card"] for notice in state.problems if notice.id is NoticeId.CARD_MISSING}
        self._missed = Counter({card: self._missed[card] + 1 for card in gone if isinstance(card, int)})
        # a card that stays unseen for so long has left; it is not hidden under a sleeve
        has_left = any(times > MISSED_FOR_GOOD for times in self._missed.values())
        self._engine.submit(FieldAccepted(state.observed if has_left else None), Origin.SIMULATED)

    def _a_person_decided(self) -> bool:
        """Tell whether a person confirmed or made the last ruling, which then binds here as well."""
        minute = read_minutes(self._engine.history)[-1]
        return minute.standing in {Standing.CONFIRMED, Standing.OVERRULED} and not minute.simulated

    @staticmethod
    def _field_is_off(state: MatchState) -> bool:
        return state.phase is Phase.RESTORE and not state.ready and state.observed is not None


def same_outcome(ruling: Ruling, truth: Ruling) -> bool:
    """Tell whether taker, faults and sends are the same."""
    return (ruling.taken_by, ruling.faults, ruling.sends) == (truth.taken_by, truth.faults, truth.sends)
