"""How told instants are compared with true ones: by kind of contact and by scenario."""

from dataclasses import replace
from typing import Any

from benchmarks.judging import touch_sums
from benchmarks.reliability.poems import Watched, clip
from benchmarks.touches.scoring import score_poems
from benchmarks.touches.sweeps import counts, sweeps
from referee.facts import FieldSettled, PoemStarted, Touch
from referee.sides import Side

CARDS = [{"card": card, "side": "near", "x_mm": 60.0 * card, "y_mm": 50.0} for card in (1, 2, 3)]


def told(card: int, kind: str, low_ms: float, high_ms: float) -> dict[str, Any]:
    middle_ms = (low_ms + high_ms) / 2
    told_ms = {"t_ms": middle_ms, "t_low_ms": low_ms, "t_high_ms": high_ms, "t_unc_ms": high_ms - middle_ms}
    return {"card": card, "player": "near", "kind": kind, "confidence": 0.9, **told_ms}


def test_instants_are_counted_by_kind_and_by_scenario() -> None:
    ruling = {"taken_by": "near", "faults": {"near": 0, "far": 0}, "sends": {"near": 0, "far": 0}}
    judged = {
        "layout": CARDS,
        "poems": [
            {
                "ruling": {**ruling, "status": "decided", "confidence": 0.9},
                "touches": [
                    told(1, "touch", 90, 110),
                    told(2, "pushed_out", 100, 190),  # touched on its way, at 105
                    told(3, "pushed_out", 100, 140),  # out at 150
                    told(4, "pushed_out", 100, 140),  # by nobody
                ],
            }
        ],
    }
    truth = {
        "meta": {"fps": 60},
        "layout": CARDS,
        "poems": [
            {
                "poem": 1,
                "scenario": "harai",
                "ruling": ruling,
                "touches": [
                    {"card": 1, "player": "near", "t_ms": 100},
                    {"card": 2, "player": "near", "t_ms": 105},
                ],
                "pushed_out": [
                    {"card": 2, "player": "near", "t_ms": 400},
                    {"card": 3, "player": "near", "t_ms": 150},
                ],
            }
        ],
    }
    scores = list(score_poems("clip", judged, truth))
    assert scores[0].inside == [("touch", True), ("pushed_out", True), ("pushed_out", False)]
    assert scores[0].time_errors_ms == [0.0]
    rows = {name: row for name, row in touch_sums(scores).items() if name.startswith("inside")}
    assert rows == {
        "inside 95 %: pushed_out": "1/2 (Wilson 95 %: 9.4% to 90.5%)",
        "inside 95 %: pushed_out, harai": "1/2 (Wilson 95 %: 9.4% to 90.5%)",
        "inside 95 %: touch": "1/1 (Wilson 95 %: 20.6% to 100.0%)",
        "inside 95 %: touch, harai": "1/1 (Wilson 95 %: 20.6% to 100.0%)",
    }


def test_a_told_sweep_is_held_against_the_path_that_the_card_took() -> None:
    match, hall = clip(7_000_000)
    (episode, *_) = match.episodes()
    layout = match.start
    touches = tuple(
        Touch(card, Side.NEAR, 1, 1, territory=layout.side_of(card), out_ns=(0, 10**12))
        for card in episode.tracks
    )
    start = PoemStarted(episode.poem, 1, 1)
    poem = Watched(hall, "7000000/0", "", 60.0, start, (FieldSettled(layout, 0), touches), {})
    found = list(sweeps(poem))
    assert len(found) == len(touches) > 0
    for one in found:
        assert (one.out_ms is not None) is one.is_inside
        assert one.out_ms is not None or not one.lies_out
    assert any(one.is_inside for one in found)
    early = [replace(one, told_ms=(0.0, 1.0)) for one in found]
    assert counts(early)["inside"] == 0
    assert counts(early)["never out"] == sum(one.out_ms is None for one in found)
