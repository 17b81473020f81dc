"""An evening of Koi-Koi as a table for spreadsheets: one row per player."""

from __future__ import annotations

from desk.panel.cells import csv_of
from desk.panel.home.port import EveningShown
from desk.panel.words import Words


def evening_csv(evening: EveningShown, said: Words) -> str:
    """Return each player's results as comma-separated values in one language."""
    head = [
        said("Player"), said("Points"), said("Games"), said("Games won"), said("Months won"),
        said("Koi-Koi calls"), said("Best month"),
    ]  # fmt: skip
    rows = [
        [
            player["name"], player["points"], player["games"], player["games_won"], player["months_won"],
            player["calls"], player["best"],
        ]
        for player in evening["players"]
    ]  # fmt: skip
    return csv_of([head, *rows])
