"""Every situation of a poem: target side x who reached it x the territories each player touched wrongly.

The golden tables list them all; `pytest --regold` rewrites them, and the difference is the rule change to
review. Beside them stand the laws that no rule may break.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.facts import Contact, Gap, Hand, KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.karuta.contacts import PoemFact
from referee.karuta.declarations import (
    BrokeRule,
    Conduct,
    Misread,
    PlayEnded,
    PlayingHand,
    SharedFault,
    WrongHand,
)
from referee.karuta.house_rules import PRESETS
from referee.karuta.judge import judge_poem
from referee.karuta.rulebook import doubts, reasons
from referee.karuta.ruleset import OwnFault, RuleSet
from referee.karuta.ruling import Ruling
from referee.notation import parse_layout
from referee.sides import BySide, Side

MS = 1_000_000
LAYOUT = parse_layout("near 1 2 3|4/|/| far 51 52 53|54/|/|")
TARGETS = {"near": 1, "far": 51, "dead": 100}
WRONG = {Side.NEAR: 2, Side.FAR: 52}
SUBSETS: tuple[tuple[Side, ...], ...] = ((), (Side.NEAR,), (Side.FAR,), (Side.NEAR, Side.FAR))
ORDERS = {"nobody": (), "near_first": (100, 200), "far_first": (200, 100), "same_time": (100, 100)}


def touch(card: int | None, player: Side | None, t_ms: float, contact: Contact = Contact.TOUCH) -> Touch:
    return Touch(card, player, round(t_ms * MS), MS, contact)


@dataclass(frozen=True)
class Situation:
    target: str
    order: str
    wrong: BySide[tuple[Side, ...]]

    @property
    def facts(self) -> tuple[Touch, ...]:
        reached = zip(Side, ORDERS[self.order], strict=False)
        claims = [touch(TARGETS[self.target], player, t_ms) for player, t_ms in reached]
        faults = [touch(WRONG[where], player, 150) for player in Side for where in self.wrong[player]]
        return (*claims, *faults)

    def ruling(self, rules: RuleSet) -> Ruling:
        return judge_poem(TARGETS[self.target], LAYOUT, self.facts, rules)


def situations() -> Iterator[Situation]:
    for target in TARGETS:
        for order in ORDERS if target != "dead" else ("nobody",):
            for near in SUBSETS:
                for far in SUBSETS:
                    yield Situation(target, order, BySide(near, far))


def _row(situation: Situation, ruling: Ruling) -> str:
    def letters(where: tuple[Side, ...]) -> str:
        return "".join(side.value[0] for side in where) or "-"

    def pair(counts: BySide[int]) -> str:
        return f"{counts.near} {counts.far}"

    wrong = situation.wrong.map(letters)
    left = f"{situation.target:<6} {situation.order:<10}  {wrong.near:<4} {wrong.far:<3}"
    middle = (
        f"{ruling.taken_by or '-':<5}  {pair(ruling.faults)}     {pair(ruling.sends)}   {ruling.status:<7}"
    )
    return f"{left} | {middle} | {' '.join(ruling.reasons)}"


def _outcome(ruling: Ruling) -> tuple[object, ...]:
    return ruling.taken_by, ruling.faults, ruling.sends


HEADER = """\
# target: the territory that holds the read card; order: who reached it; wrong: the territories (n, f) in
# which near / far touched another card. Ruling: the taker, faults of near and far, cards near and far send.
# target order       wrong: n f   | taken  faults  sends status  | reasons
"""


def test_all_situations(golden: Callable[[str, str], None]) -> None:
    rows = [_row(situation, situation.ruling(PRESETS["kyogi"])) for situation in situations()]
    assert len(rows) == 144
    golden("karuta_situations.txt", HEADER + "\n".join(rows) + "\n")


def test_situations_in_which_the_documents_rule_otherwise(golden: Callable[[str, str], None]) -> None:
    def rows(rules: RuleSet) -> list[str]:
        pairs = ((situation, situation.ruling(rules)) for situation in situations())
        return [
            _row(situation, ruling)
            for situation, ruling in pairs
            if _outcome(ruling) != _outcome(situation.ruling(PRESETS["kyogi"]))
        ]

    separate = RuleSet(name="own_fault = separate", own_fault=OwnFault.SEPARATE)
    sections = [
        f"# {rules.name}\n" + "".join(f"{row}\n" for row in rows(rules) or ["(none)"])
        for rules in (PRESETS["official"], PRESETS["seed-000"], PRESETS["seed-001"], separate)
    ]
    golden("karuta_other_rules.txt", HEADER + "\n" + "\n".join(sections))


# --- laws ------------------------------------------------------------------------------------------------

times_ms = st.integers(0, 300)
players = st.sampled_from(Side)
cards = st.sampled_from([1, 2, 3, 51, 52, 53, 99])
rule_sets = st.sampled_from([PRESETS[name] for name in PRESETS.names]) | st.builds(
    RuleSet,
    tidying_after_ms=st.sampled_from([0, 100, 3000]),
    **{
        name: st.sampled_from([*kind])
        for name, kind in get_type_hints(RuleSet).items()
        if isinstance(kind, type) and issubclass(kind, StrEnum)
    },
)

touches = st.builds(
    Touch,
    card=cards | st.none(),
    player=players | st.none(),
    t_ns=times_ms.map(lambda t_ms: t_ms * MS),
    t_unc_ns=st.integers(1, 40).map(lambda t_ms: t_ms * MS),
    contact=st.sampled_from(Contact),
    hand=st.sampled_from(Hand) | st.none(),
    confidence=st.floats(0, 1),
    territory=players | st.none(),
)
facts_strategy: st.SearchStrategy[PoemFact] = st.one_of(
    touches,
    touches,
    touches,
    st.builds(
        Unprovable, cards, players | st.none(), times_ms, st.just(MS), st.sampled_from(["view_blocked"])
    ),
    st.builds(
        lambda t_ms, length: Gap(t_ms * MS, (t_ms + length) * MS, "dropped_frames"), times_ms, times_ms
    ),
    st.builds(PoemStarted, st.sampled_from([1, 51, 99]), st.integers(0, 100 * MS), st.just(MS)),
    st.builds(KimarijiCompleted, st.sampled_from([1, 51, 99]), st.integers(0, 300 * MS), st.just(MS)),
    st.builds(SharedFault, players),
    st.builds(BrokeRule, players, st.sampled_from(Conduct)),
    st.builds(PlayingHand, players, st.sampled_from(Hand)),
    st.builds(WrongHand, players, cards),
    st.builds(PlayEnded, st.integers(0, 300 * MS), st.just(MS)),
)
poems = st.sampled_from([1, 51, 99, 100])


def swapped(fact: PoemFact) -> PoemFact:
    if isinstance(fact, Touch):
        return fact.turned()
    if isinstance(fact, SharedFault):
        return SharedFault(fact.territory.opponent)
    if isinstance(fact, Unprovable):
        return Unprovable(
            fact.card, fact.player and fact.player.opponent, fact.t_ns, fact.t_unc_ns, fact.reason
        )
    if isinstance(fact, BrokeRule):
        return BrokeRule(fact.player.opponent, fact.conduct)
    if isinstance(fact, PlayingHand):
        return PlayingHand(fact.player.opponent, fact.hand)
    if isinstance(fact, WrongHand):
        return WrongHand(fact.player.opponent, fact.card)
    return fact


@pytest.mark.parametrize("name", PRESETS.names)
def test_swapping_the_seats_swaps_every_situation(name: str) -> None:
    rules = PRESETS[name]
    for situation in situations():
        poem = TARGETS[situation.target]
        mirrored = judge_poem(poem, LAYOUT.swap(), [swapped(fact) for fact in situation.facts], rules)
        assert mirrored == situation.ruling(rules).swap()


@given(poems, st.lists(facts_strategy, max_size=9), rule_sets)
def test_swapping_the_seats_swaps_the_ruling(poem: int, facts: list[PoemFact], rules: RuleSet) -> None:
    mirrored = judge_poem(poem, LAYOUT.swap(), [swapped(fact) for fact in facts], rules)
    assert mirrored == judge_poem(poem, LAYOUT, facts, rules).swap()


@given(
    poems,
    st.lists(facts_strategy, max_size=9).flatmap(lambda f: st.tuples(st.just(f), st.permutations(f))),
    rule_sets,
)
def test_the_order_in_which_facts_arrive_is_irrelevant(
    poem: int, pair: tuple[list[PoemFact], list[PoemFact]], rules: RuleSet
) -> None:
    facts, shuffled = pair
    assert judge_poem(poem, LAYOUT, facts, rules) == judge_poem(poem, LAYOUT, shuffled, rules)


@given(st.sampled_from([1, 51]), st.lists(touches, max_size=9), rule_sets)
def test_contact_in_the_targets_territory_is_free(poem: int, contacts: list[Touch], rules: RuleSet) -> None:
    side = LAYOUT.side_of(poem)
    inside = [contact for contact in contacts if contact.card and LAYOUT.side_of(contact.card) is side]
    assert judge_poem(poem, LAYOUT, inside, rules).faults == BySide(0, 0)


@given(poems, st.lists(facts_strategy, max_size=9), rule_sets)
def test_rulings_stay_within_the_game(poem: int, facts: list[PoemFact], rules: RuleSet) -> None:
    ruling = judge_poem(poem, LAYOUT, facts, rules)
    left = LAYOUT if ruling.taken_by is None else LAYOUT.without(poem)
    for side in Side:
        assert 0 <= ruling.faults[side] <= 2
        assert 0 <= ruling.sends[side] <= min(3, len(left.of(side)))
    assert 0.0 <= ruling.confidence <= 1.0
    assert set(ruling.reasons) <= reasons().keys()
    assert ruling.reasons
    assert set(ruling.doubts) <= doubts().keys()
    assert (ruling.status == "review") == bool(ruling.doubts)
    assert ruling.taken_by is None or LAYOUT.side_of(poem) is not None


@given(poems, st.lists(facts_strategy, max_size=9), rule_sets)
def test_a_misread_voids_everything(poem: int, facts: list[PoemFact], rules: RuleSet) -> None:
    ruling = judge_poem(poem, LAYOUT, [*facts, Misread()], rules)
    assert ruling == Ruling(poem, None, BySide(0, 0), BySide(0, 0), reasons=("misread_void",))
