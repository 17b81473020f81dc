"""The book as tables for spreadsheets: one row per figure, with its sample size."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from desk.panel.book.port import PlayerFigures, PlayerListed, PracticeFigures, Takes, Timing
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
    rating = player["rating"]
    row: dict[str, object] = {**player, **_timing(player["reaction"]), "rating": None}
    if rating is not None:
        row |= _between("rating", rating["points"], rating["interval"])
        row |= {"rated_matches": rating["matches"], "rating_group": rating["group"]}
    return row


def _between(name: str, value: object, interval: tuple[object, object] | None) -> Mapping[str, object]:
    """Return the cells of a figure with its interval."""
    low, high = interval or (None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def figures_csv(figures: PlayerFigures) -> str:
    """Return a player's figures as CSV with a header line; `table` and `of` say what a row is about."""
    return _csv(_FIGURES, _rows(figures))


def _rows(figures: PlayerFigures) -> Iterator[Mapping[str, object]]:
    yield _row("all", figures["player"], figures)
    for card in figures["cards"]:
        yield {**_row("card", _name(card["poem"]), card), "typical_ms": card["typical_ms"]}
    for family in figures["families"]:
        yield _row("family", family["sounds"], family)
    for place in figures["places"]:
        yield _row("place", f"{place['territory']} row {place['row'] + 1} {place['half']}", place)
    for stage in figures["stages"]:
        yield _row("poems", f"{stage['first']} to {stage['last']}", stage)
    for week in figures["weeks"]:
        yield _row("week", week["monday"], week)
    for opponent in figures["opponents"]:
        stronger = opponent["stronger"]
        apart = {} if stronger is None else _between("stronger", stronger["points"], stronger["interval"])
        yield {**_row("opponent", opponent["name"], opponent), **apart}
    for kind, n in figures["faults"]["kinds"].items():
        yield {"table": "otetsuki", "of": kind, "taken": n}
    for lure in figures["faults"]["lures"]:
        yield {"table": "lure", "of": _name(lure["card"]), "taken": lure["n"]}
    practice = figures["practice"]
    if practice is None:
        return
    yield _row("practice", "all", practice)
    for card in figures["cards"]:
        if card["practice"]["n"]:
            yield {"table": "practice card", "of": _name(card["poem"]), **_timing(card["practice"])}
    for week in figures["weeks"]:
        if week["practices"]:
            yield {"table": "practice week", "of": week["monday"], **_timing(week["practice"])}


def _name(card: int) -> str:
    return f"{card} {POEMS[card].kimariji}"


def _row(table: str, of: str, figures: Takes | PracticeFigures) -> Mapping[str, object]:
    takes, timing = figures["takes"], _timing(figures["reaction"])
    taken = {"table": table, "of": of, "taken": takes["won"], "of_cards": takes["n"]}
    return {**taken, **_between("share", takes["share"], takes["interval"]), **timing}


def _timing(reaction: Timing) -> Mapping[str, object]:
    quartile_1, quartile_3 = reaction["quartiles_ms"] or (None, None)
    low, high = reaction["interval_ms"]
    return {
        "timed": reaction["n"],
        "lost": reaction["lost"],
        "median_ms": reaction["median_ms"],
        "quartile_1_ms": quartile_1,
        "quartile_3_ms": quartile_3,
        "median_low_ms": low,
        "median_high_ms": high,
    }


def _csv(names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    return csv_of([names, *([row.get(name) for name in names] for row in rows)])
