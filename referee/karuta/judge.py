"""Judging one poem: facts in, a ruling with its reasons out.

`confidence` is the probability that the ruling is right. It is the product of these probabilities: the
contact that took the card is real, each fault has a contact behind it, so has each excuse and each hand that
decides what a push is, the order that the ruling rests on is right, poem and card are called by their right
names, and no touch was missed. A doubt is a ceiling: a ruling is no surer than those with such a doubt are
right (`_RIGHT_ALL_THE_SAME`). Without a doubt that product is too modest, and the ruling is told surer
(`_LEFT_OPEN`). Whether it is decided hangs on the product alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import prod

from referee.facts import HEARSAY, Contact, Gap, Touch, Unprovable
from referee.karuta.contacts import Judged, PoemFact, Reading, Verdict
from referee.karuta.declarations import Misread, WrongHand
from referee.karuta.faults import MOST_FAULTS, count_faults
from referee.karuta.order import proven_before
from referee.karuta.rulebook import reasons
from referee.karuta.ruleset import BothFault, OwnFault, RuleSet
from referee.karuta.ruling import Doubt, Ruling, cards_to_send
from referee.karuta.taking import HAND_OVER, RESTED, STIRRED, Taking, is_nobodys, who_takes
from referee.layout import Layout
from referee.sides import BySide, Side

_NAMED = {
    Verdict.WRONG_HAND_VOID: "wrong_hand_void",
    Verdict.EARLY_WARNED: "early_touch_warned",
    Verdict.FREE: "free_in_target_territory",
    Verdict.OUTSIDE_LINE: "outside_line",
    Verdict.AFTER_PLAY: "after_play",
}
_UNMOVED = frozenset({"no_card_motion", HAND_OVER})
"""The eye's reasons for a hand over a card that it did not move: this proves nothing about the take."""
_SECOND = frozenset({"second_hand", HAND_OVER, RESTED, "witnesses_disagree", "touch_heard"}) | STIRRED
"""The eye's reasons for a hand that may have touched a card: another hand moved the card, or perhaps no hand
did, or fingers came to rest over it, or only one of two cameras saw the contact."""

_ANYBODYS = frozenset({"no_hand_seen", "stranger"})
"""The eye's reasons for a card that left without a hand being seen, or with one that came in from neither
player's side: somebody may have touched it."""
_NEVER_SEEN = frozenset(
    {
        "view_blocked",
        "out_of_view",
        "film_ends",
        "eye_failed",
        "watch_stopped",
        "size_changed",
        "no_card_read",
        "film_cut",
    }
)
"""Reasons of gaps after which nobody checked that the cards still lie in their places."""
_LOST = frozenset({"dropped_frames", "camera_stalled", "camera_lost"})
"""Reasons of gaps between two pictures that the eye compared: it reports every card that moved meanwhile."""

SEEN = 0.995
"""Probability that nothing was missed that would have changed the ruling.

Of 484 simulated poems that were surely ruled by what the eye told, 2 were ruled wrongly; of 456 fresh ones in
which nothing was in doubt, one had a touch that bears on the ruling and left no trace
(`python -m benchmarks.reliability`). Three of 940 are 0.3 %, and with 95 % confidence at most 0.9 %.
"""

_RIGHT_ALL_THE_SAME = {
    Doubt.ORDER_NOT_PROVEN: 1.0,  # the order's own probability is in the take's
    Doubt.LOW_CONFIDENCE: 1.0,
    Doubt.CONTACT_UNSEEN: 0.52,
    Doubt.GAP: 0.85,
}
"""Most that a ruling with a doubt is worth. Of 535 fresh poems 37 of 71 with a contact that may be unseen
were ruled rightly, and 8 of 9 with a gap (Jeffreys: 8.5 of 10). The former was fitted on each half of the
films and shown on the other (`python -m benchmarks.reliability`)."""
_MODEST, _LEFT_OPEN = 0.85, 0.27
"""From this product on, a ruling without a doubt keeps so much of what it lacks of `SEEN`.

Of 1,000 simulated poems 826 were decided and none wrongly, where the products expect 20 wrong ones. This
share brings the mean told down to what one half of the films bounds (0 of 419; 99 %, Clopper and Pearson); on
the other half it lowers the log loss by 0.011 (`python -m benchmarks.reliability`). It still expects 8 or 9
of 826: more than the bound of 7.7, were the three counted as wrong that earlier eyes decided wrongly.
"""
_TWO_RULINGS = 0.5  # the same of doubts that were never measured: they leave two rulings open

_MOVED = frozenset({"swept_along", "pushed_by_card"})
"""The eye's reasons for a card that another card moved: some hand must have started it."""


def judge_poem(poem: int, layout: Layout, facts: Iterable[PoemFact], rules: RuleSet) -> Ruling:
    """Judge one reading of `poem`; the parameters are those of `ruling_by_contacts`."""
    reading = Reading(poem, layout, tuple(facts), rules)
    ruling = _ruling(reading)
    ceiling = prod(_RIGHT_ALL_THE_SAME.get(Doubt(doubt), _TWO_RULINGS) for doubt in ruling.doubts)
    confidence = min(ruling.confidence, ceiling)
    if not ruling.doubts and confidence >= _MODEST:
        heard = _heard(reading)  # the poem was certain where this was measured
        confidence = max(confidence, heard * (SEEN - _LEFT_OPEN * (SEEN - confidence / heard)))
    return replace(ruling, confidence=confidence)


def ruling_by_contacts(poem: int, layout: Layout, facts: Iterable[PoemFact], rules: RuleSet) -> Ruling:
    """Judge one reading of `poem`, 1..100, as sure as its contacts are, whatever is in doubt.

    `layout`: the cards as they lay before it. `facts`: everything seen, heard and declared during the
    reading, in any order. The start of another poem is ignored.
    """
    return _ruling(Reading(poem, layout, tuple(facts), rules))


def _ruling(reading: Reading) -> Ruling:
    poem, layout, rules = reading.poem, reading.layout, reading.rules
    if any(isinstance(fact, Misread) for fact in reading.facts):
        return Ruling(poem, None, BySide.both(0), BySide.both(0), reasons=("misread_void",))
    judged = reading.judged
    taking = who_takes(reading, judged)
    faults = count_faults(reading, judged)
    attacker = taking.by if taking.by is not reading.target_side else None
    cards_left = (layout if taking.by is None else layout.without(poem)).counts()
    sends = cards_to_send(attacker, faults.counts, cards_left, rules)

    found = {*taking.reasons, *faults.reasons, *_settlement(taking.by, attacker, faults.counts, rules)}
    found.update(_NAMED[verdict] for _, verdict in judged if verdict in _NAMED)
    if any(isinstance(fact, Unprovable) for fact in reading.facts):
        found.add("not_provable")
    if sends != cards_to_send(attacker, faults.counts, BySide.both(MOST_FAULTS + 1), rules):
        found.add("limited_to_cards_left")

    questions = {
        *taking.doubts,
        *faults.doubts,
        *_unread(reading, taking, judged),
        *_unseen(reading, taking, faults.proofs),
        *_contradicted(reading, taking, judged),
    }
    sides = _chance_of_sides(reading, judged, faults.proofs)
    named = _heard(reading) * (1.0 if taking.contact is None else taking.contact.card_confidence)
    confidence = taking.confidence * faults.chance * sides * named * SEEN
    if Doubt.ORDER_NOT_PROVEN not in questions and confidence < rules.min_confidence:
        questions.add(Doubt.LOW_CONFIDENCE)
    lead_ns, lead_unc_ns = taking.lead or (None, None)
    return Ruling(
        poem=poem,
        taken_by=taking.by,
        faults=faults.counts,
        sends=sends,
        reasons=tuple(id_ for id_ in reasons() if id_ in found),
        doubts=tuple(doubt.value for doubt in Doubt if doubt in questions),
        confidence=confidence,
        take=taking.contact,
        lead_ns=lead_ns,
        lead_unc_ns=lead_unc_ns,
    )


def _heard(reading: Reading) -> float:
    """Return the probability that this is the poem that was read."""
    return 1.0 if reading.start is None else reading.start.confidence


def _chance_of_sides(reading: Reading, judged: Iterable[Judged], proofs: Iterable[Touch]) -> float:
    """Return the probability that the contacts are real which decide what other contacts are.

    What happens outside the line does not matter in the target's territory, nor where its player faulted.
    """
    indifferent = {(proof.player, reading.territory(proof)) for proof in proofs}
    indifferent |= {(player, reading.target_side) for player in (*Side, None)}
    return prod(
        sorted(
            reading.chance_of(touch, verdict)
            for touch, verdict in judged
            if verdict is not Verdict.OUTSIDE_LINE
            or (touch.player, reading.territory(touch)) not in indifferent
        )
    )


def _contradicted(reading: Reading, taking: Taking, judged: Iterable[Judged]) -> set[Doubt]:
    """Return the doubts where what was seen and what was declared do not fit together."""
    questions = set()
    on_target = [(touch, verdict) for touch, verdict in judged if touch.card == reading.poem]
    late = [fact for fact in reading.facts if isinstance(fact, Unprovable) and reading.is_after_play(fact)]
    moved = any(fact.card == reading.poem and _is_open(fact) for fact in late)
    in_play = {verdict for _, verdict in on_target} - {Verdict.AFTER_PLAY}
    if taking.by is None and not in_play and (on_target or moved):
        questions.add(Doubt.END_UNCLEAR)
    for touch, verdict in judged:
        excused = verdict is Verdict.AFTER_PLAY and reading.territory(touch) is not reading.target_side
        if excused and taking.sure is not None and not reading.is_after_take(taking.sure, touch):
            questions.add(Doubt.END_UNCLEAR)
    for touch, verdict in on_target:
        lost = verdict not in {Verdict.CLAIM, Verdict.AFTER_PLAY}
        if lost and reading.is_reached_from_afar(touch):  # an unseen hand beside the card may have pushed it
            questions.add(Doubt.CONTACT_UNSEEN)
    seen = {(touch.player, touch.card) for touch in reading.touches}
    declared = (fact for fact in reading.facts if isinstance(fact, WrongHand))
    if any((fact.player, fact.card) not in seen for fact in declared):
        questions.add(Doubt.CONTACT_UNSEEN)
    return questions


def _settlement(taker: Side | None, attacker: Side | None, faults: BySide[int], rules: RuleSet) -> set[str]:
    """Return the reasons that say how takes and faults are set off against each other."""
    found = set()
    if faults.near and faults.far:
        if rules.both_fault is BothFault.CANCEL_ALL:
            found.add("faults_cancel_all")
        elif faults.near == faults.far:
            found.add("faults_cancel")
        else:
            net = rules.both_fault is BothFault.NET
            found.add("faults_net" if net else "faults_cancel_uneven")
    if taker is None:
        return found
    if faults[taker]:
        found.add("take_after_fault")
        if attacker is not None and not faults[attacker.opponent]:
            separate = rules.own_fault is OwnFault.SEPARATE
            found.add("take_and_fault_separate" if separate else "take_and_fault_net")
    elif faults[taker.opponent]:
        found.add("double" if attacker is not None else "semi_double")
    return found


def _unread(reading: Reading, taking: Taking, judged: Iterable[Judged]) -> set[Doubt]:
    """Return the doubts about cards that could not be read and contacts whose verdict depends on them."""
    questions = set()
    if reading.is_hardly_read and reading.target_may_be_unread:
        questions.add(Doubt.TARGET_UNREAD)
    for touch, verdict in judged:
        if touch.card is None and reading.target_may_be_unread:
            questions.add(Doubt.TARGET_UNREAD)
        if verdict in {Verdict.PUSHED_ALONG, Verdict.AFTER_PLAY}:
            continue
        if verdict is Verdict.UNREAD and (reading.territory(touch) is None or _may_take(taking, touch)):
            questions.add(Doubt.CARD_UNREAD)
        if verdict is Verdict.NOT_ON_FIELD:
            questions.add(Doubt.CARD_NOT_ON_FIELD)
        if reading.is_start_unclear(touch):
            questions.add(Doubt.START_UNCLEAR)
        # A touch in the other territory is a fault whether the target is dead or an unread card in this one.
        if reading.target_may_lie_in(reading.territory(touch)):
            questions.add(Doubt.TARGET_UNREAD)
    return questions


def _unseen(reading: Reading, taking: Taking, proofs: Iterable[Touch]) -> set[Doubt]:
    """Return the doubts about what the eye may have missed at the moments that the ruling rests on."""
    questions = set()
    if taking.by is None and (_was_moved_by_nobody(reading) or _was_read_card_stirred(reading)):
        questions.add(Doubt.CONTACT_UNSEEN)
    decisive = [touch for touch in (taking.contact, taking.rival, *proofs) if touch is not None]
    matters = [*decisive, *(fact for fact in _told(reading) if _may_matter(reading, fact))]
    for fact in reading.facts:
        if isinstance(fact, Unprovable) and _leaves_open(reading, taking, fact, proofs):
            questions.add(Doubt.CONTACT_UNSEEN)
        if isinstance(fact, Gap):
            hides_all = fact.reason in _NEVER_SEEN.union(HEARSAY) or not (decisive or fact.reason in _LOST)
            if hides_all or any(_overlap(fact, one) for one in matters):
                questions.add(Doubt.GAP)
    return questions


def _leaves_open(reading: Reading, taking: Taking, fact: Unprovable, proofs: Iterable[Touch]) -> bool:
    """Tell whether a contact that could not be proven would change the ruling."""
    if reading.is_after_play(fact):
        return False
    if _is_open(fact) and reading.may_be_target(fact.card) and _may_take(taking, fact):
        return True
    if fact.reason in _SECOND and _may_be_fault(reading, fact, proofs):
        return True
    return fact.reason in _ANYBODYS and _may_matter(reading, fact)


def _may_take(taking: Taking, fact: Touch | Unprovable) -> bool:
    """Tell whether a contact, if it was with the target, would be another player's take."""
    by_another = taking.by is None or fact.player is not taking.by
    return by_another and (taking.sure is None or not proven_before(taking.sure, fact))


def _is_open(fact: Unprovable) -> bool:
    """Tell whether a contact that could not be proven may have taken the card."""
    return fact.reason not in _UNMOVED and not is_nobodys(fact)


def _told(reading: Reading) -> Iterator[Touch | Unprovable]:
    """Return what was seen of the play; what came after it changes no ruling."""
    told = (fact for fact in reading.facts if isinstance(fact, Touch | Unprovable))
    return (fact for fact in told if not reading.is_after_play(fact))


def _may_matter(reading: Reading, fact: Touch | Unprovable) -> bool:
    """Tell whether a contact with this card may change the ruling; the target's neighbours are free."""
    if reading.may_be_target(fact.card) or reading.target_side is None:
        return True
    where = reading.territory(fact) if isinstance(fact, Touch) else reading.territory_of(fact.card)
    return where is not reading.target_side


def _was_moved_by_nobody(reading: Reading) -> bool:
    """Tell whether cards moved other cards and no hand is known that started it.

    A card pushed out of the target's territory does not count: it is no fault, whoever started it.
    """
    if any(touch.contact is Contact.TOUCH for touch in reading.touches):
        return False
    return any(reading.territory(touch) is not reading.target_side for touch in reading.touches) or any(
        isinstance(fact, Unprovable) and fact.reason in _MOVED for fact in reading.facts
    )


def _was_read_card_stirred(reading: Reading) -> bool:
    """Tell whether floor, air or cloth is said to have moved the card that was read.

    Somebody took it, most likely: who slides it along with its neighbours may leave it no finger of its own.
    """
    return any(is_nobodys(fact) and reading.may_be_target(fact.card) for fact in _told(reading))


def _may_be_fault(reading: Reading, fact: Unprovable, proofs: Iterable[Touch]) -> bool:
    """Tell whether the contact, if proven, would be a further fault."""
    territory = reading.territory_of(fact.card)
    if fact.player is None or territory in {None, reading.target_side} or reading.was_out_before(fact):
        return False
    return all((proof.player, reading.territory(proof)) != (fact.player, territory) for proof in proofs)


def _overlap(gap: Gap, touch: Touch | Unprovable) -> bool:
    return gap.t_from_ns <= touch.latest_ns and touch.earliest_ns <= gap.t_to_ns
