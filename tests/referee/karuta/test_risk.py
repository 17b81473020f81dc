"""What a decided ruling states, and how much of it is shown."""

from math import comb

import pytest

from referee.karuta import risk
from referee.karuta.house_rules import PRESETS
from referee.karuta.risk import Risk, poems_to_show, risk_of, threshold_for, upper_bound
from referee.karuta.ruleset import RuleSet

MEASURED = ((0.85, 1000, 9), (0.9, 990, 4), (0.95, 900, 0), (0.98, 700, 0), (0.99, 300, 0))


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(risk, "_measured", lambda: MEASURED)


@pytest.mark.parametrize(("wrong", "n"), [(0, 33), (2, 40), (7, 60), (39, 40)])
def test_no_larger_share_would_give_so_few_wrong_ones_more_often_than_said(wrong: int, n: int) -> None:
    share = upper_bound(wrong, n)
    chance = sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(wrong + 1))
    assert chance == pytest.approx(0.05, abs=1e-5)


@pytest.mark.parametrize(
    ("wrong", "n", "below"),
    [(0, 33, 0.0868), (0, 18, 0.1533), (1, 20, 0.2161)],  # tables of Clopper and Pearson, one-sided
)
def test_few_poems_rule_out_little(wrong: int, n: int, below: float) -> None:
    assert upper_bound(wrong, n) == pytest.approx(below, abs=0.0001)


def test_nothing_bounds_what_was_not_measured_or_always_wrong() -> None:
    assert upper_bound(0, 0) == upper_bound(3, 3) == 1.0


@pytest.mark.parametrize(
    "told", [(0.0, 10, 1), (1000.0, 10, 1), (0.5, 10, 11), (0.5, 10, -1), (0.5, 10**9, 9)]
)
def test_impossible_counts_are_refused(told: tuple[float, int, int]) -> None:
    stated, decided, wrong = told
    with pytest.raises(ValueError, match="per thousand"):
        Risk(stated, 0.85, decided, wrong)


def test_so_many_poems_show_a_share() -> None:
    n = poems_to_show(0.003)
    assert upper_bound(0, n) <= 0.003 < upper_bound(0, n - 1)


@pytest.mark.usefixtures("measured")
def test_the_least_threshold_follows_whose_bound_keeps_within_the_risk() -> None:
    assert threshold_for(30.0) == 0.85
    assert threshold_for(12.0) == 0.9
    assert threshold_for(6.0) == 0.95


@pytest.mark.usefixtures("measured")
def test_no_stricter_club_decides_more_also_where_little_is_shown() -> None:
    risks = [0.01, 0.56, 3.0, 5.5, 8.0, 12.0, 20.0, 50.0]
    thresholds = [threshold_for(each) for each in risks]
    assert thresholds == sorted(thresholds, reverse=True)
    assert threshold_for(0.56) == 0.95  # nothing shows it, and this has the least bound


@pytest.mark.usefixtures("measured")
def test_a_clubs_risk_raises_its_threshold_and_never_lowers_it() -> None:
    assert PRESETS.house("wrong_per_thousand = 12").min_confidence == 0.9
    assert PRESETS.house("wrong_per_thousand = 12\nmin_confidence = 0.97").min_confidence == 0.97
    assert PRESETS.house("wrong_per_thousand = 500").min_confidence == 0.85
    with pytest.raises(ValueError, match=r"wrong_per_thousand must lie in 0\.\.1000, got 0"):
        PRESETS.house("wrong_per_thousand = 0")


@pytest.mark.usefixtures("measured")
def test_what_is_known_is_told_with_its_bound() -> None:
    known = risk_of(RuleSet(wrong_per_thousand=12.0, min_confidence=0.93))
    assert (known.threshold, known.decided, known.wrong) == (0.93, 990, 4)
    together = upper_bound(4, 990, 0.05 / len(risk.THRESHOLDS))  # a threshold may be chosen by its bound
    assert known.at_most_per_thousand == pytest.approx(1000 * together)
    assert 4 < known.at_most_per_thousand < 12
    assert known.to_json()["is_shown"]
    unknown = risk_of(RuleSet(min_confidence=0.5))
    assert unknown.decided == 0
    assert unknown.to_json()["at_most_per_thousand"] == 1000
    assert not unknown.is_shown


def test_a_risk_is_shown_by_so_many_poems_without_a_wrong_one() -> None:
    needed = Risk(0.56, 0.85, 0, 0).poems_to_show
    assert Risk(0.56, 0.85, needed, 0).is_shown
    assert not Risk(0.56, 0.85, needed - 1, 0).is_shown


def test_the_usual_rules_decide_from_the_threshold_that_follows_from_their_risk() -> None:
    rules = RuleSet()
    assert rules.min_confidence == max(0.85, threshold_for(rules.wrong_per_thousand))
    assert all(PRESETS.house(f'base = "{name}"', name) == PRESETS[name] for name in PRESETS.names)
