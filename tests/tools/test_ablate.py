"""The ablation of the eye's rules: each rule exists, is off only as long as it should be, and is scored."""

import json
from pathlib import Path

import numpy as np
import pytest
from ablate import _declared, _place
from ablation.clips import planned_clips
from ablation.rules import RULES, Rule, always, given
from ablation.score import is_no_worse, scored
from ablation.switch import found, switched_off, watched

from vision.launch import onset
from vision.simulator import SCENARIOS

GLIDES = Rule("cards glide", "vision.launch.onset:_glides_ms", always(np.zeros(0)))


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_every_rule_is_where_the_table_says_and_has_a_name_of_its_own(rule: Rule) -> None:
    holder, name = found(rule)
    assert callable(getattr(holder, name)) != rule.is_number
    assert sum(other.name == rule.name for other in RULES) == 1
    assert rule.name in _declared(rule)


def test_a_rule_is_off_for_a_while_and_then_on_again() -> None:
    before = onset._glides_ms(20.0)
    assert len(before)
    with switched_off(GLIDES):
        assert not len(onset._glides_ms(20.0))
    assert (onset._glides_ms(20.0) == before).all()
    with switched_off(None):
        assert (onset._glides_ms(20.0) == before).all()


def test_only_answers_that_differ_from_silence_are_counted() -> None:
    number = Rule("a number", "vision.launch.onset:WEAK", 0.0)
    with watched((GLIDES, number)) as said:
        onset._glides_ms(0.01)  # so short a way no card glides
        assert said == {"a number": 1}
        onset._glides_ms(20.0)
        onset._glides_ms(20.0)
    assert said == {"cards glide": 2, "a number": 1}
    assert given(1)("first", "second") == "second"


def test_clips_are_of_every_scenario_and_no_seed_comes_twice() -> None:
    plans = list(planned_clips())
    assert len({plan.seed for plan in plans}) == len({plan.name for plan in plans}) == len(plans)
    assert {plan.scenario for plan in plans} == set(SCENARIOS)
    assert len({plan.style for plan in plans}) == 4


def touch(card: int, confidence: float, t_ms: float = 100.0) -> dict[str, object]:
    return {
        "card": card,
        "player": "near",
        "kind": "touch",
        "t_ms": t_ms,
        "t_unc_ms": 2.0,
        "t_low_ms": t_ms - 2.0,
        "t_high_ms": t_ms + 2.0,
        "confidence": confidence,
    }


RULING = {"taken_by": "near", "faults": {"near": 0, "far": 0}, "sends": {"near": 0, "far": 0}}
LAYOUT = [
    {"card": card, "x_mm": 60.0 * card, "y_mm": 40.0 * (card % 2), "side": "near"} for card in range(1, 5)
]
TRUTH = {
    "meta": {"fps": 60},
    "layout": LAYOUT,
    "poems": [{"poem": 1, "scenario": "own", "ruling": RULING, "touches": [touch(1, 1.0)]}],
}


def judged(*touches: dict[str, object]) -> dict[str, object]:
    ruling = RULING | {"status": "decided", "confidence": 0.9}
    return {"layout": LAYOUT, "poems": [{"ruling": ruling, "touches": touches}]}


def test_a_false_touch_costs_more_the_surer_it_was() -> None:
    right = scored("a", judged(touch(1, 0.9)), TRUTH)
    assert (right.poems, right.right, right.told_right, right.covered, right.named) == (1, 1, 1, 1, 4)
    unsure, sure = (scored("a", judged(touch(1, 0.9), touch(2, chance)), TRUTH) for chance in (0.5, 0.99))
    assert right.log_loss < unsure.log_loss < sure.log_loss
    assert is_no_worse(right, sure)
    assert not is_no_worse(sure, right)


def test_an_answer_is_known_by_the_rule_and_by_every_byte_of_the_clip(tmp_path: Path) -> None:
    clips = [tmp_path / name for name in ("one", "same", "other")]
    for clip, text in zip(clips, ("a", "a", "b"), strict=True):
        clip.mkdir()
        (clip / "truth.json").write_text(json.dumps(text))
    one, same, other = (_place(RULES[0], clip, tmp_path) for clip in clips)
    assert one == same != other
    assert one not in {_place(RULES[1], clips[0], tmp_path), _place(None, clips[0], tmp_path)}
