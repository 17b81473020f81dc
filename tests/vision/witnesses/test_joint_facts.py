"""Two cameras' words about one poem, laid together."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.clocks.latency import Offset
from referee.facts import Contact, Gap, Testimony, Touch, Unprovable
from referee.sides import Side
from vision.witnesses.joint_facts import DISAGREE, Account, joined

MS = 1_000_000
AHEAD_NS = 250 * MS
OFFSET = Offset(float(AHEAD_NS), 1.0 * MS, 1.0 * MS, 5)
"""The second camera's clock shows a quarter of a second more, known to a millisecond."""
NEAR, FAR = Side.NEAR, Side.FAR
PUSHED = Contact.PUSHED_OUT


def touch(
    card: int | None, player: Side | None, t_ms: float, unc_ms: float = 8.0, sure: float = 0.9
) -> Touch:
    return Touch(card, player, round(t_ms * MS), round(unc_ms * MS), confidence=sure)


def doubt(
    card: int, player: Side | None, reason: str, t_ms: float = 100.0, unc_ms: float = 20.0
) -> Unprovable:
    return Unprovable(card, player, round(t_ms * MS), round(unc_ms * MS), reason)


def ahead(*facts: Testimony) -> tuple[Testimony, ...]:
    """The same as the second camera's clock has it."""
    return tuple(
        replace(fact, t_from_ns=fact.t_from_ns + AHEAD_NS, t_to_ns=fact.t_to_ns + AHEAD_NS)
        if isinstance(fact, Gap)
        else replace(fact, t_ns=fact.t_ns + AHEAD_NS)
        for fact in facts
    )


def test_what_only_the_second_camera_proves_keeps_the_sides_of_its_interval() -> None:
    late = replace(touch(5, NEAR, 100.0, 30.0), sides_ns=(3 * MS, 30 * MS))
    (told,) = joined(Account(()), Account(ahead(late)), OFFSET)
    assert isinstance(told, Touch)
    assert told.sides_ns is not None
    early_ns, late_ns = told.sides_ns
    assert 3 * MS < early_ns < 4 * MS
    assert 30 * MS < late_ns == told.t_unc_ns


def test_when_a_card_was_out_is_told_on_the_first_clock() -> None:
    swept = replace(touch(5, NEAR, 100.0, 30.0), out_ns=(150 * MS, 190 * MS))
    early_ns, late_ns = 150 * MS + AHEAD_NS, 190 * MS + AHEAD_NS
    (told,) = joined(Account(()), Account(ahead(replace(swept, out_ns=(early_ns, late_ns)))), OFFSET)
    assert isinstance(told, Touch)
    assert told.out_ns is not None
    assert told.out_ns[0] < 150 * MS < 190 * MS < told.out_ns[1]
    assert sum(told.out_ns) == 340 * MS


def test_the_same_contact_is_told_once_at_the_weighted_mean() -> None:
    first = Account((touch(5, NEAR, 100.0, 8.0),))
    second = Account(ahead(touch(5, NEAR, 106.0, 4.0)))
    (both,) = joined(first, second, OFFSET)
    assert isinstance(both, Touch)
    # the offset's own doubt is the second's, and a part of both errors is common
    spread = np.diag([8.0, (4.0**2 + 1.0**2) ** 0.5])
    inverse = np.linalg.inv(spread @ np.array([[1.0, 0.4], [0.4, 1.0]]) @ spread)
    assert both.t_ns / MS == pytest.approx((inverse @ [100.0, 106.0]).sum() / inverse.sum(), abs=0.01)
    assert both.t_unc_ns / MS == pytest.approx(inverse.sum() ** -0.5, abs=0.01)


def test_instants_that_exclude_each_other_span_both() -> None:
    first = Account((touch(5, NEAR, 100.0, 3.0),))
    second = Account(ahead(touch(5, NEAR, 140.0, 4.0)))
    (both,) = joined(first, second, replace(OFFSET, unc_ns=1.0))
    assert isinstance(both, Touch)
    assert (both.t_ns - both.t_unc_ns) / MS == pytest.approx(97.0, abs=0.01)
    assert (both.t_ns + both.t_unc_ns) / MS == pytest.approx(144.0, abs=0.01)


def test_agreement_makes_a_doubtful_word_no_surer_and_a_sure_one_helps_a_doubtful() -> None:
    for sure, other, expected in ((0.7, 0.7, 0.7), (0.6, 0.96, 0.857)):
        first = Account((touch(5, NEAR, 100.0, sure=sure),))
        second = Account(ahead(touch(5, NEAR, 100.0, sure=other)))
        (both,) = joined(first, second, OFFSET)
        assert isinstance(both, Touch)
        assert both.confidence == pytest.approx(expected, abs=0.001)


def test_a_player_one_camera_could_not_tell_is_told_by_the_other() -> None:
    (both,) = joined(Account((touch(5, None, 100.0),)), Account(ahead(touch(5, FAR, 101.0))), OFFSET)
    assert isinstance(both, Touch)
    assert both.player is FAR


@pytest.mark.parametrize("reason", ["view_blocked", "no_hand_seen"])
def test_what_one_camera_could_not_prove_the_other_proves(reason: str) -> None:
    first = Account((doubt(5, None, reason),))
    second = Account(ahead(touch(5, FAR, 100.0)), away=frozenset({5}))
    (proof,) = joined(first, second, OFFSET)
    assert isinstance(proof, Touch)
    assert (proof.card, proof.player, round(proof.t_ns / MS)) == (5, FAR, 100)


def test_a_card_hidden_for_one_and_left_alone_for_the_other_was_not_touched() -> None:
    first = Account((doubt(5, None, "view_blocked"),))
    assert joined(first, Account((), in_place=frozenset({5})), OFFSET) == ()
    assert len(joined(first, Account(()), OFFSET)) == 1, "it did not watch that card"


def test_a_second_hand_that_the_other_camera_did_not_see_was_not_there() -> None:
    first = Account((touch(5, NEAR, 100.0), doubt(5, FAR, "second_hand")))
    alone = Account(ahead(touch(5, NEAR, 101.0)), away=frozenset({5}))
    assert [type(fact) for fact in joined(first, alone, OFFSET)] == [Touch]
    also = Account(ahead(touch(5, NEAR, 101.0), doubt(5, FAR, "second_hand", unc_ms=10.0)))
    _, kept = joined(first, also, OFFSET)
    assert isinstance(kept, Unprovable), "both saw a second hand"
    assert kept.t_unc_ns / MS == pytest.approx((10**2 + 1**2) ** 0.5, abs=0.01), "the narrower word"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(
            Account((touch(5, NEAR, 100.0),), away=frozenset({5})),
            Account((), in_place=frozenset({5})),
            id="gone for one, in place for the other",
        ),
        pytest.param(
            Account((touch(5, NEAR, 100.0),)), Account(ahead(touch(5, FAR, 100.0))), id="of two players"
        ),
    ],
)
def test_a_contradiction_is_no_proof(first: Account, second: Account) -> None:
    facts = joined(first, second, OFFSET)
    assert facts
    assert all(isinstance(fact, Unprovable) and fact.reason == DISAGREE for fact in facts)


def test_both_players_at_one_card_contradict_nobody() -> None:
    first = Account((touch(5, NEAR, 100.0), touch(5, FAR, 130.0)))
    second = Account(ahead(touch(5, NEAR, 101.0)))
    facts = joined(first, second, OFFSET)
    assert {fact.player for fact in facts if isinstance(fact, Touch)} == {NEAR, FAR}


@pytest.mark.parametrize(("by_hand", "pushed", "kept"), [(0.95, 0.6, "touch"), (0.6, 0.95, "pushed_out")])
def test_a_hand_or_other_cards_the_surer_word_stands(by_hand: float, pushed: float, kept: str) -> None:
    first = Account((touch(5, NEAR, 100.0, sure=by_hand),))
    second = Account(ahead(replace(touch(5, NEAR, 140.0, sure=pushed), contact=PUSHED)))
    facts = joined(first, second, OFFSET)
    (proof,) = [fact for fact in facts if isinstance(fact, Touch)]
    assert proof.contact == kept
    assert proof.confidence == pytest.approx(19 / (19 + 1.5), abs=0.001), "what the other says takes from it"
    # a hand that may have been on the card is told: it may be a fault
    doubts = [fact.reason for fact in facts if isinstance(fact, Unprovable)]
    assert doubts == ([] if kept == "touch" else [DISAGREE])


def test_the_poems_own_cards_make_a_rough_offset_exact_but_never_their_own() -> None:
    rough = Offset(float(AHEAD_NS + 9 * MS), 30.0 * MS, 15.0 * MS, 1)
    cards = [touch(card, NEAR, 100.0 + 10 * card, 4.0) for card in range(1, 9)]
    others = ahead(*(replace(each, t_ns=each.t_ns + round(1.0 * MS)) for each in cards))
    facts = joined(Account(tuple(cards)), Account(others), rough)
    for before, after in zip(cards, facts, strict=True):
        assert isinstance(after, Touch)
        assert after.t_unc_ns < 0.9 * before.t_unc_ns
        assert abs(after.t_ns - before.t_ns) < 1.0 * MS
    (alone,) = joined(Account((cards[0],)), Account((others[0],)), rough)
    assert isinstance(alone, Touch)
    assert alone.t_unc_ns > 0.98 * cards[0].t_unc_ns, "its own instants tell the offset, and nothing more"


def test_a_gap_that_the_other_camera_saw_through_is_none() -> None:
    lost = Gap(90 * MS, 130 * MS, "dropped_frames")
    first = Account((touch(5, NEAR, 100.0), lost))
    seen = Account(ahead(touch(5, NEAR, 100.0)))
    assert not [fact for fact in joined(first, seen, OFFSET) if isinstance(fact, Gap)]
    blind = Account(ahead(touch(5, NEAR, 100.0), Gap(120 * MS, 140 * MS, "dropped_frames")))
    assert lost in joined(first, blind, OFFSET), "neither saw then"
    elsewhere = Account(ahead(touch(6, NEAR, 100.0)))
    assert lost in joined(first, elsewhere, OFFSET), "it did not watch that card"
