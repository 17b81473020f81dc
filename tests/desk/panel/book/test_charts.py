"""The coordinates of the charts' cells and dots."""

from desk.book.intervals import share_of
from desk.book.survival import timing_of
from desk.panel.book.charts import (
    DOTS_WIDTH,
    PLOT_BOTTOM,
    dot_plot,
    week_plot,
)
from desk.panel.book.port import CardFigures, WeekFigures


def card(poem: int, *times_ms: float) -> CardFigures:
    return {
        "poem": poem,
        "takes": share_of(len(times_ms), 9),
        "reaction": timing_of(times_ms),
        "practice": timing_of([]),
        "typical_ms": timing_of(times_ms)["median_ms"],
    }


def test_dots_lie_on_the_scale_and_cards_without_a_time_have_none() -> None:
    plot = dot_plot([card(1, 300.0, 500.0), card(2, -50.0), card(3)])
    assert plot is not None
    assert [row["figures"]["poem"] for row in plot["rows"]] == [1, 2]
    at = {ms: x for x, ms in plot["ticks"]}
    assert set(range(-100, 501, 100)) <= set(at) or set(range(-200, 601, 200)) <= set(at)
    assert [row["line"] is None for row in plot["rows"]] == [False, True]
    zero, step = at[0], at[200] - at[0]
    assert abs(plot["rows"][0]["x"] - (zero + 2 * step)) < 0.2
    assert abs(plot["rows"][1]["x"] - (zero - step / 4)) < 0.2
    for row in plot["rows"]:
        assert plot["label_x"] < row["x"] < plot["count_x"] < DOTS_WIDTH
        assert 0 < row["y"] < plot["height"]
    assert dot_plot([card(3)]) is None


def test_times_that_are_all_alike_or_far_away_can_be_drawn() -> None:
    for times in ((0.0,), (100.0, 100.0), (60_000.0,), (-9_000.0, 3.0)):
        plot = dot_plot([card(1, *times)])
        assert plot is not None
        assert 2 <= len(plot["ticks"]) <= 8


def week(monday: str, *times_ms: float, alone: tuple[float, ...] = ()) -> WeekFigures:
    return {
        "monday": monday,
        "matches": 1,
        "practices": len(alone),
        "takes": share_of(len(times_ms), 9),
        "reaction": timing_of(times_ms),
        "practice": timing_of(alone),
    }


def test_weeks_lie_as_far_apart_as_they_were_and_faster_ones_lower() -> None:
    plot = week_plot(
        [
            week("2026-01-05", 400.0),
            week("2026-01-12", 300.0, 340.0, alone=(500.0,)),
            week("2026-01-19"),
            week("2026-02-02", 200.0),
        ]
    )
    assert plot is not None
    one, two, three = plot["matches"]
    assert three["x"] - two["x"] == 3 * (two["x"] - one["x"]) > 0
    assert one["y"] < two["y"] < three["y"] < PLOT_BOTTOM
    (alone,) = plot["practices"]
    assert alone["y"] < one["y"]
    assert alone["x"] != two["x"], "marks of one week do not hide one another"
    assert (one["line"], two["n"]) == (None, 2)
    assert week_plot([week("2026-01-05")]) is None
