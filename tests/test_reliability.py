"""The figures of reliability tell a calibrated confidence from one that is not."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, logit

from benchmarks.reliability.__main__ import evidence
from benchmarks.reliability.figures import (
    Outcome,
    bins,
    decided,
    fitted_share,
    outcome_of,
)
from benchmarks.reliability.poems import read
from desk.karuta.engine.events import CODEC
from referee.facts import FieldSettled, PoemStarted, Touch
from referee.layout import Layout, PlacedCard
from referee.sides import Side

DICE = np.random.default_rng(4)
CHANCES = DICE.beta(5, 1, 6000)
RIGHT = DICE.random(6000) < CHANCES


def test_bins_of_a_calibrated_confidence_hold_it_and_those_of_a_boastful_one_do_not() -> None:
    assert sum(not each.is_inside for each in bins(CHANCES, RIGHT)) <= 2
    boastful = np.asarray(expit(2 * logit(CHANCES)))
    assert sum(not each.is_inside for each in bins(boastful, RIGHT)) >= 5


def test_decided_rulings_are_told_no_surer_than_their_count_bounds() -> None:
    sure = DICE.uniform(0.85, 0.995, 400)
    for wrong, at_most in ((0, 0.01145), (2, 0.02085)):  # of 400, 99 %: Clopper and Pearson by scipy's beta
        told = 0.995 - fitted_share(sure, wrong) * (0.995 - sure)
        assert 1 - told.mean() == pytest.approx(at_most, abs=1e-4)
    assert fitted_share(sure, 100) == 1, "the wrong ones make none less sure than its product"
    assert fitted_share(np.repeat(sure, 40), 0) == 0, "nor is any surer than that nothing was missed"


def test_what_is_open_is_not_decided_however_sure() -> None:
    sure = Outcome("a", "a", 0.99, 0.99, frozenset(), right=True, missed=False)
    unsure = Outcome("b", "a", 0.7, 0.7, frozenset({"low_confidence"}), right=False, missed=False)
    unseen = Outcome("c", "a", 0.99, 0.495, frozenset({"contact_unseen"}), right=False, missed=False)
    assert decided([sure, unsure, unseen], 0.85) == (1, 0)
    assert decided([sure, unsure, unseen], 0.5) == (2, 1)
    assert "{ threshold = 0.99, decided = 1, wrong = 0 }" in evidence([sure, unsure, unseen])


def test_a_kept_poem_is_judged_anew_and_what_left_no_trace_is_counted(tmp_path: Path) -> None:
    layout = Layout((PlacedCard(17, Side.NEAR, 0, 0.0, 0.1), PlacedCard(4, Side.FAR, 0, 0.0, -0.1)))
    touch = Touch(17, Side.NEAR, 1_000_000_000, 1_000_000, confidence=0.99)
    true = {"ruling": {"taken_by": "near", "faults": {"near": 0, "far": 0}, "sends": {"near": 0, "far": 0}}}
    line = {
        "source": "hall",
        "name": "7/0",
        "scenario": "own",
        "fps": 60.0,
        "start": CODEC.encode(PoemStarted(17, 0, 1)),
        "look": [CODEC.encode(fact) for fact in (FieldSettled(layout, 0), touch)],
        "truth": {
            **true,
            "touches": [{"card": 17, "player": "near"}, {"card": 4, "player": "far"}],
            "target_side": "near",
        },
    }
    (tmp_path / "clips-0.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    (poem,) = read(tmp_path)
    found = outcome_of(poem)
    assert (found.film, found.right, found.is_open) == ("hall/7", True, False)
    assert found.missed, "nothing was told of the far player's touch in the other territory"
