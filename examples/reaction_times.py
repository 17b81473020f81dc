"""Every card's reaction time into a workbook with a chart, from the matches that the desk has kept.

    uv run --extra hall python examples/reaction_times.py MATCHES "Hana" hana.xlsx

MATCHES is the folder of the match logs; `shinpan doctor` names the data folder it lies in.
`reaction_times.ipynb` beside this file does the same in a notebook.
"""

import sys
from pathlib import Path
from typing import Any, NamedTuple

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference

from desk.book.book import Book
from referee.cards.poems import POEMS


class CardTime(NamedTuple):
    """How fast a player takes one card: the median of `times` reaction times, after the kimariji."""

    poem: int
    kimariji: str
    median_ms: float
    times: int


def card_times(matches: Path, player: str) -> list[CardTime]:
    """Return the cards of which the player was timed, the slowest first; none where nobody is called so."""
    book = Book(matches)
    try:
        figures = book.figures(player)
    finally:
        book.close()
    if figures is None:
        return []
    times = [
        CardTime(card["poem"], POEMS[card["poem"]].kimariji, round(median_ms, 1), card["reaction"]["n"])
        for card in figures["cards"]
        if (median_ms := card["reaction"]["median_ms"]) is not None
    ]
    return sorted(times, key=lambda card: -card.median_ms)


def workbook(times: list[CardTime]) -> Any:
    """Return a workbook with a row for each card and a chart beside them."""
    book = Workbook()
    sheet = book.active
    sheet.title = "reaction"
    sheet.append(["poem", "kimariji", "median ms", "takes"])
    for card in times:
        sheet.append(list(card))
    chart = BarChart()
    chart.title = "Median reaction time, ms"
    last = len(times) + 1
    chart.add_data(Reference(sheet, min_col=3, min_row=1, max_row=last), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=2, min_row=2, max_row=last))
    sheet.add_chart(chart, "F2")
    return book


def main() -> int:
    """Write the workbook that the command line asks for."""
    if len(sys.argv) != 4:
        sys.exit("usage: reaction_times.py MATCHES PLAYER OUT.xlsx")
    matches, player, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    if not matches.is_dir():
        sys.exit(f"expected a folder of match logs, but there is none at {matches}")
    times = card_times(matches, player)
    if not times:
        sys.exit(f"no take of {player!r} was timed in {matches}; `shinpan book` lists who is known")
    workbook(times).save(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
