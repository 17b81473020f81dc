"""Reproducible lots."""

from referee.lots import draw_lots


def test_lots_are_drawn_by_the_seed_alone() -> None:
    players = ["Aoi", "Ben", "Chie", "Dan", "Emi"]
    assert draw_lots(players, "12 May") == draw_lots(players[::-1], "12 May")
    assert draw_lots(players, "12 May") != draw_lots(players, "13 May")
