"""Films of a table that is tidied: between poems, during a poem without play, and in haste."""

from dataclasses import replace
from typing import Any

import pytest

from referee.facts import Gap, PoemStarted, Testimony, Touch, Unprovable
from referee.layout import Layout
from referee.sides import Side
from tests.vision.disturbances import Disturbance, Knock, Lamp, disturbed
from vision.contact.facts import may_be_touch
from vision.contact.rearrangement import is_tidied
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.simulator import SimulatedMatch
from vision.simulator.hall.match import Pace
from vision.simulator.play.episode import Episode, Timing
from vision.simulator.play.field_restoration import DELIBERATE, HURRIED
from vision.simulator.play.field_restoration import Manner as Pacing
from vision.witnesses.joint_facts import Account

MS = 1_000_000
BRISK = Pacing(travel_mps=2.2, settle_s=0.05)


class Fussy(SimulatedMatch):
    """A match in which players tidy after each poem, whether they played or not."""

    def __init__(self, seed: int, scenario: str, fuss: dict[str, Any]) -> None:
        super().__init__(seed, 30, (640, 360), cards_per_side=4, pace=Pace(0.9, 0.7), scenario=scenario)
        self.fuss = fuss

    def _stage(self, poem: int, layout: Layout, timing: Timing) -> Episode:
        return super()._stage(poem, layout, replace(timing, **self.fuss))


class Hasty(SimulatedMatch):
    """A match whose reader begins each poem before the tidying hands have left."""

    def _stage(self, poem: int, layout: Layout, timing: Timing) -> Episode:
        return super()._stage(poem, layout, replace(timing, settle_s=0.3, rearranged=1))

    def truly_read_ms(self) -> list[float]:
        first, *others = self.episodes()
        return [1e3 * first.t_s, *(1e3 * (episode.start_s - 0.6) for episode in others)]


def dead_poems(seed: int, poems: int, scenario: str = "dead_none", **fuss: Any) -> SimulatedMatch:
    match = Fussy(seed, scenario, fuss)
    lying = {placed.card for placed in match.start}
    match.poems = tuple([poem for poem in range(1, 101) if poem not in lying][:poems])
    return match


class OtherCamera:
    """A second witness that is sure that every card it is asked about was touched."""

    def place(self, *_: object) -> None: ...
    def begin(self, *_: object) -> None: ...
    def joined(self, account: Account, _: int) -> tuple[Testimony, ...]:
        return tuple(
            Touch(fact.card, fact.player, fact.t_ns, fact.t_unc_ns, confidence=0.99)
            if isinstance(fact, Unprovable)
            else fact
            for fact in account.facts
        )


def seen_in(
    match: SimulatedMatch, disturbances: list[Disturbance] | None = None, second: Any = None
) -> list[PoemSeen]:
    watcher, events = MatchWatcher(report_tidying=False, second=second), list[WatchEvent]()
    readings = list(match.readings)
    if isinstance(match, Hasty):
        readings = [replace(one, t_ms=t) for one, t in zip(readings, match.truly_read_ms(), strict=True)]
    for index, (t_ns, picture) in enumerate(disturbed(match.pictures(), disturbances or [])):
        while readings and readings[0].t_ms * 1e6 <= t_ns:
            start = readings.pop(0)
            events += watcher.poem_started(PoemStarted(start.poem, round(start.t_ms * 1e6), 10_000_000))
        events += watcher.feed(Frame(picture, t_ns, 1_000, index))
    return [event for event in events + watcher.close() if isinstance(event, PoemSeen)]


@pytest.mark.parametrize(
    ("pacing", "second"),
    [
        pytest.param(DELIBERATE, OtherCamera(), marks=pytest.mark.slow),
        pytest.param(HURRIED, None, marks=pytest.mark.slow),
        (BRISK, None),
    ],
)
def test_cards_put_elsewhere_while_an_unplayed_poem_is_open_were_not_touched(
    pacing: Pacing, second: OtherCamera | None
) -> None:
    match = dead_poems(60_001, 2, rearranged=1, manner=pacing, wait_s=0.5)
    first, following = seen_in(match, second=second)
    assert not any(isinstance(fact, Touch) for fact in first.facts)
    assert len([fact for fact in first.facts if is_tidied(fact)]) == 2
    # and the next poem is played on the field as it lies then
    expected = {(card["card"], card["row"]) for card in match.truth["poems"][1]["layout_before"]}
    assert {(placed.card, placed.row) for placed in following.before.layout} == expected


@pytest.mark.slow
def test_cards_set_straight_late_while_an_unplayed_poem_is_open_were_not_touched() -> None:
    (seen,) = seen_in(dead_poems(60_002, 1, straightened=1, manner=DELIBERATE, wait_s=0.8))
    assert not any(isinstance(fact, Touch) for fact in seen.facts)
    assert len([fact for fact in seen.facts if is_tidied(fact)]) == 2


@pytest.mark.slow
def test_cards_set_straight_while_somebody_may_still_play_are_doubted() -> None:
    (seen,) = seen_in(dead_poems(60_002, 1, straightened=1, manner=DELIBERATE, wait_s=0.2))
    doubts = [fact for fact in seen.facts if may_be_touch(fact)]
    assert doubts
    assert not any(isinstance(one, Touch) and one.confidence > 0.5 for one in doubts)


def test_touches_of_a_dead_poem_stay_what_they_are() -> None:
    (seen,) = seen_in(dead_poems(60_003, 1, "dead_touch", rearranged=1, manner=DELIBERATE))
    (fact,) = seen.facts  # a single card pressed by a millimetre: a doubt, and the poem is over
    assert may_be_touch(fact)
    assert (fact.card, fact.player) == (46, Side.NEAR)


@pytest.mark.slow
@pytest.mark.parametrize("happening", [Knock(2.3, (0.008, -0.005), 0.5, 1.004), Lamp(2.3, 1.3)])
def test_an_untouched_poem_outlives_a_knock_and_a_lamp(happening: Disturbance) -> None:
    first, second = seen_in(dead_poems(60_004, 2, wait_s=0.9), [happening])
    assert not any(isinstance(fact, Touch | Gap) for fact in first.facts)
    assert len(second.before.layout) == 8


@pytest.mark.slow
def test_a_poem_that_begins_before_the_field_is_tidy_is_judged_on_the_tidy_field() -> None:
    match = Hasty(60_006, 30, (640, 360), cards_per_side=5, pace=Pace(0.9, 0.7), scenario="own")
    match.poems = tuple(placed.card or 0 for placed in match.start)[:3]
    poems = match.truth["poems"]
    for seen, poem in zip(seen_in(match), poems, strict=True):
        expected = {(card["card"], card["side"], card["row"]) for card in poem["layout_before"]}
        assert {(one.card, one.side.value, one.row) for one in seen.before.layout} == expected
        touches = [fact for fact in seen.facts if isinstance(fact, Touch)]
        assert poem["poem"] in {one.card for one in touches}
        assert not [one for one in touches if one.t_ns < (poem["touches"][0]["t_ms"] - 100) * MS]
