"""The book as tables for spreadsheets: one row per figure, with its sample size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from desk.panel.book.port import PlayerFigures, PlayerListed, PracticeFigures, RatingDifference, Takes, Timing
from desk.panel.cells import csv_of
from referee.cards.poems import POEMS

_PLAYERS = (
    "name",
    "matches",
    "practices",
    "matches_won",
    "takes",
    "timed",
    "lost",
    "median_ms",
    "median_low_ms",
    "median_high_ms",
    "last_day",
    "rating",
    "rating_low",
    "rating_high",
    "rated_matches",
    "rating_group",
)
_FIGURES = (
    "table",
    "of",
    "taken",
    "of_cards",
    "share",
    "share_low",
    "share_high",
    "timed",
    "lost",
    "median_ms",
    "quartile_1_ms",
    "quartile_3_ms",
    "median_low_ms",
    "median_high_ms",
    "typical_ms",
    "stronger",
    "stronger_low",
    "stronger_high",
)


def players_csv(players: Iterable[PlayerListed]) -> str:
    """Return the list of players as CSV with a header line."""
    return _csv(_PLAYERS, map(_player, players))


def _player(player: PlayerListed) -> Mapping[str, object]:
    row: dict[str, object] = {**player, **_timing(player["reaction"])}
    rating = player["rating"]
    row["rating"] = None
    if rating is not None:
        low, high = rating["interval"]
        row |= {
            "rating": rating["points"],
            "rating_low": low,
            "rating_high": high,
            "rated_matches": rating["matches"],
            "rating_group": rating["group"],
        }
    return row


def figures_csv(figures: PlayerFigures) -> str:
    """Return a player's figures as CSV with a header line; `table` and `of` say what a row is about."""
    return _csv(_FIGURES, _rows(figures))


def _rows(figures: PlayerFigures) -> Iterator[Mapping[str, object]]:
    yield _row("all", figures["player"], figures)
    for card in figures["cards"]:
        name = f"{card['poem']} {POEMS[card['poem']].kimariji}"
        yield {**_row("card", name, card), "typical_ms": card["typical_ms"]}
    for family in figures["families"]:
        yield _row("family", family["sounds"], family)
    for place in figures["places"]:
        yield _row("place", f"{place['territory']} row {place['row'] + 1} {place['half']}", place)
    for stage in figures["stages"]:
        yield _row("poems", f"{stage['first']} to {stage['last']}", stage)
    for week in figures["weeks"]:
        yield _row("week", week["monday"], week)
    for opponent in figures["opponents"]:
        yield {**_row("opponent", opponent["name"], opponent), **_stronger(opponent["stronger"])}
    for kind, n in figures["faults"]["kinds"].items():
        yield {"table": "otetsuki", "of": kind, "taken": n}
    for lure in figures["faults"]["lures"]:
        yield {"table": "lure", "of": f"{lure['card']} {POEMS[lure['card']].kimariji}", "taken": lure["n"]}
    yield from _practice_rows(figures)


def _practice_rows(figures: PlayerFigures) -> Iterator[Mapping[str, object]]:
    practice = figures["practice"]
    if practice is None:
        return
    yield _row("practice", "all", practice)
    for card in figures["cards"]:
        if card["practice"]["n"]:
            name = f"{card['poem']} {POEMS[card['poem']].kimariji}"
            yield {"table": "practice card", "of": name, **_timing(card["practice"])}
    for week in figures["weeks"]:
        if week["practices"]:
            yield {"table": "practice week", "of": week["monday"], **_timing(week["practice"])}


def _row(table: str, of: str, figures: Takes | PracticeFigures) -> Mapping[str, object]:
    takes = figures["takes"]
    share_low, share_high = takes["interval"] or (None, None)
    return {
        "table": table,
        "of": of,
        "taken": takes["won"],
        "of_cards": takes["n"],
        "share": takes["share"],
        "share_low": share_low,
        "share_high": share_high,
        **_timing(figures["reaction"]),
    }


def _stronger(difference: RatingDifference | None) -> Mapping[str, object]:
    if difference is None:
        return {}
    low, high = difference["interval"]
    return {"stronger": difference["points"], "stronger_low": low, "stronger_high": high}


def _timing(reaction: Timing) -> Mapping[str, object]:
    quartile_1, quartile_3 = reaction["quartiles_ms"] or (None, None)
    median_low, median_high = reaction["interval_ms"]
    return {
        "timed": reaction["n"],
        "lost": reaction["lost"],
        "median_ms": reaction["median_ms"],
        "quartile_1_ms": quartile_1,
        "quartile_3_ms": quartile_3,
        "median_low_ms": median_low,
        "median_high_ms": median_high,
    }


def _csv(names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    return csv_of([names, *([row.get(name) for name in names] for row in rows)])
