"""The months of a match as a table for spreadsheets: one row per month with each player's points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from desk.koikoi.page.view import ending_text, yaku_name
from desk.panel.cells import csv_of
from desk.panel.table.names import seat_name
from desk.panel.words import Words


def koikoi_csv(game: Mapping[str, Any], said: Words) -> str:
    """Return the months of a match as comma-separated values in one language."""
    names = [seat_name(number, seat["name"], said) for number, seat in enumerate(game["seats"])]
    columns = (said("points"), said("total"), said("Koi-Koi calls"), said("yaku"))
    heads = [f"{name}: {column}" for name in names for column in columns]
    rows: list[Iterable[object]] = [[said("Round"), said("Dealer"), said("How it ended"), *heads]]
    totals = [0] * len(names)
    for shown in game["rounds"]:
        totals = [total + points for total, points in zip(totals, shown["points"], strict=True)]
        row = [shown["number"], names[shown["dealer"]], ending_text(shown, names, said)]
        rows.append([*row, *_of_seats(shown, totals, said)])
    return csv_of(rows)


def _of_seats(shown: Mapping[str, Any], totals: list[int], said: Words) -> Iterator[object]:
    for seat, total in enumerate(totals):
        yaku = [f"{yaku_name(row['name'], said)} {row['points']}" for row in shown["yaku"][seat]]
        yield from (shown["points"][seat], total, shown["calls"][seat], "; ".join(yaku))
