"""The hand-made vectors for the club's rules: 39 yaku, 11 payouts, 6 deals, 8 flows."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.koikoi.dealing import first_dealer, next_dealer, stock_size
from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Play
from referee.koikoi.house_rules import preset
from referee.koikoi.match import play
from referee.koikoi.piles import pile_of
from referee.koikoi.score import scorer

VECTORS = Path(__file__).parents[4] / "shared" / "data" / "koikoi" / "seed_vectors.json"
KASU = preset("kasu-2008")

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not VECTORS.exists(), reason=f"needs the vectors beside the checkout: {VECTORS}"),
]


def vectors(part: str) -> list[Any]:
    if not VECTORS.exists():
        return []
    return [
        pytest.param(vector, id=vector["name"]) for vector in json.loads(VECTORS.read_text("utf-8"))[part]
    ]


@pytest.mark.parametrize("vector", vectors("yaku"))
def test_yaku(vector: dict[str, Any]) -> None:
    score = scorer(KASU).score(pile_of(vector["pile"]))
    assert {row.name: row.points for row in score.yaku} == vector["yaku"]
    assert score.base == vector["base"]


@pytest.mark.parametrize("vector", vectors("payout"))
def test_payout(vector: dict[str, Any]) -> None:
    points = scorer(KASU).points(vector["base"], vector["own_calls"], vector["other_calls"])
    assert points == vector["points"]


@pytest.mark.parametrize("vector", vectors("deal"))
def test_deal(vector: dict[str, Any]) -> None:
    deal = Deal(1, vector["players"], 0, tuple(vector["field"]), tuple(map(tuple, vector["hands"])))
    result = play(KASU, [deal]).rounds[0].result
    expected = vector["expect"]
    if expected["end"] is None:
        assert result is None
        return
    assert result is not None
    assert result.ending == {"reshuffle": "redeal"}.get(expected["end"], expected["end"])
    assert result.winner == expected.get("winner")
    assert sum(result.points) == expected.get("points", 0)


@pytest.mark.parametrize("vector", vectors("flow"))
def test_flow(vector: dict[str, Any]) -> None:
    if "next_dealer" in vector:
        found = next_dealer(vector["players"], vector["dealer"], vector["winner"], KASU)
        assert found == vector["next_dealer"]
    elif "rounds" in vector:
        assert KASU.match.rounds == vector["rounds"]
    elif "drawn" in vector:
        assert first_dealer(vector["drawn"], KASU) == vector["dealer"]
    elif "deals" in vector:
        for players, sizes in vector["deals"].items():
            size = KASU.deal.size(int(players))
            assert (size.hand, size.field) == (sizes["hand"], sizes["field"])
            assert stock_size(int(players), KASU) == sizes["stock"]
            assert int(players) * size.hand == sizes["turns"]
    else:
        # player 0 collects three dry lights, calls koi-koi, and nobody stops
        (record,) = play(KASU, round_without_winner()).rounds
        assert record.table.calls == (1, 0)
        assert record.scores[0].base == 5
        assert record.result is not None
        assert record.result.winner == vector["winner"]
        assert list(record.points) == vector["points"]


def round_without_winner() -> list[Event]:
    return [
        Deal(1, 2, 0, (1, 9, 45, 12, 16, 20, 24, 30)),
        Play(0, 0, (1,)),
        Draw(0, 8, (9,)),
        Play(1, 2),
        Draw(1, 3, (2,)),
        Play(0, 44, (45,)),
        Draw(0, 5),
        Declare(0, Call.KOIKOI),
        End(),
    ]
